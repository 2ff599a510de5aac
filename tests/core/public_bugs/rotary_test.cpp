// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of rotary encodings – pairs, precision, offsets, axes – that were reported in public code, each with the right
// answer for us.
#include "core/difference.h"
#include "core/measures/derived.h"
#include "core/measures/list.h"
#include "core/models/config.h"
#include "core/models/origin.h"
#include "core/mrope.h"
#include "tests/support/attending.h"
#include "tests/support/rotated.h"
#include "tests/support/scheme_document.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace posiscope {
namespace {

using std::string;
using test::rotationOf;

Shape headShape(std::int64_t head_dim, std::int64_t seq_len = 16) {
  Shape shape;
  shape.seq_len = seq_len;
  shape.num_heads = 1;
  shape.head_dim = head_dim;
  shape.d_model = head_dim;
  return shape;
}

models::Inspection configured(const string& json) {
  models::Inspection inspection;
  const Outcome ok = models::readConfig(json, "config.json", inspection);
  EXPECT_TRUE(ok) << (ok ? "" : ok.error().message.en);
  if (inspection.schemes.empty()) ADD_FAILURE() << "no scheme in " << json;
  inspection.schemes.resize(1);
  return inspection;
}

RotationPart rotationOf(const models::Inspection& inspection) {
  return rotationOf(inspection.schemes[0].id, inspection.schemes[0].values, inspection.shape);
}

/// The columns of adjacent pairs in the order of half-split pairs.
std::vector<double> halfSplit(const std::vector<double>& adjacent) {
  const std::size_t half = adjacent.size() / 2;
  std::vector<double> x(adjacent.size());
  for (std::size_t p = 0; p < half; ++p) {
    x[p] = adjacent[2 * p];
    x[half + p] = adjacent[2 * p + 1];
  }
  return x;
}

// B01: one source repeats c1 c2 c1 c2, another c1 c1 c2 c2; there are two ways to form pairs.
TEST(PublicBugs, bothPairingsAreComputed) {
  const std::vector<std::pair<string, std::vector<double>>> cases{
      {"interleaved", {-1.142639664, 1.922075597, 2.959850668, 4.029799502}},
      {"half", {-1.984110649, 1.959900667, 2.462377902, 4.019799668}}};
  for (const auto& [pairing, expected] : cases) {
    const auto x = test::turned(rotationOf("rope", {{"pairing", pairing}}, headShape(4)), {1, 2, 3, 4}, 1);
    for (std::size_t d = 0; d < 4; ++d) EXPECT_NEAR(x[d], expected[d], 1e-9) << pairing << " " << d;
  }
}

// B02: half-split pairs were called wrong; they are the same up to a fixed order of the dimensions.
TEST(PublicBugs, thePairingsGiveTheSameScoresAfterAPermutation) {
  const RotationPart adjacent = rotationOf("rope", {{"pairing", string("interleaved")}}, headShape(64, 512));
  const RotationPart half = rotationOf("rope", {{"pairing", string("half")}}, headShape(64, 512));
  const auto q = test::normals(64, "q");
  const auto k = test::normals(64, "k");
  for (const std::int64_t i : {0, 1, 7, 100, 511})
    for (const std::int64_t j : {0, 3, 100, 510})
      EXPECT_NEAR(test::scoreOf(adjacent, q, k, i, j), test::scoreOf(half, halfSplit(q), halfSplit(k), i, j), 1e-12);
  EXPECT_GT(std::abs(test::scoreOf(adjacent, q, k, 100, 3) - test::scoreOf(half, q, k, 100, 3)), 0.01)
      << "without it they differ";
}

TEST(PublicBugs, thatNeitherPairingIsWrongIsTaught) {
  EXPECT_NE(test::schemeDocument("rope", "en").find("Neither is wrong: with the dimensions of the head permuted"),
            string::npos);
  EXPECT_NE(test::schemeDocument("rope", "zh").find("两者都没有错：把头的各维按同一方式置换之后"), string::npos);
}

// B04: two libraries disagree because one slices halves; the comparison says so.
TEST(PublicBugs, tablesThatDifferByThePairingAreCalledEqualAfterIt) {
  constexpr std::int64_t rows = 9, width = 8;
  std::vector<double> adjacent, half;
  const RotationPart rotation = rotationOf("rope", {}, headShape(width));
  for (std::int64_t t = 0; t < rows; ++t) {
    const auto row = test::turned(rotation, test::normals(width, "x"), t);
    const auto split = halfSplit(row);
    adjacent.insert(adjacent.end(), row.begin(), row.end());
    half.insert(half.end(), split.begin(), split.end());
  }
  const auto dataset = [](const std::vector<double>& table) {
    Question question;
    question.measure = "position_table";
    question.scheme = {
        "learned", {{"initial", string("file")}, {"table", makeArray({rows, width}, table)}}, "", 0, true};
    question.shape = headShape(width, rows);
    return measures::find(question.measure)->compute(question, Job{}).value();
  };
  const auto said = [&](const std::vector<double>& a, const std::vector<double>& b) {
    const Expected<Dataset> compared = difference(dataset(a), dataset(b));
    return compared && !compared->remarks.empty() ? compared->remarks[0].sentence.en : string{};
  };
  const string reordered = "They are equal after the permutation half-split ↔ adjacent of the columns.";
  EXPECT_EQ(said(adjacent, half), reordered);
  EXPECT_EQ(said(half, adjacent), reordered);
  EXPECT_EQ(said(half, half), "They are equal to five digits.");
  half[10] += 0.1;
  EXPECT_TRUE(said(adjacent, half).starts_with("The first difference is in d = 1;")) << said(adjacent, half);
}

// B05: weights of the original release keep adjacent pairs, converted ones have Q and K permuted.
TEST(PublicBugs, theOriginOfALlamaPicksItsPairs) {
  const models::Inspection converted =
      configured(R"({"model_type":"llama","hidden_size":4096,"num_attention_heads":32,"rope_theta":500000})");
  EXPECT_EQ(rotationOf(converted).pairing, Pairing::half);
  EXPECT_TRUE(converted.reasons[0].en.starts_with("model_type llama → rotary, half-split pairs;"))
      << converted.reasons[0].en;
  const models::Inspection original =
      configured(R"({"dim":4096,"n_layers":32,"n_heads":32,"n_kv_heads":8,"rope_theta":500000.0,"vocab_size":128256})");
  EXPECT_EQ(rotationOf(original).pairing, Pairing::interleaved);
  EXPECT_TRUE(
      original.reasons[0].en.starts_with("dim, n_layers and n_heads, the keys of an original release before "
                                         "conversion → rotary, adjacent pairs; base 500000"))
      << original.reasons[0].en;
  EXPECT_EQ(original.shape.num_kv_heads, 8);
}

TEST(PublicBugs, theOriginCanBeChosenAndNamesWhy) {
  const string llama = R"({"model_type":"llama","hidden_size":4096,"num_attention_heads":32})";
  const std::vector<std::tuple<models::Origin, Pairing, string>> origins{
      {models::Origin::original, Pairing::interleaved, "original weights → adjacent pairs: "},
      {models::Origin::converted, Pairing::half, "converted weights → half-split pairs: "},
      {models::Origin::gguf, Pairing::interleaved, "weights in GGUF → adjacent pairs: "}};
  for (const auto& [origin, pairing, why] : origins) {
    models::Inspection inspection = configured(llama);
    models::setOrigin(inspection, origin);
    EXPECT_EQ(rotationOf(inspection).pairing, pairing) << why;
    EXPECT_TRUE(inspection.reasons.back().en.starts_with(why)) << inspection.reasons.back().en;
    EXPECT_FALSE(inspection.reasons.back().zh.empty());
  }
  // A family with one order of rows stays as it is, and that is said.
  models::Inspection qwen = configured(R"({"model_type":"qwen2","hidden_size":4096,"num_attention_heads":32})");
  models::setOrigin(qwen, models::Origin::gguf);
  EXPECT_EQ(rotationOf(qwen).pairing, Pairing::half);
  EXPECT_TRUE(qwen.notes.back().en.starts_with("the origin gguf changes nothing: ")) << qwen.notes.back().en;
}

// B06: the angle was computed in half precision; a small relative error of a large angle is a large phase.
TEST(PublicBugs, anglesAreExactWhereHalfPrecisionIsNot) {
  using measures::FloatFormat;
  Shape shape = headShape(32, 2);
  shape.first_position = 1857;
  const RotationPart rotation = rotationOf("rope", {}, shape);
  EXPECT_NEAR(rotation.angle(0, 0, 1), 1044.267841, 1e-6);
  // On the screen too, where the numbers are float: the angle is not.
  std::vector<float> x(32, 0.0F);
  x[2] = 1;
  attention::rotate<float>(rotation, 0, 0, false, x, 32);
  EXPECT_NEAR(x[2], 0.306693, 1e-6);
}

/// What the precision measure says of one head of 32.
Dataset simulated(const char* format, std::int64_t first_position, std::int64_t tokens) {
  Question question;
  question.measure = "precision";
  question.options["number_format"] = string(format);
  question.scheme.id = "rope";
  question.shape = headShape(32, tokens);
  question.shape.first_position = static_cast<double>(first_position);
  return measures::find(question.measure)->compute(question, Job{}).value();
}

TEST(PublicBugs, thePrecisionSimulatorShowsBothAngles) {
  const Dataset dataset = simulated("float16", 0, 1858);
  const Map& map = dataset.maps.at(0);
  EXPECT_EQ(map.term(1857, 1), "1044.27 → 1\u202f045, cos 0.306693 → \u22120.408165");
  EXPECT_NEAR(map.field->at(1857, 1), 1045 - 1044.267841, 1e-6);
}

// B07: positions share a number beyond 256 in bfloat16.
TEST(PublicBugs, roundingOfPositionsIsThatOfTheFormats) {
  using measures::FloatFormat;
  const std::vector<double> bf16{255, 256, 256, 258, 260};
  for (std::size_t n = 0; n < bf16.size(); ++n)
    EXPECT_EQ(measures::rounded(255.0 + static_cast<double>(n), FloatFormat::bf16), bf16[n]) << 255 + n;
  EXPECT_EQ(measures::rounded(2049, FloatFormat::fp16), 2048);
  EXPECT_EQ(measures::rounded(65519, FloatFormat::fp16), 65504);
  EXPECT_TRUE(std::isinf(measures::rounded(65520, FloatFormat::fp16)));
  // The simulator says where it begins.
  const auto shared = [](const char* format, std::int64_t first) {
    const Dataset dataset = simulated(format, first, 16);
    return dataset.remarks.empty() ? string{} : dataset.remarks.back().sentence.en;
  };
  EXPECT_TRUE(shared("bfloat16", 250).starts_with("In bfloat16 position 257 becomes 256: ")) << shared("bfloat16", 250);
  EXPECT_TRUE(shared("float16", 2040).starts_with("In float16 position 2\u202f049 becomes 2\u202f048: "))
      << shared("float16", 2040);
  EXPECT_EQ(shared("float32", 250).find("becomes"), string::npos);
}

// B09: a table that grows was built again in the precision of the moment.
TEST(PublicBugs, aLongerSequenceKeepsItsFirstRows) {
  const auto table = [](std::int64_t length) {
    Question question;
    question.measure = "position_table";
    question.scheme.id = "rope";
    question.shape = headShape(64, length);
    return measures::find(question.measure)->compute(question, Job{}).value();
  };
  const Dataset small = table(1000);
  const Dataset large = table(5000);
  for (const std::size_t map : {0, 1}) {
    ASSERT_TRUE(small.maps[map].field->stored() && large.maps[map].field->stored());
    EXPECT_TRUE(std::equal(small.maps[map].field->stored(), small.maps[map].field->stored() + 1000 * 32,
                           large.maps[map].field->stored()))
        << small.maps[map].key;
  }
  const auto added = [](std::int64_t length) { return test::encoded<float>("sinusoidal", {}, headShape(64, length)); };
  const std::vector<float> first = added(1000).input.table.values;
  const std::vector<float> longer = added(5000).input.table.values;
  EXPECT_TRUE(std::equal(first.begin(), first.end(), longer.begin()));
}

// B11: a cache knew the length only and answered another offset with the first one's table.
TEST(PublicBugs, anotherOffsetIsAnotherTable) {
  Shape shape = headShape(16, 8);
  const RotationPart plain = rotationOf("rope", {}, shape);
  shape.first_position = 5;
  const RotationPart moved = rotationOf("rope", {}, shape);
  for (std::int64_t p = 0; p < 8; ++p) EXPECT_EQ(moved.angle(0, 0, p), plain.angle(0, 5, p)) << p;
  EXPECT_NE(moved.angle(0, 0, 0), plain.angle(0, 0, 0));
}

// B12: every generated token was given position 0, because only the present chunk was counted.
TEST(PublicBugs, generatedTokensCountOnFromThePrompt) {
  const Shape prompt = headShape(8, 9);
  const Content<double> whole = test::randomContent<double>(prompt);
  const Encoding<double> encoding = test::encoded("rope", {}, prompt);
  Mask causal;
  causal.causal = true;
  attention::Wanted logits;
  logits.logits = true;
  const auto full = test::attending(encoding, whole, causal, prompt, logits);
  for (const std::int64_t length : {7, 8, 9}) {  // a prompt of 6, then single steps
    Shape step = headShape(8, length);
    step.seq_len_q = 1;
    const Encoding<double> one = test::encoded("rope", {}, step);
    EXPECT_EQ(one.rotation->position[static_cast<std::size_t>(step.queryOffset())], static_cast<double>(length - 1));
    Content<double> cached;
    cached.q.assign(whole.q.begin() + (length - 1) * 8, whole.q.begin() + length * 8);
    cached.k.assign(whole.k.begin(), whole.k.begin() + length * 8);
    const auto last = test::attending(one, cached, causal, step, logits);
    for (std::int64_t j = 0; j < length; ++j)
      EXPECT_NEAR(last.logits[static_cast<std::size_t>(j)], full.logits[static_cast<std::size_t>((length - 1) * 9 + j)],
                  1e-12)
          << length << " " << j;
  }
}

// B14: the head's width came from a division although the configuration gives it.
TEST(PublicBugs, headDimOfTheConfigurationCounts) {
  const RotationPart rotation = rotationOf(configured(
      R"({"model_type":"qwen3","hidden_size":1024,"num_attention_heads":16,"head_dim":128,"rope_theta":1000000})"));
  ASSERT_EQ(rotation.pairs(), 64);
  EXPECT_NEAR(rotation.frequencyOf(0, 0, 63) / std::pow(1e6, -126.0 / 128.0), 1.0, 1e-12);
}

// B15: height and width were exchanged, which only a rectangle shows.
TEST(PublicBugs, aRectangleHasAsManyAnglesAsRowsAndColumns) {
  Shape shape = headShape(8, 6);
  shape.grid_height = 2;
  shape.grid_width = 3;
  const RotationPart rotation = rotationOf("rope_2d", {}, shape);
  ASSERT_EQ(rotation.axes, 2);
  for (std::int64_t p = 0; p < rotation.pairs(); ++p) {
    std::set<double> angles;
    for (std::int64_t t = 0; t < 6; ++t) angles.insert(rotation.angle(0, t, p));
    const bool by_row = rotation.frequencyOf(0, 0, p) != 0;
    EXPECT_EQ(angles.size(), by_row ? 2u : 3u) << "pair " << p;
  }
}

// B18: blocks of axes were used where the model interleaves them.
TEST(PublicBugs, sectionsStandInBlocksOrInterleave) {
  const auto strip = [](MropeMode mode) {
    string text;
    const auto axes = axisOfPairs("mrope", {24, 20, 20}, mode, 64);
    if (!axes) ADD_FAILURE() << axes.error().message.en;
    for (const std::int64_t axis : axes.value_or(std::vector<std::int64_t>{})) text += "THW"[axis];
    return text;
  };
  string interleaved;
  for (int n = 0; n < 20; ++n) interleaved += "THW";
  EXPECT_EQ(strip(MropeMode::interleaved), interleaved + "TTTT");
  EXPECT_EQ(strip(MropeMode::chunked), string(24, 'T') + string(20, 'H') + string(20, 'W'));
  const ParamValues sections{{"sections", std::vector<double>{24, 20, 20}}};
  ParamValues mixed = sections;
  mixed["mode"] = string("interleaved");
  const RotationPart blocks = rotationOf("mrope", sections, headShape(128, 32));
  const RotationPart woven = rotationOf("mrope", mixed, headShape(128, 32));
  for (std::int64_t t = 0; t < 32; ++t)
    for (std::int64_t p = 0; p < 64; ++p) ASSERT_EQ(blocks.angle(0, t, p), woven.angle(0, t, p)) << "text is text";
}

// B19: the type said "default", so the sections were not read.
TEST(PublicBugs, sectionsMakeADefaultTypeMultiAxis) {
  const models::Inspection inspection =
      configured(R"({"model_type":"qwen3_vl_text","hidden_size":256,"num_attention_heads":2,"head_dim":128,
    "rope_scaling":{"rope_type":"default","mrope_section":[24,20,20],"mrope_interleaved":true}})");
  EXPECT_EQ(inspection.schemes[0].id, "mrope");
  EXPECT_NE(inspection.reasons[0].en.find("sections of time, height and width from rope_scaling.mrope_section"),
            string::npos);
  ParamValues values = inspection.schemes[0].values;
  values["segments"] = std::vector<double>{5, 0, 0, 1, 2, 2};
  Shape shape = inspection.shape;
  shape.seq_len = 10;
  const RotationPart rotation = rotationOf("mrope", values, shape);
  const std::vector<double> expected{0, 1, 2, 3, 4, 5, 5, 5, 5, 7,   // time
                                     0, 1, 2, 3, 4, 5, 5, 6, 6, 7,   // height
                                     0, 1, 2, 3, 4, 5, 6, 5, 6, 7};  // width
  EXPECT_EQ(rotation.position, expected);
}

}  // namespace
}  // namespace posiscope
