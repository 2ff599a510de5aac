// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model_content.h"

#include "core/carried_models.h"
#include "core/files/refusal.h"
#include "core/random.h"
#include "core/token_order.h"
#include "core/transformers/families.h"
#include "core/transformers/tokens.h"
#include "core/transformers/vocabulary.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <span>

namespace posiscope {
namespace {

using ModelPtr = std::shared_ptr<const transformers::Model>;

/// When the folder's files were last written: a model that was changed on disk is opened anew.
std::filesystem::file_time_type newest(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::is_directory(path, error) ? fs::path(path) : fs::path(path).parent_path();
  fs::file_time_type time{};
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    time = std::max(time, entry.last_write_time(error));
  return time;
}

/// The models opened lately; opening maps the weights and reads the tables that carry position.
class OpenModels {
 public:
  Expected<ModelPtr> get(const std::string& path, const Job& job) {
    const auto written = newest(path);
    const std::lock_guard lock(mutex_);
    const auto known =
        std::ranges::find_if(open_, [&](const Entry& e) { return e.path == path && e.written == written; });
    if (known != open_.end()) return known->model;
    Expected<transformers::Model> model = transformers::openModel(path, job);
    if (!model) return fail(model.error());
    std::erase_if(open_, [&](const Entry& e) { return e.path == path; });
    if (open_.size() >= most_open) open_.erase(open_.begin());
    open_.push_back({path, written, std::make_shared<const transformers::Model>(*std::move(model))});
    return open_.back().model;
  }

 private:
  static constexpr std::size_t most_open = 2;  // one to look at, one to come back to

  struct Entry {
    std::string path;
    std::filesystem::file_time_type written;
    ModelPtr model;
  };
  std::mutex mutex_;
  std::vector<Entry> open_;
};

Outcome checkFits(const Shape& shape, const transformers::Model& model) {
  const Shape& own = model.shape;
  const auto check = [&](Text what, std::int64_t asked, std::int64_t found) -> Outcome {
    if (asked == found) return {};
    return fail(ErrorCode::bad_shape,
                join("content: ", what.en, " of the model ", model.path, " is ", found, ", the shape asks for ", asked),
                join("内容：模型 ", model.path, " 的", what.zh, "为 ", found, "，而形状要求 ", asked));
  };
  if (Outcome ok = check({"num_heads", "头数 num_heads"}, shape.num_heads, own.num_heads); !ok) return ok;
  if (Outcome ok = check({"num_kv_heads", "键值头数 num_kv_heads"}, shape.kvHeads(), own.kvHeads()); !ok) return ok;
  if (Outcome ok = check({"head_dim", "头宽 head_dim"}, shape.head_dim, own.head_dim); !ok) return ok;
  if (Outcome ok = check({"d_model", "模型宽度 d_model"}, shape.d_model, own.d_model); !ok) return ok;
  if (shape.layer < own.num_layers) return {};
  return fail(
      ErrorCode::out_of_range,
      join("content: layer must be 0 to ", own.num_layers - 1, " in the model ", model.path, ", got ", shape.layer),
      join("内容：模型 ", model.path, " 的层号必须在 0 到 ", own.num_layers - 1, " 之间，得到 ", shape.layer));
}

}  // namespace

bool isModelMissing(const ContentSpec& content) {
  std::error_code error;
  return content.source == ContentSource::model && !content.model.empty() &&
         !std::filesystem::exists(carriedPlace(content.model), error);
}

Error missingModel(const std::string& folder) {
  const std::string name = files::escaped(folder, 4096);
  return {ErrorCode::file_missing,
          {join("content: the model folder ", name, " is not there"), join("内容：模型文件夹 ", name, " 不存在")}};
}

Expected<ModelPtr> contentModel(const ContentSpec& content, const Job& job) {
  if (content.model.empty())
    return fail(ErrorCode::bad_value,
                "content: no model is named; open a folder with config.json and its .safetensors weights",
                "内容：没有指定模型；请打开包含 config.json 与 .safetensors 权重的文件夹");
  const std::string folder = carriedPlace(content.model);
  std::error_code error;
  if (!std::filesystem::exists(folder, error)) return fail(missingModel(content.model));
  static OpenModels open;
  return open.get(folder, job);
}

namespace {

/// What the model was trained on, in the content's order; the seed is the number of the example.
std::vector<std::int64_t> exampleTokens(const ContentSpec& content, const transformers::Model& model,
                                        std::int64_t count) {
  if (!model.examples) return {};
  const std::vector<std::int64_t> drawn = model.examples(static_cast<std::uint64_t>(content.seed), count);
  std::vector<std::int64_t> ids;
  if (std::ssize(drawn) < count) return ids;
  const TokensInOrder order(content.token_order, count, content.repeat_after, content.seed);
  for (std::int64_t place = 0; place < count; ++place) ids.push_back(drawn[static_cast<std::size_t>(order.at(place))]);
  return ids;
}

}  // namespace

bool canRunModel(std::string_view model_type) {
  return std::ranges::find(transformers::families(), model_type, &transformers::Family::type) !=
         transformers::families().end();
}

Expected<std::vector<std::int64_t>> contentTokens(const ContentSpec& content, const transformers::Model& model,
                                                  std::int64_t count) {
  std::vector<std::int64_t> ids;
  if (!content.token_file.empty()) {
    for (const double id : *content.token_file.values) ids.push_back(static_cast<std::int64_t>(id));
  } else if (!content.token_ids.empty()) {
    auto typed = transformers::parseIds(content.token_ids, "content");
    if (!typed) return typed;
    ids = *std::move(typed);
  }
  if (ids.empty()) ids = exampleTokens(content, model, count);
  if (ids.empty()) {
    const Stream stream(static_cast<std::uint64_t>(content.seed), "content/tokens");
    const TokensInOrder order(content.token_order, count, content.repeat_after, content.seed);
    for (std::int64_t place = 0; place < count; ++place)
      ids.push_back(static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(model.plan.vocabulary()),
                                                           static_cast<std::uint64_t>(order.at(place)), 0)));
  }
  if (std::ssize(ids) < count)
    return fail(ErrorCode::bad_shape, join("content: ", ids.size(), " token ids are given, ", count, " tokens are asked for"),
                join("内容：只给出 ", ids.size(), " 个词元编号，而需要 ", count, " 个词元"));
  ids.resize(static_cast<std::size_t>(count));
  return ids;
}

namespace {

std::int64_t segmentKinds(const transformers::Model& model) {
  return model.plan.segments.empty() ? 1 : model.plan.segments.shape[0];
}

Outcome checkSegments(const std::vector<std::int64_t>& ids, const transformers::Model& model) {
  const std::int64_t kinds = segmentKinds(model);
  const auto wrong = std::ranges::find_if(ids, [kinds](std::int64_t id) { return id < 0 || id >= kinds; });
  if (wrong == ids.end()) return {};
  if (model.plan.segments.empty())
    return fail(
        ErrorCode::not_supported,
        join("content: the model ", model.path, " has no segments, so every token must be of segment 0, got ", *wrong),
        join("内容：模型 ", model.path, " 没有段，因此每个词元都必须属于第 0 段，得到 ", *wrong));
  return fail(ErrorCode::out_of_range,
              join("content: a segment of the model ", model.path, " must be 0 to ", kinds - 1, ", got ", *wrong),
              join("内容：模型 ", model.path, " 的段编号必须在 0 到 ", kinds - 1, " 之间，得到 ", *wrong));
}

}  // namespace

Expected<std::vector<std::int64_t>> contentSegments(const ContentSpec& content, const transformers::Model& model,
                                                    std::int64_t count) {
  std::vector<std::int64_t> ids;
  if (!content.segment_file.empty()) {
    ids.assign(content.segment_file.values->begin(), content.segment_file.values->end());
  } else if (!content.segment_ids.empty()) {
    auto typed = transformers::parseIds(content.segment_ids, "content");
    if (!typed) return typed;
    ids = *std::move(typed);
  } else if (content.second_segment > 0 && content.second_segment < count) {
    ids.assign(static_cast<std::size_t>(count), 1);
    std::fill_n(ids.begin(), content.second_segment, 0);
  }
  if (ids.empty()) return ids;
  if (std::ssize(ids) < count)
    return fail(ErrorCode::bad_shape, join("content: ", ids.size(), " segment ids are given, ", count, " tokens are asked for"),
                join("内容：只给出 ", ids.size(), " 个段编号，而需要 ", count, " 个词元"));
  ids.resize(static_cast<std::size_t>(count));
  if (Outcome ok = checkSegments(ids, model); !ok) return fail(ok.error());
  if (std::ranges::all_of(ids, [](std::int64_t id) { return id == 0; })) ids.clear();
  return ids;
}

bool showsExample(const ContentSpec& content, std::int64_t count) {
  if (!content.token_file.empty() || !content.token_ids.empty()) return false;
  const Expected<ModelPtr> model = contentModel(content, Job());
  return model && !exampleTokens(content, **model, count).empty();
}

std::vector<std::string> modelTokenLabels(const ContentSpec& content, const Shape& shape) {
  const Expected<ModelPtr> model = contentModel(content, Job());
  if (!model) return {};
  const auto tokens = contentTokens(content, **model, shape.keys());
  if (!tokens) return {};
  // Without a vocabulary, or with one that cannot be read, the ids are what there is to read.
  const Expected<transformers::Vocabulary> vocabulary = transformers::vocabularyBeside((*model)->path);
  return transformers::labelsOf(vocabulary ? *vocabulary : transformers::Vocabulary{}, *tokens);
}

Expected<ModelRun> modelRun(const Question& question, const Job& job, std::int64_t length) {
  const Expected<ModelPtr> opened = contentModel(question.content, job);
  if (!opened) return fail(opened.error());
  if (Outcome ok = checkFits(question.shape, **opened); !ok) return fail(ok.error());
  if (question.shape.queries() != question.shape.keys())
    return fail(ErrorCode::not_supported, "content: a model runs on all tokens, so seq_len_q must be that of the keys",
                "内容：模型在全部词元上运行，因此 seq_len_q 必须与键的长度相同");
  auto tokens = contentTokens(question.content, **opened, question.shape.keys());
  if (!tokens) return fail(tokens.error());
  auto segments = contentSegments(question.content, **opened, question.shape.keys());
  if (!segments) return fail(segments.error());
  ModelRun run{**opened, {*std::move(tokens), *std::move(segments), question.mask.key_padding, length}};
  transformers::Model& model = run.model;
  model.scheme = question.scheme;
  model.shape.first_position = question.shape.first_position;
  model.shape.grid_height = question.shape.grid_height;
  model.shape.grid_width = question.shape.grid_width;
  model.mask = question.mask;
  model.train_length = question.train_length;
  return run;
}

template <class T>
Expected<transformers::Trace<T>> runModel(const Question& question, const transformers::Wanted& wanted, const Job& job,
                                          std::int64_t length) {
  const Expected<ModelRun> run = modelRun(question, job, length);
  if (!run) return fail(run.error());
  return transformers::run<T>(run->model, run->prompt, wanted, job);
}

template Expected<transformers::Trace<float>> runModel(const Question&, const transformers::Wanted&, const Job&,
                                                       std::int64_t);
template Expected<transformers::Trace<double>> runModel(const Question&, const transformers::Wanted&, const Job&,
                                                        std::int64_t);

Expected<SegmentNorms> modelSegmentNorms(const ContentSpec& content, std::int64_t count) {
  const Expected<ModelPtr> opened = contentModel(content, Job());
  if (!opened) return fail(opened.error());
  SegmentNorms norms;
  auto tokens = contentSegments(content, **opened, count);
  if (!tokens) return fail(tokens.error());
  const transformers::StoredTensor& segments = (*opened)->plan.segments;
  if (segments.empty()) return norms;
  norms.tokens = *std::move(tokens);
  norms.tokens.resize(static_cast<std::size_t>(count));  // all of segment 0 where none is given
  const Expected<transformers::TensorView> view = segments.view();
  if (!view) return fail(view.error());
  std::vector<double> row(static_cast<std::size_t>((*opened)->shape.d_model));
  for (std::int64_t kind = 0; kind < segments.shape[0]; ++kind) {
    view->read(kind, 0, std::span(row));
    norms.rows.push_back(std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0)));
  }
  return norms;
}

Expected<Table<float>> modelEmbeddings(const ContentSpec& content, const Shape& shape) {
  const Expected<ModelPtr> opened = contentModel(content, Job());
  if (!opened) return fail(opened.error());
  if (Outcome ok = checkFits(shape, **opened); !ok) return fail(ok.error());
  const auto tokens = contentTokens(content, **opened, shape.keys());
  if (!tokens) return fail(tokens.error());
  if (Outcome ok = transformers::checkPrompt(**opened, {*tokens, {}, {}}); !ok) return fail(ok.error());
  const Expected<transformers::TensorView> view = (*opened)->plan.words.view();
  if (!view) return fail(view.error());
  Table<float> x{shape.keys(), shape.d_model, {}};
  if (Outcome ok = checkMemory("content: x", sizeof(float) * static_cast<double>(x.rows) * static_cast<double>(x.cols));
      !ok)
    return fail(ok.error());
  x.values.resize(static_cast<std::size_t>(x.rows * x.cols));
  for (std::int64_t t = 0; t < x.rows; ++t) {
    const std::int64_t token = (*tokens)[static_cast<std::size_t>(t)];
    view->read(token, 0, x.row(t));
    if (const double factor = (*opened)->plan.wordFactor(token); factor != 1)
      for (float& v : x.row(t)) v = static_cast<float>(static_cast<double>(v) * factor);
  }
  return x;
}

}  // namespace posiscope
