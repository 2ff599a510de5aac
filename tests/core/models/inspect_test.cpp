// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model.h"
#include "core/models/weights.h"
#include "core/schemes/list.h"
#include "tests/support/safetensors_bytes.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <filesystem>
#include <limits>

namespace posiscope::models {
namespace {

using test::safetensorsBytes;

bool has(const std::vector<Text>& texts, const std::string& part) {
  return std::ranges::any_of(texts,
                             [&](const Text& t) { return t.en.find(part) != std::string::npos && !t.zh.empty(); });
}

class InspectTest : public testing::Test {
 protected:
  Inspection look(const std::string& name) {
    const auto result = inspect(folder.file(name));
    EXPECT_TRUE(result) << (result ? "" : result.error().message.en);
    return result ? *result : Inspection{};
  }
  ErrorCode refusal(const std::string& name) {
    const auto result = inspect(folder.file(name));
    EXPECT_FALSE(result) << name;
    if (result) return ErrorCode::cancelled;
    EXPECT_TRUE(result.error().message.en.starts_with(folder.path())) << result.error().message.en;
    return result.error().code;
  }
  /// One U8 tensor of these dimensions, all 7.
  void tensor(const std::string& file, const std::string& name, int rows, int cols) {
    const std::string size = std::to_string(rows * cols);
    folder.write(file, safetensorsBytes("{\"" + name + "\":{\"dtype\":\"U8\",\"shape\":[" + std::to_string(rows) + "," +
                                            std::to_string(cols) + "],\"data_offsets\":[0," + size + "]}}",
                                        std::string(static_cast<std::size_t>(rows * cols), '\7')));
  }

  test::TemporaryFolder folder;
};

const std::string gpt2 = R"({"model_type":"gpt2","n_embd":4,"n_head":2,"n_positions":6})";

TEST_F(InspectTest, theTableInTheFileReplacesADrawnOne) {
  folder.write("m/config.json", gpt2);
  tensor("m/model.safetensors", "transformer.wpe.weight", 6, 4);
  const Inspection i = look("m");
  EXPECT_EQ(i.kind, "model folder");
  EXPECT_EQ(i.positional, std::vector<std::string>{"transformer.wpe.weight"});
  ASSERT_EQ(i.schemes.size(), 1u);
  EXPECT_EQ(i.schemes[0].values.at("initial"), Value(std::string("file")));
  const Array& table = std::get<Array>(i.schemes[0].values.at("table"));
  EXPECT_EQ(table,
            makeArray({6, 4}, std::vector<double>(24, 7), folder.file("m/model.safetensors#transformer.wpe.weight")));
  EXPECT_TRUE(has(i.reasons, "tensor transformer.wpe.weight (6, 4): learned table of GPT-2"));
  ASSERT_EQ(i.notes.size(), 1u);
  EXPECT_TRUE(has(i.notes, "not floating point")) << "these are bytes";
  EXPECT_TRUE(schemes::find("learned")->check(i.schemes[0].values, i.shape));
  EXPECT_EQ(look("m/model.safetensors").schemes, i.schemes) << "the config beside it tells the same";
  EXPECT_EQ(look("m/config.json").tensors.size(), 0u);
}

TEST_F(InspectTest, aFolderOfModelsNamesThem) {
  folder.write("runs/02-rope-seed1/config.json", gpt2);
  folder.write("runs/01-none-seed1/config.json", gpt2);
  folder.write("runs/run.json", "{}");
  const auto result = inspect(folder.file("runs"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message.en,
            folder.file("runs") +
                ": the folder must be a model with config.json or .safetensors files, got neither; "
                "there are models in its folders 01-none-seed1, 02-rope-seed1");
}

TEST_F(InspectTest, tensorsAloneTellALearnedTable) {
  tensor("t.safetensors", "bert.embeddings.position_embeddings.weight", 5, 3);
  const Inspection i = look("t.safetensors");
  EXPECT_EQ(i.kind, "safetensors");
  ASSERT_EQ(i.schemes.size(), 1u);
  EXPECT_EQ(i.shape.seq_len, 5);
  EXPECT_EQ(i.shape.d_model, 3);
  EXPECT_FALSE(i.mask.causal);
  tensor("u.safetensors", "wpe.weight", 5, 3);
  EXPECT_TRUE(look("u.safetensors").mask.causal);
  tensor("v.safetensors", "mywpe.weight", 5, 3);
  EXPECT_TRUE(look("v.safetensors").schemes.empty()) << "only whole parts of a name count";
  EXPECT_TRUE(has(look("v.safetensors").notes, "no tensor carries position"));
}

TEST_F(InspectTest, aTableOfAFileOfSeveralSaysHowManyAreNotShown) {
  folder.write("two.safetensors", safetensorsBytes(R"({"wpe.weight":{"dtype":"U8","shape":[2,3],"data_offsets":[0,6]},)"
                                                   R"("other":{"dtype":"U8","shape":[2],"data_offsets":[6,8]}})",
                                                   std::string(8, '\1')));
  for (const char* path : {"two.safetensors", "two.safetensors#wpe.weight"})
    EXPECT_TRUE(has(look(path).notes, "two.safetensors holds 1 more tensor")) << path;
  tensor("one.safetensors", "wpe.weight", 5, 3);
  EXPECT_FALSE(has(look("one.safetensors").notes, "more tensor"));
}

TEST_F(InspectTest, theConfigurationKnowsBetterThanANameDoes) {
  folder.write("m/config.json", R"({"model_type":"llama"})");
  tensor("m/model.safetensors", "wpe.weight", 6, 4);
  const Inspection i = look("m");
  ASSERT_EQ(i.schemes.size(), 1u);
  EXPECT_EQ(i.schemes[0].id, "rope");
  EXPECT_EQ(i.positional.size(), 1u);
}

TEST_F(InspectTest, aTableOfAnotherSizeCounts) {
  folder.write("m/config.json", R"({"model_type":"gpt2","n_embd":8,"n_head":2,"n_positions":600})");
  tensor("m/model.safetensors", "wpe.weight", 6, 4);
  const Inspection i = look("m");
  EXPECT_EQ(i.shape.d_model, 4);
  EXPECT_EQ(i.shape.seq_len, 6);
  EXPECT_TRUE(has(i.notes, "the table is 4 wide, the configuration says 8; the table counts"));
}

TEST_F(InspectTest, rowsThatNoTokenUsesAreSkipped) {
  folder.write("m/config.json",
               R"({"model_type":"roberta","hidden_size":4,"num_attention_heads":2,"max_position_embeddings":8})");
  tensor("m/model.safetensors", "roberta.embeddings.position_embeddings.weight", 8, 4);
  const Inspection i = look("m");
  EXPECT_EQ(i.shape.seq_len, 6);
  EXPECT_EQ(i.schemes.at(0).values.at("position_offset"), Value(2.0));
  EXPECT_TRUE(schemes::find("learned")->check(i.schemes.at(0).values, i.shape));
  // A table shorter than the rows in front cannot be this family's: it is shown whole.
  tensor("m/model.safetensors", "roberta.embeddings.position_embeddings.weight", 2, 4);
  EXPECT_FALSE(look("m").schemes.at(0).values.contains("position_offset"));
}

TEST_F(InspectTest, onePartOfAConfiguration) {
  folder.write("config.json", R"({"model_type":"mistral3","text_config":{"model_type":"llama"},
    "vision_config":{"model_type":"pixtral","head_dim":64,"num_attention_heads":2,"hidden_size":128}})");
  EXPECT_EQ(look("config.json").schemes.at(0).id, "rope");
  EXPECT_EQ(look("config.json#vision_config").schemes.at(0).id, "rope_2d");
  EXPECT_EQ(refusal("config.json#nothing"), ErrorCode::bad_value);
  // An image part under the name of the whole model says nothing about its own positions.
  folder.write("vl.json", R"({"model_type":"qwen2_vl","hidden_size":64,"num_attention_heads":2,
    "vision_config":{"model_type":"qwen2_vl","hidden_size":64}})");
  EXPECT_FALSE(has(look("vl.json").notes, "vision_config"));
  EXPECT_TRUE(look("vl.json#vision_config").schemes.empty());
  EXPECT_TRUE(has(look("vl.json#vision_config").notes, "image part are not shown"));
  EXPECT_EQ(refusal("none.json#text_config"), ErrorCode::file_missing);
}

TEST_F(InspectTest, theBucketsOfT5) {
  folder.write("m/config.json", R"({"model_type":"t5","d_model":8,"num_heads":2,"relative_attention_num_buckets":32})");
  tensor("m/model.safetensors", "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 16, 2);
  const Inspection i = look("m");
  ASSERT_EQ(i.schemes.size(), 1u);
  EXPECT_EQ(i.schemes[0].values.at("num_buckets"), Value(16.0));
  EXPECT_TRUE(schemes::find("t5_log")->check(i.schemes[0].values, i.shape));
  tensor("m/model.safetensors", "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 16, 3);
  EXPECT_TRUE(has(look("m").notes, "the bias must be (buckets, num_heads 2), got (16, 3)"));
}

TEST_F(InspectTest, shardsOfOneModel) {
  folder.write("m/config.json", gpt2);
  tensor("m/model-00001-of-00002.safetensors", "h.0.weight", 2, 2);
  tensor("m/model-00002-of-00002.safetensors", "wpe.weight", 6, 4);
  folder.write("m/model.safetensors.index.json",
               R"({"metadata":{},"weight_map":{"h.0.weight":"model-00001-of-00002.safetensors",
    "wpe.weight":"model-00002-of-00002.safetensors","x":"model-00002-of-00002.safetensors"}})");
  const Inspection i = look("m");
  EXPECT_EQ(i.tensors.size(), 2u);
  EXPECT_TRUE(i.schemes.at(0).values.contains("table"));
  EXPECT_EQ(look("m/model.safetensors.index.json").schemes, i.schemes);
}

TEST_F(InspectTest, shardNamesAreNotPaths) {
  folder.write("m/config.json", gpt2);
  tensor("secret.safetensors", "wpe.weight", 6, 4);
  std::filesystem::create_symlink("../secret.safetensors", folder.file("m/link.safetensors"));
  for (const char* name : {"../secret.safetensors", "/etc/x.safetensors", "c:x.safetensors", "a\\\\b.safetensors", "",
                           ".", "..", "x.bin", "x\\u0000.safetensors", "link.safetensors"}) {
    folder.write("m/model.safetensors.index.json", R"({"weight_map":{"wpe.weight":")" + std::string(name) + "\"}}");
    const Inspection i = look("m");
    EXPECT_TRUE(i.tensors.empty()) << name;
    EXPECT_TRUE(has(i.notes, "model.safetensors.index.json: weight_map")) << name;
  }
  for (const char* map : {"{}", R"({"weight_map":[]})", R"({"weight_map":{"a":3}})", "["}) {
    folder.write("m/model.safetensors.index.json", map);
    EXPECT_FALSE(look("m").notes.empty()) << map;
  }
}

TEST_F(InspectTest, theDownloadCacheKeepsItsFilesAsLinks) {
  tensor("models--a/blobs/0123", "wpe.weight", 6, 4);
  std::filesystem::create_directories(folder.file("models--a/snapshots/x"));
  std::filesystem::create_symlink("../../blobs/0123", folder.file("models--a/snapshots/x/m.safetensors"));
  folder.write("models--a/snapshots/x/model.safetensors.index.json",
               R"({"weight_map":{"wpe.weight":"m.safetensors"}})");
  EXPECT_EQ(look("models--a/snapshots/x").tensors.size(), 1u);
}

TEST_F(InspectTest, whatIsWrongWithTheWeightsIsANote) {
  folder.write("m/config.json", gpt2);
  EXPECT_TRUE(has(look("m").notes, "no .safetensors file; the scheme comes from config.json alone"));
  folder.write("m/model.safetensors", "version https://git-lfs.github.com/spec/v1\n");
  const Inspection i = look("m");
  EXPECT_TRUE(has(i.notes, "got a Git-LFS pointer"));
  EXPECT_EQ(i.schemes.at(0).id, "learned");
  folder.write("n/a.safetensors", safetensorsBytes("{}", ""));
  EXPECT_TRUE(has(look("n").notes, "no config.json; only the tensors tell the scheme"));
}

TEST_F(InspectTest, arrays) {
  ASSERT_TRUE(files::writeNpy(folder.file("t.npy"), makeArray({3, 2}, {1, 2, 3, 4, 5, 6})));
  const Inspection table = look("t.npy");
  EXPECT_EQ(table.kind, "npy");
  EXPECT_EQ(table.schemes.at(0).id, "learned");
  EXPECT_EQ(table.shape.seq_len, 3);
  EXPECT_EQ(table.shape.d_model, 2);
  EXPECT_TRUE(has(table.notes, "it is shown as a learned table; nothing in the file says that it is one"));
  const auto note = [&](const Array& array) {
    EXPECT_TRUE(files::writeNpy(folder.file("a.npy"), array));
    return look("a.npy").notes;
  };
  EXPECT_TRUE(has(note(makeArray({1, 2, 2}, {1, 0, 0.5, 0.5})),
                  "shape (1, 2, 2) looks like attention weights [heads, queries, keys]"));
  EXPECT_TRUE(has(note(makeArray({1, 2, 2}, {1, 2, 3, 4})), "looks like attention logits"));
  EXPECT_TRUE(has(note(makeArray({1, 1, 2, 2}, {0, 0, 0.5, 0.5})), "attention weights [layers, heads, queries, keys]"));
  EXPECT_TRUE(has(note(makeArray({1, 2, 3}, {1, 2, 3, 4, 5, 6})), "queries, keys or values [heads, tokens, head_dim]"));
  EXPECT_TRUE(has(note(makeArray({2}, {1, 2})), "is not a table of positions"));
  EXPECT_TRUE(has(note(makeArray({0, 4}, {})), "is not a table of positions"));
  EXPECT_TRUE(has(note(makeArray({}, {1})), "is not a table of positions"));
  EXPECT_TRUE(has(note(makeArray({2, 0, 0}, {})), "is not a table of positions"));
  EXPECT_TRUE(has(note(makeArray({1, 1, 1, 1, 1, 2}, {1, 2})), "got 6: shape (1, 1, 1, 1, 1, 2)"));
  folder.write("i.npy", "\x93NUMPY\x01" + std::string(1, '\0') + "\x40" + std::string(1, '\0') +
                            "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2)}      \n" + "1234");
  EXPECT_TRUE(has(look("i.npy").notes, "the numbers are |u1, not floating point"));
}

TEST_F(InspectTest, whatAnArrayHoldsBesideNumbersIsTold) {
  constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
  ASSERT_TRUE(files::writeNpy(folder.file("t.npy"), makeArray({3, 2}, {1, 2, nan_value, 4, 5, 6})));
  folder.write("t.npy", folder.read("t.npy") + "tail");
  for (const Tables tables : {Tables::named, Tables::read}) {
    const auto found = inspect(folder.file("t.npy"), tables);
    ASSERT_TRUE(found) << found.error().message.en;
    EXPECT_TRUE(has(found->notes, "t.npy: 1 of 6 numbers is not a number (NaN)"));
    EXPECT_NE(found->notes.front().en.find("NaN"), std::string::npos) << "before what gets cut off";
    EXPECT_TRUE(has(found->notes, "t.npy: 4 bytes after the numbers are not read"));
  }
}

/// The limit of the tests below is far under the arrays they look at.
class SmallMemory {
 public:
  SmallMemory() { setMemoryLimit(1 << 20); }
  ~SmallMemory() { setMemoryLimit(before_); }

 private:
  double before_ = memoryLimit();
};

TEST_F(InspectTest, anArrayOfAnySizeIsToldByItsHeader) {
  const auto sparse = [&](const std::string& name, const std::string& order, const std::string& shape,
                          std::uintmax_t numbers) {
    std::string header = "{'descr': '<f4', 'fortran_order': " + order + ", 'shape': " + shape + "}";
    header.resize(118, ' ');
    folder.write(name, "\x93NUMPY\x01" + std::string(1, '\0') + "\x76" + std::string(1, '\0') + header);
    std::filesystem::resize_file(folder.file(name), 128 + 4 * numbers);
  };
  const SmallMemory limit;
  sparse("table.npy", "False", "(1048576, 768)", 1048576ull * 768);
  const auto table = inspect(folder.file("table.npy"), Tables::named);
  ASSERT_TRUE(table) << table.error().message.en;
  EXPECT_EQ(table->shape.d_model, 768);
  ASSERT_EQ(table->schemes.size(), 1u);
  EXPECT_TRUE(isMissing(table->schemes[0].values.at("table")));
  EXPECT_EQ(inspect(folder.file("table.npy")).error().code, ErrorCode::too_large) << "here the numbers are wanted";
  sparse("line.npy", "False", "(800000000,)", 800000000);
  EXPECT_TRUE(has(look("line.npy").notes, "is not a table of positions"));
  for (const char* order : {"False", "True"}) {
    sparse("weights.npy", order, "(2, 20000, 20000)", 800000000);
    EXPECT_TRUE(has(look("weights.npy").notes, "looks like attention weights")) << order;
  }
}

TEST_F(InspectTest, rowsFarApartTellWeightsFromLogits) {
  constexpr std::int64_t size = 700;  // more numbers than are looked at
  std::vector<double> values(size * size, 1.0 / size);
  ASSERT_TRUE(files::writeNpy(folder.file("a.npy"), makeArray({1, size, size}, values)));
  EXPECT_TRUE(has(look("a.npy").notes, "looks like attention weights"));
  std::fill(values.begin() + size * size / 2, values.end(), 3.0);
  ASSERT_TRUE(files::writeNpy(folder.file("a.npy"), makeArray({1, size, size}, values)));
  EXPECT_TRUE(has(look("a.npy").notes, "looks like attention logits"));
}

TEST_F(InspectTest, tensorsAreNamedWithoutTheirNumbers) {
  folder.write("m/config.json", gpt2);
  tensor("m/model.safetensors", "transformer.wpe.weight", 6, 4);
  const auto named = inspect(folder.file("m"), Tables::named);
  ASSERT_TRUE(named) << named.error().message.en;
  const Array& table = std::get<Array>(named->schemes.at(0).values.at("table"));
  EXPECT_EQ(table.values, nullptr);
  EXPECT_EQ(table.shape, (std::vector<std::int64_t>{6, 4}));
  EXPECT_EQ(table.source, folder.file("m/model.safetensors#transformer.wpe.weight"));
  EXPECT_EQ(named->shape, look("m").shape);
  EXPECT_EQ(named->reasons, look("m").reasons);
}

TEST_F(InspectTest, refusals) {
  std::filesystem::create_directory(folder.file("empty"));
  EXPECT_EQ(refusal("empty"), ErrorCode::file_missing);
  EXPECT_EQ(refusal("nothing"), ErrorCode::file_missing);
  EXPECT_EQ(refusal("nothing.npy"), ErrorCode::file_missing);
  EXPECT_EQ(refusal("nothing.json"), ErrorCode::file_missing);
  folder.write("model.bin", "x");
  EXPECT_EQ(refusal("model.bin"), ErrorCode::file_type);
  folder.write("bad.json", "[");
  EXPECT_EQ(refusal("bad.json"), ErrorCode::file_format);
  folder.write("bad/config.json", "[");
  EXPECT_EQ(refusal("bad"), ErrorCode::file_format);
  folder.write("big.json", std::string((16u << 20) + 1, ' '));
  EXPECT_EQ(refusal("big.json"), ErrorCode::too_large);
}

TEST_F(InspectTest, aTableAloneTakesOneHeadWhereThoseBeforeDoNotFit) {
  Inspection inspection;
  inspection.kind = "npy";
  useTable(makeArray({10, 24}, std::vector<double>(240, 0.5), "t.npy"), inspection);
  Experiment present = startExperiment();
  present.shape.num_layers = 32;
  present.shape.layer = 7;
  present.shape.num_kv_heads = 8;
  const Shape shape = experimentOf(inspection, present).shape;
  EXPECT_EQ(shape.num_heads, 1);
  EXPECT_EQ(shape.head_dim, 24);
  EXPECT_EQ(shape.num_kv_heads, 0);
  EXPECT_EQ(shape.num_layers, 1);
  EXPECT_EQ(shape.layer, 0);
  EXPECT_TRUE(checkExperiment(experimentOf(inspection, present)));
}

TEST_F(InspectTest, aTableAloneKeepsHeadsThatFitAndMask) {
  Inspection inspection;
  inspection.kind = "npy";
  useTable(makeArray({10, 24}, std::vector<double>(240, 0.5), "t.npy"), inspection);
  Experiment present = startExperiment();
  present.mask.window = 3;
  present.mask.key_padding.assign(static_cast<std::size_t>(present.shape.seq_len), 1);
  present.shape.first_position = 7;
  present.shape.num_heads = 3;
  present.shape.head_dim = 8;
  present.shape.num_kv_heads = 0;
  const Experiment e = experimentOf(inspection, present);
  Shape shape = present.shape;
  shape.seq_len = 10;
  shape.d_model = 24;
  shape.first_position = 0;
  EXPECT_EQ(e.shape, shape);
  EXPECT_TRUE(e.mask.causal);
  EXPECT_EQ(e.mask.window, 3);
  EXPECT_TRUE(e.mask.key_padding.empty()) << "it was as long as another sequence";
  EXPECT_TRUE(checkExperiment(e));
  inspection.mask.causal = true;
  EXPECT_TRUE(experimentOf(inspection, Experiment{}).mask.causal) << "what the file says counts";
}

TEST_F(InspectTest, theExperimentKeepsWhatFits) {
  folder.write("config.json",
               R"({"model_type":"llama","hidden_size":64,"num_attention_heads":4,"max_position_embeddings":4096})");
  Experiment present = startExperiment();
  present.content.seed = 99;
  present.schemes[1] = {"learned", {{"max_positions", 16.0}}, "", 1, true};
  const Inspection inspection = look("config.json");
  const Experiment e = experimentOf(inspection, present);
  EXPECT_EQ(e.shape, inspection.shape);
  EXPECT_EQ(e.content, present.content);
  ASSERT_EQ(e.schemes.size(), 3u) << "a table of 16 rows cannot be shown at 4096 tokens";
  EXPECT_EQ(e.schemes[0].values, inspection.schemes[0].values);
  EXPECT_EQ(e.schemes[1], present.schemes[2]);
  EXPECT_EQ(e.schemes[2], present.schemes[3]);
  EXPECT_TRUE(checkExperiment(e));
  EXPECT_EQ(experimentOf(Inspection{}, present), present) << "nothing positional: nothing changes";
}

}  // namespace
}  // namespace posiscope::models
