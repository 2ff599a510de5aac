// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/vocabulary.h"

#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/token_text.h"

#include <filesystem>

namespace posiscope::transformers {
namespace {

using nlohmann::json;

constexpr std::uint64_t largest_file = 64u << 20;  // the largest tokenizer.json we know has half of that
constexpr std::int64_t most_tokens = 1 << 22;

tl::unexpected<Error> refuseIn(const std::string& path, const char* field, const Text& allowed, const Text& found) {
  return files::refuse(ErrorCode::file_format, path, files::same(field), allowed, found);
}

class VocabularyReader {
 public:
  explicit VocabularyReader(const std::string& path) : path_(path) {}

  Expected<Vocabulary> read(const json& root) {
    const json* model =
        root.is_object() && root.contains("model") && root["model"].is_object() ? &root["model"] : nullptr;
    const json& vocab = model && model->contains("vocab") ? (*model)["vocab"] : root;
    Outcome ok = vocab.is_array() ? readList(vocab) : readObject(vocab);
    if (ok && model && root.contains("added_tokens")) ok = readAdded(root["added_tokens"]);
    if (!ok) return fail(ok.error());
    return std::move(tokens_);
  }

 private:
  Outcome put(const json& id, const std::string& token) {
    const bool whole = id.is_number_integer() &&
                       (id.is_number_unsigned() ? id.get<std::uint64_t>() < std::uint64_t{most_tokens}
                                                : id.get<std::int64_t>() >= 0 && id.get<std::int64_t>() < most_tokens);
    if (!whole)
      return refuseIn(path_, "a token's id",
                      {join("a whole number below ", most_tokens), join("小于 ", most_tokens, " 的整数")},
                      files::same(files::shown(id)));
    const auto at = id.get<std::size_t>();
    if (at >= tokens_.size()) tokens_.resize(at + 1);
    tokens_[at] = token;
    return {};
  }
  Outcome readObject(const json& vocab) {
    if (!vocab.is_object())
      return refuseIn(path_, "model.vocab", {"an object of tokens and ids, or a list", "由词元与编号组成的对象或列表"},
                      files::same(files::shown(vocab)));
    for (const auto& [token, id] : vocab.items())
      if (Outcome ok = put(id, token); !ok) return ok;
    return {};
  }
  /// Unigram models list [token, score] in the order of the ids.
  Outcome readList(const json& vocab) {
    for (const json& entry : vocab) {
      const json& token = entry.is_array() && !entry.empty() ? entry[0] : entry;
      if (!token.is_string() || static_cast<std::int64_t>(tokens_.size()) >= most_tokens)
        return refuseIn(path_, "model.vocab", {"a list of tokens with scores", "带分数的词元列表"},
                        files::same(files::shown(entry)));
      tokens_.push_back(token.get<std::string>());
    }
    return {};
  }
  Outcome readAdded(const json& added) {
    if (!added.is_array())
      return refuseIn(path_, "added_tokens", {"a list", "一个列表"}, files::same(files::shown(added)));
    for (const json& entry : added) {
      if (!entry.is_object() || !entry.contains("id") || !entry.contains("content") || !entry["content"].is_string())
        return refuseIn(path_, "added_tokens", {"objects with id and content", "含 id 与 content 的对象"},
                        files::same(files::shown(entry)));
      if (Outcome ok = put(entry["id"], entry["content"].get<std::string>()); !ok) return ok;
    }
    return {};
  }

  const std::string& path_;
  Vocabulary tokens_;
};

Expected<Vocabulary> linesOf(const std::string& text, const std::string& path) {
  if (!files::isUtf8(text))
    return refuseIn(path, "the content", {"text in UTF-8", "UTF-8 文本"}, {"other bytes", "其他字节"});
  Vocabulary tokens;
  for (std::size_t begin = text.size() - withoutMark(text).size(); begin < text.size();) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    std::string line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();
    tokens.push_back(std::move(line));
    begin = end + 1;
  }
  return tokens;
}

}  // namespace

Expected<Vocabulary> readVocabulary(const std::string& path) {
  const Expected<std::string> text = files::readText(path, largest_file);
  if (!text) return fail(text.error());
  return parseVocabulary(*text, path);
}

Expected<Vocabulary> parseVocabulary(const std::string& text, const std::string& path) {
  if (!path.ends_with(".json")) return linesOf(text, path);
  const Expected<files::JsonText> parsed = files::parseJson(text, path);
  if (!parsed) return fail(parsed.error());
  return VocabularyReader(path).read(parsed->root);
}

Expected<Vocabulary> vocabularyBeside(const std::string& folder) {
  for (const char* name : {"tokenizer.json", "vocab.json", "vocab.txt"}) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code error;
    if (std::filesystem::exists(path, error)) return readVocabulary(path.string());
  }
  return Vocabulary{};
}

std::vector<Text> vocabularyNotes(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const std::string folder = fs::is_directory(path, error) ? path : fs::path(path).parent_path().string();
  const Expected<Vocabulary> vocabulary = vocabularyBeside(folder);
  if (vocabulary) return {};
  const Text& why = vocabulary.error().message;
  return {{why.en + "; the tokens are written as their ids", why.zh + "；词元以编号表示"}};
}

std::vector<std::string> labelsOf(const Vocabulary& vocabulary, std::span<const std::int64_t> tokens) {
  std::vector<std::string> labels;
  for (const std::int64_t token : tokens) {
    const auto at = static_cast<std::size_t>(token);
    const bool known = token >= 0 && at < vocabulary.size() && !vocabulary[at].empty();
    labels.push_back(known ? vocabulary[at] : std::to_string(token));
  }
  return labels;
}

}  // namespace posiscope::transformers
