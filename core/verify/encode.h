// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention.h"
#include "core/schemes/list.h"
#include "core/verify/case_reader.h"
#include "core/verify/quantity.h"

#include <optional>

namespace posiscope::verify {

/// The scheme's own encoding. A scheme, parameter or choice that this version does not have is not_supported.
template <class T>
Expected<Encoding<T>> encodeCase(std::string_view id, const ParamValues& values, const Shape& shape) {
  const Scheme* scheme = schemes::find(id);
  if (!scheme)
    return fail(ErrorCode::not_supported, join("the scheme '", id, "' is not supported"), join("不支持方案“", id, "”"));
  for (const auto& [key, value] : values) {
    const ParamSpec* spec = findParam(scheme->params, key);
    if (!spec)
      return fail(ErrorCode::not_supported, join(id, ": '", key, "' is not supported"),
                  join(id, "：不支持“", key, "”"));
    if (spec->kind == ParamKind::choice && !checkValue(id, *spec, value))
      return fail(ErrorCode::not_supported, join(id, ": ", key, " = ", valueText(value), " is not supported"),
                  join(id, "：不支持 ", key, " = ", valueText(value)));
  }
  return encode<T>(*scheme, values, shape);
}

/// The parameters of the case that are the scheme's, under any of their names, as the scheme's values; what the
/// manifest's name of the scheme stands for comes first ("rope_half" is rope with pairing half). Arrays are not
/// parameters of a manifest but inputs.
ParamValues schemeValues(CaseReader& in, std::string_view id, std::string_view names);

ParamValues sinusoidalValues(CaseReader& in, std::int64_t width);

/// Sizes, mask and content of a case about attention.
struct Situation {
  Shape shape;
  Mask mask;
};
/// How a case writes the scale of its logits: a number, or in words ("1/sqrt(head_dim)", "rsqrt_d"). Nothing where it
/// does not say.
std::optional<double> readLogitScale(CaseReader& in, const Shape& shape);

/// Where the positions start, 0 unless the case says otherwise; within the shape's limits.
double readFirstPosition(CaseReader& in);

/// The parameters `readSituation` knows, without and with the mask's window (which some schemes call theirs).
inline constexpr std::string_view situation_params =
    "seq_len seq_len_q seq_len_k num_heads num_kv_heads head_dim d_model causal key_padding query_padding prefix "
    "position_start";
inline constexpr std::string_view content_inputs = "Q K V E W_Q W_K W_V";
Situation readSituation(CaseReader& in, bool with_window);
/// Its rules alone: causal, window, prefix, paddings.
Mask readMask(CaseReader& in, bool with_window);

/// q, k, v given (with x beside them where the case has it), or embeddings with projections.
template <class T>
Content<T> readContent(CaseReader& in, const Shape& shape);

}  // namespace posiscope::verify
