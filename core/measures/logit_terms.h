// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/content.h"
#include "core/encoding.h"
#include "core/job.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace posiscope::measures {

/// One summand of the logits of a head: fills row i over all keys, masked or not.
struct LogitTerm {
  Text name;
  std::function<void(std::int64_t i, std::span<float> row)> fill;
};

/// One head of one question. All of it must outlive the terms.
struct HeadAsked {
  const Encoding<float>& encoding;
  const Content<float>& content;
  const Shape& shape;
  std::int64_t head;
};

/// What the logits are the sum of: the terms a score of its own tells, or word and position of an added table, each as
/// the query and as the key, or the content at equal positions and what changed embeddings, a rotation and a factor of
/// the queries add, as far as there are any; then the bias. `head`: its queries and keys, ready for the logits.
/// Errors: too_large, cancelled.
Expected<std::vector<LogitTerm>> logitTerms(const HeadAsked& asked, const HeadContent<float>& head, const Job& job);

/// What the parts leave of the whole.
LogitTerm remainder(Text name, std::function<void(std::int64_t i, std::span<float> row)> whole,
                    std::vector<LogitTerm> parts);

/// Is a table added to the embeddings, and nothing else done to them, the queries or the keys? Its four terms are kept.
bool isAddedTable(const Encoding<float>& encoding);

}  // namespace posiscope::measures
