// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <string>
#include <string_view>

namespace posiscope {

/// Puts a piece of a Chinese sentence behind the others. The spaces at the seam stay where Chinese meets Latin or
/// digits, and go where both sides are full-width: "内容" + " 必须是 " + "对象" is "内容必须是对象".
void appendChinese(std::string& sentence, std::string_view piece);

/// `join` for a Chinese sentence whose pieces may be Chinese or Latin.
template <class... Pieces>
std::string joinChinese(const Pieces&... pieces) {
  std::string sentence;
  (appendChinese(sentence, join(pieces)), ...);
  return sentence;
}

}  // namespace posiscope
