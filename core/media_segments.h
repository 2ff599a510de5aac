// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace posiscope {

/// The segments of M-RoPE as other programs list them, [["text", n], ["vision", T, H, W], …] (any word but text for
/// images and videos), as triples (n, 0, 0) and (T, H, W). Nothing where it is no such list.
std::optional<std::vector<double>> segmentTriples(const nlohmann::json& list);
/// The same of its text.
std::optional<std::vector<double>> segmentTriples(std::string_view text);

}  // namespace posiscope
