// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure.h"
#include "core/transformers/forward.h"

#include <memory>
#include <string_view>

namespace posiscope {

// The content `model`: a trained model runs on tokens, with the question's scheme in place of its own, and the layer of
// the shape gives queries, keys and attention.

/// The model of a content; the ones used last stay open. Errors: bad_value where none is named; those of `openModel`;
/// file_missing where the folder is not there.
Expected<std::shared_ptr<const transformers::Model>> contentModel(const ContentSpec& content, const Job& job);

/// Does the content run a model whose folder is not there? Whoever opens a session asks for it then.
bool isModelMissing(const ContentSpec& content);
/// The refusal of such a model: "content: the model folder /models/tiny is not there".
Error missingModel(const std::string& folder);

/// Can a model with weights of this type be run at all? Its files may still be refused.
bool canRunModel(std::string_view model_type);

/// The first `count` token ids: the given ones, else those of an example of what the model was trained on, where it says
/// so, else ids drawn from the seed; the latter two in the content's token order. Errors:
/// bad_shape when fewer are given; bad_value for a typed list that is none.
Expected<std::vector<std::int64_t>> contentTokens(const ContentSpec& content, const transformers::Model& model,
                                                  std::int64_t count);

/// Which segment each of the `count` tokens is of; empty where all are of segment 0 of a model, or it has none. Errors:
/// bad_shape when fewer are given; bad_value for a typed list that is none; not_supported where segments are given to a
/// model without; out_of_range for a segment that it has not.
Expected<std::vector<std::int64_t>> contentSegments(const ContentSpec& content, const transformers::Model& model,
                                                    std::int64_t count);

/// The question's model as it runs, and what it is given. `length`: as of `runModel`.
struct ModelRun {
  transformers::Model model;
  transformers::Prompt prompt;
};
/// Errors: those of the content; bad_shape where heads, widths or layers of the shape are not the model's.
Expected<ModelRun> modelRun(const Question& question, const Job& job, std::int64_t length = 0);

/// Are the tokens, where none are given, an example of what the model was trained on? Not where the model cannot be had.
bool showsExample(const ContentSpec& content, std::int64_t count);

/// What is written for each token by the vocabulary beside the model, else its id; empty when it cannot be had: whoever
/// runs the model says why.
std::vector<std::string> modelTokenLabels(const ContentSpec& content, const Shape& shape);

/// Runs the question's model with its scheme, first position, mask and tokens as far as `wanted` needs. `length`: tokens
/// of the sequence that the question's are the first of, 0 = no others follow. Errors: those above and of the run;
/// bad_shape where heads, widths or layers of the shape are not the model's.
template <class T = float>
Expected<transformers::Trace<T>> runModel(const Question& question, const transformers::Wanted& wanted, const Job& job,
                                          std::int64_t length = 0);

/// What a model adds to its tokens for their segments.
struct SegmentNorms {
  std::vector<double> rows;          ///< length of the row of each kind; empty where the model has no segments
  std::vector<std::int64_t> tokens;  ///< which kind each token is of, [count]; empty with `rows`
};
/// Of the first `count` tokens. Errors: those of the model and of `contentSegments`.
Expected<SegmentNorms> modelSegmentNorms(const ContentSpec& content, std::int64_t count);

/// The words' rows of the model's own table for its tokens, [seq_len, d_model]. Errors: as `runModel`.
Expected<Table<float>> modelEmbeddings(const ContentSpec& content, const Shape& shape);

}  // namespace posiscope
