// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/streamed_attention.h"

#include "core/attention/head_inputs.h"
#include "core/attention/streamed_offsets.h"
#include "core/measures/axes.h"
#include "core/measures/content_for.h"
#include "core/random.h"
#include "core/xpos.h"

#include <cmath>
#include <string>
#include <utility>
#include <variant>

namespace posiscope::measures {
namespace {

using attention::FillRows;
using attention::Projection;
using attention::RowPlace;
using attention::StreamedField;
using WeightPtr = std::shared_ptr<const Table<float>>;

/// Numbers that are made by a formula are made where they are looked at; others are there already.
bool isGenerated(const ContentSpec& content) {
  return content.source == ContentSource::ones || content.source == ContentSource::random ||
         content.source == ContentSource::tokens;
}

bool goesRowByRow(const Encoding<float>& encoding) {
  return !encoding.input.transform && !encoding.logits.score.prepare &&
         !std::holds_alternative<PairBias<float>>(encoding.logits.bias);
}

/// Where the rows of one question come from.
struct HeadSource {
  const Attended& attended;
  AttentionPart which;
  bool from_x;                                             ///< queries and keys are made from the embeddings
  std::shared_ptr<const Content<float>> stored = nullptr;  ///< where nothing is generated

  const Shape& shape() const { return attended.shape(); }
  const ContentSpec& spec() const { return attended.question.content; }
  /// Do all queries and keys have the same number everywhere?
  bool areEqual() const {
    return !from_x && !stored && (which == AttentionPart::position || spec().source == ContentSource::ones);
  }
};

/// The part of a projection that makes one head, as `makeContent` draws it.
WeightPtr drawnWeight(const HeadSource& rows, const char* name, std::int64_t head) {
  const Shape& s = rows.shape();
  auto weight = std::make_shared<Table<float>>(makeTable<float>(s.head_dim, s.d_model));
  Stream(static_cast<std::uint64_t>(rows.spec().seed), std::string("content/") + name)
      .normals(static_cast<std::uint64_t>(head * s.head_dim * s.d_model),
               static_cast<float>(1.0 / std::sqrt(static_cast<double>(s.d_model))), weight->values);
  return weight;
}

FillRows embeddings(const HeadSource& rows) {
  const Shape& s = rows.shape();
  if (rows.stored) return attention::storedRows(rows.stored, rows.stored->x.values.data(), s.d_model);
  // As `attendedBy`: without words a table is left alone.
  if (rows.which == AttentionPart::position)
    return attention::constantRows(rows.attended.encoding->input.hasTable() ? 0.0F : 1.0F, s.d_model);
  if (rows.spec().source == ContentSource::ones) return attention::constantRows(1, s.d_model);
  return attention::drawnRows(rows.spec(), "x", {0, s.keys(), s.d_model, 0}, rows.spec().word_std);
}

/// Queries or keys of the head `part` of their array, before rotation.
FillRows headRows(const HeadSource& rows, bool queries, std::int64_t part) {
  const Shape& s = rows.shape();
  const std::int64_t skip = queries ? s.queryOffset() : 0, count = s.keys() - skip, dim = s.head_dim;
  const char* name = queries ? "q" : "k";
  if (!rows.from_x) {
    if (rows.stored)
      return attention::storedRows(rows.stored, (queries ? rows.stored->q : rows.stored->k).data() + part * count * dim,
                                   dim);
    if (rows.areEqual()) return attention::constantRows(1, dim);
    return attention::drawnRows(rows.spec(), name, {part, s.keys(), dim, skip}, 1);
  }
  Projection projection{embeddings(rows), s.d_model, rows.attended.encoding, nullptr, 0, dim, skip};
  if (rows.stored) {
    projection.weight = {rows.stored, &(queries ? rows.stored->w_q : rows.stored->w_k)};
    projection.first_row = part * dim;
  } else {
    projection.weight = drawnWeight(rows, queries ? "w_q" : "w_k", part);
  }
  return attention::projectedRows(std::move(projection));
}

Expected<std::shared_ptr<const Field>> fieldOf(const HeadSource& rows, std::int64_t head,
                                               StreamedField::Quantity quantity, const Job& job) {
  const Attended& a = rows.attended;
  const Shape& s = rows.shape();
  if (rows.areEqual()) {
    std::vector<float> profile = attention::offsetProfile(*a.encoding, head, 1, s, job);
    if (job.stopped()) return stopped();
    if (!profile.empty())
      return std::make_shared<const StreamedField>(attention::offsetLogits(std::move(profile), s, a.mask), quantity);
  }
  attention::StreamedHead made{a.encoding, headRows(rows, true, head),
                               headRows(rows, false, attention::keyHead(s, head)), head};
  return std::make_shared<const StreamedField>(attention::contentLogits(std::move(made), s, a.mask), quantity);
}

/// Without projections the columns of x must be the heads; who refuses that otherwise names the sizes.
bool fits(const HeadSource& rows) {
  if (!rows.stored || !rows.from_x) return true;
  const Shape& s = rows.shape();
  const auto fitted = [&](const Table<float>& weight, std::int64_t heads) {
    return weight.empty() ? heads * s.head_dim == s.d_model
                          : weight.rows == heads * s.head_dim && weight.cols == s.d_model;
  };
  return !rows.stored->x.empty() && fitted(rows.stored->w_q, s.num_heads) && fitted(rows.stored->w_k, s.kvHeads());
}

}  // namespace

Expected<std::optional<StreamedAttention>> streamedAttention(const FirstTokens& part, AttentionPart which,
                                                             const std::vector<std::int64_t>& heads,
                                                             StreamedField::Quantity quantity, const Job& job) {
  const std::optional<StreamedAttention> nothing;
  const ContentSpec& spec = part.question.content;
  if (spec.source == ContentSource::attention || part.encoding->input.transform) return nothing;
  if (which != AttentionPart::content && !goesRowByRow(*part.encoding)) return nothing;
  if (Outcome ok = checkShape(part.question.shape); !ok) return fail(ok.error());
  if (Outcome ok = checkMask(part.question.mask, part.question.shape); !ok) return fail(ok.error());
  const bool generated = isGenerated(spec);
  // Asked for no map at once.
  Expected<Attended> attended = generated ? attendedUnmade(part, which) : attendedBy(part, which, 0, job);
  if (!attended) return fail(attended.error());
  const Encoding<float>& encoding = *attended->encoding;
  if (attended->nothing.en.empty() && !goesRowByRow(encoding)) return nothing;
  if (encoding.rotation)
    if (Outcome ok = checkMagnitudes<float>(*encoding.rotation); !ok) return fail(ok.error());
  std::optional<StreamedAttention> result(StreamedAttention{*std::move(attended), {}});
  Attended& a = result->attended;
  if (!a.nothing.en.empty()) return result;
  HeadSource rows{a, which, readsEmbeddings(*part.encoding)};
  if (!generated) {
    rows.stored = std::make_shared<const Content<float>>(std::exchange(a.content, {}));
    rows.from_x = encoding.input.hasTable() || rows.stored->q.empty();
  }
  if (!fits(rows)) return nothing;
  for (const std::int64_t head : heads) {
    auto field = fieldOf(rows, head, quantity, job);
    if (!field) return fail(field.error());
    result->fields.push_back(*std::move(field));
  }
  return result;
}

Text streamedScope(const Shape& shape, StreamedField::Quantity quantity) {
  const std::string all = readable(static_cast<double>(shape.keys()));
  const std::string most = std::to_string(StreamedField::most_keys);
  const bool weights = quantity == StreamedField::Quantity::weights;
  return {(weights ? "softmax over all " : "all ") + all + " keys; where cells share a pixel, one row and up to " +
              most + " keys of it are sampled",
          (weights ? "对全部 " + all + " 个键作 softmax" : "全部 " + all + " 个键") +
              "；多格共用一个像素时，只取其中一行、至多 " + most + " 个键"};
}

}  // namespace posiscope::measures
