// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text.h"

#include <sstream>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace posiscope {

/// What kind of thing a user can get wrong. Every code has a test that provokes it.
enum class ErrorCode {
  unknown_name,   ///< no scheme, measure, view, parameter or choice of that name
  bad_value,      ///< a value of the wrong kind ("base=abc")
  out_of_range,   ///< a value outside the allowed range
  bad_shape,      ///< sizes that do not fit together
  too_large,      ///< more memory than allowed
  not_defined,    ///< the formula has no value there (YaRN with base 1)
  past_table,     ///< a position beyond a learned table
  file_missing,   ///< the file is not there or cannot be read
  file_format,    ///< the file is not what its name says, or breaks the format's rules
  file_type,      ///< the file is right but holds something not supported (object arrays, quantised data)
  file_write,     ///< the file cannot be written
  cancelled,      ///< the user (or a newer question) stopped the work
  not_supported,  ///< asked for something this version does not compute
};

/// What went wrong, as one full sentence that names the culprit, the found and the allowed.
/// `message.zh` may be empty: then the window shows the kind of error in Chinese before the English sentence.
struct Error {
  ErrorCode code;
  Text message;

  bool operator==(const Error&) const = default;
};

/// The short Chinese and English name of a kind of error.
Text describe(ErrorCode code);

template <class T>
using Expected = tl::expected<T, Error>;
using Outcome = Expected<void>;

/// `return fail(ErrorCode::out_of_range, "…");` – the Chinese sentence may be left out.
inline tl::unexpected<Error> fail(ErrorCode code, std::string en, std::string zh = {}) {
  return tl::unexpected<Error>(Error{code, Text{std::move(en), std::move(zh)}});
}
inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

/// The pieces streamed together in the C locale: numbers never depend on the user's locale.
template <class... Pieces>
std::string join(const Pieces&... pieces) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(9);
  (out << ... << pieces);
  return out.str();
}

}  // namespace posiscope
