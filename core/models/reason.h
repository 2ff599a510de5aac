// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <optional>
#include <string>
#include <string_view>

namespace posiscope::models {

/// A sentence of pieces: "model_type llama → rotary; base 500000 from rope_theta".
class Reason {
 public:
  void add(const Text& piece) {
    text_.en += (text_.en.empty() ? "" : "; ") + piece.en;
    text_.zh += (text_.zh.empty() ? "" : "；") + piece.zh;
  }
  /// "base 500000 from rope_theta"
  template <class T>
  void from(std::string_view fact, const T& value, std::string_view key) {
    add({join(fact, " ", value, " from ", key), join(fact, " ", value, "，取自 ", key)});
  }
  /// "base 10000 by default", or "base 10000 in place of rope_theta, which was refused": `refused` is the key that was
  /// there with a value that cannot be right, when there was one.
  template <class T>
  void byDefault(std::string_view fact, const T& value, const std::optional<std::string>& refused) {
    if (refused)
      add({join(fact, " ", value, " in place of ", *refused, ", which was refused"),
           join(fact, " ", value, "，代替未被采用的 ", *refused)});
    else
      add({join(fact, " ", value, " by default"), join(fact, " ", value, "（默认值）")});
  }
  const Text& text() const { return text_; }
  bool empty() const { return text_.en.empty(); }

 private:
  Text text_;
};

}  // namespace posiscope::models
