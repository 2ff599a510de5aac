// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/origin.h"

#include "core/models/scheme_values.h"
#include "core/schemes/list.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace posiscope::models {
namespace {

/// The families that were released with adjacent pairs and are converted to half-split ones. All others keep one order.
constexpr std::array<std::string_view, 3> permuted{"llama", "mistral", "mixtral"};

Text whyOf(Origin origin) {
  switch (origin) {
    case Origin::converted:
      return {"converted weights → half-split pairs: the conversion permutes the rows of W_Q and W_K",
              "转换后的权重 → 前后半配对：转换时置换了 W_Q 与 W_K 的行"};
    case Origin::original:
      return {"original weights → adjacent pairs: their rows of W_Q and W_K are not permuted",
              "原始权重 → 相邻配对：W_Q 与 W_K 的行未经置换"};
    case Origin::gguf:
      return {"weights in GGUF → adjacent pairs: the rows of W_Q and W_K are permuted back when the file is made",
              "GGUF 中的权重 → 相邻配对：生成文件时 W_Q 与 W_K 的行被置换回原来的次序"};
  }
  return {};
}

/// Null where nothing turns in pairs that could be chosen.
SchemeChoice* rotationOf(Inspection& inspection) {
  const auto found = std::ranges::find_if(inspection.schemes, [](const SchemeChoice& choice) {
    const Scheme* scheme = schemes::find(choice.id);
    return scheme && findParam(scheme->params, "pairing");
  });
  return found == inspection.schemes.end() ? nullptr : &*found;
}

}  // namespace

const std::vector<std::string>& originNames() {
  static const std::vector<std::string> names{"converted", "original", "gguf"};
  return names;
}

void setOrigin(Inspection& inspection, Origin origin) {
  SchemeChoice* rotation = rotationOf(inspection);
  const std::string& type = inspection.model_type;
  // The keys of an original release have no model_type.
  const bool known = type.empty() || std::ranges::find(permuted, type) != permuted.end();
  if (!rotation || !known) {
    const std::string& name = originNames()[static_cast<std::size_t>(origin)];
    inspection.notes.push_back(
        {join("the origin ", name, " changes nothing: only llama, mistral and mixtral are kept in two orders of rows"),
         join("来源 ", name, " 不改变任何内容：只有 llama、mistral 与 mixtral 的权重存在两种行序")});
    return;
  }
  ParamValues values = rotation->values;
  values["pairing"] = std::string(origin == Origin::converted ? "half" : "interleaved");
  rotation->values = choiceOf(rotation->id, std::move(values)).values;
  inspection.reasons.push_back(whyOf(origin));
}

}  // namespace posiscope::models
