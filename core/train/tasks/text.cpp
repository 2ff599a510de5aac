// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "core/train/tasks/list.h"

#include <array>
#include <memory>
#include <string_view>

namespace posiscope::train::tasks {
namespace {

constexpr std::uint64_t corpus_seed = 5;
constexpr std::int64_t corpus_sentences = 2400;
constexpr std::uint64_t largest_file = 256u << 20;

/// The next byte of a text: the first nine tenths train, the rest evaluates.
class CharacterText : public Task {
 public:
  explicit CharacterText(const std::string& bytes) {
    std::array<std::int32_t, 256> number{};
    for (const char c : bytes) number[static_cast<unsigned char>(c)] = 1;
    for (std::int32_t& n : number) n = n == 1 ? vocab_++ : -1;
    tokens_.reserve(bytes.size());
    for (std::size_t byte = 0; byte < number.size(); ++byte)
      if (number[byte] >= 0) bytes_.push_back(static_cast<std::uint8_t>(byte));
    for (const char c : bytes) tokens_.push_back(static_cast<std::uint8_t>(number[static_cast<unsigned char>(c)]));
    cut_ = static_cast<std::int64_t>(tokens_.size() * 9 / 10);
  }

  std::int64_t vocab() const override { return vocab_; }
  /// White space as the signs people know for it; what is no character alone as byte tokens are written elsewhere.
  std::string label(std::int64_t token) const override {
    const std::uint8_t byte = bytes_.at(static_cast<std::size_t>(token));
    if (byte == ' ') return "␣";
    if (byte == '\n') return "⏎";
    if (byte > ' ' && byte < 0x7F) return std::string(1, static_cast<char>(byte));
    constexpr std::string_view digits = "0123456789ABCDEF";
    return std::string("<0x") + digits[byte >> 4] + digits[byte & 15] + '>';
  }

  Outcome check(const TaskSize& size, Split split) const override {
    const auto [low, high] = range(split);
    if (high - low > size.length) return {};
    return fail(ErrorCode::out_of_range,
                join("text: a sequence of ", size.length, " and the byte after it need more than the ", high - low,
                     split == Split::train ? " bytes to train on" : " bytes to evaluate on"),
                join("text：长度为 ", size.length, " 的序列连同其后一个字节超出了",
                     split == Split::train ? "用于训练的 " : "用于评估的 ", high - low, " 个字节"));
  }
  void fill(Split split, Draws draws, const TaskSize& size, std::span<std::int32_t> tokens,
            std::span<std::int32_t> targets) const override {
    const auto [low, high] = range(split);
    const auto start = static_cast<std::size_t>(low + draws.below(high - low - size.length));
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      tokens[t] = tokens_[start + t];
      targets[t] = tokens_[start + t + 1];
    }
  }

 private:
  std::pair<std::int64_t, std::int64_t> range(Split split) const {
    return split == Split::train ? std::pair{std::int64_t{0}, cut_}
                                 : std::pair{cut_, static_cast<std::int64_t>(tokens_.size())};
  }

  std::vector<std::uint8_t> tokens_;
  std::vector<std::uint8_t> bytes_;  ///< of each token
  std::int32_t vocab_ = 0;
  std::int64_t cut_ = 0;
};

}  // namespace

Made textOf(std::string bytes) {
  if (bytes.empty()) return fail(ErrorCode::out_of_range, "text: there is no byte in it", "text：其中没有任何字节");
  return std::make_shared<CharacterText>(bytes);
}

Made text(const TaskSpec& spec) {
  if (spec.file.empty()) return textOf(corpusText(corpus_seed, corpus_sentences));
  Expected<std::string> bytes = files::readText(spec.file, largest_file);
  if (!bytes) return fail(bytes.error());
  return textOf(std::move(*bytes));
}

}  // namespace posiscope::train::tasks
