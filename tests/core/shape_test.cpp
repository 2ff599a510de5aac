// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/shape.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

TEST(Shape, zeroMeansTheRule) {
  Shape shape;
  EXPECT_EQ(shape.queries(), shape.seq_len);
  EXPECT_EQ(shape.kvHeads(), shape.num_heads);
  EXPECT_EQ(shape.queryOffset(), 0);
  shape.seq_len_q = 100;
  shape.num_kv_heads = 2;
  EXPECT_EQ(shape.queries(), 100);
  EXPECT_EQ(shape.kvHeads(), 2);
  EXPECT_EQ(shape.queryOffset(), 412);
}

TEST(Shape, tableReadsEveryField) {
  const Expected<Shape> shape = shapeTable().read("shape", {{"seq_len", 1024.0},
                                                            {"d_model", 768.0},
                                                            {"num_heads", 12.0},
                                                            {"head_dim", 96.0},
                                                            {"num_kv_heads", 4.0},
                                                            {"seq_len_q", 8.0},
                                                            {"num_layers", 6.0},
                                                            {"layer", 5.0},
                                                            {"grid_height", 2.0},
                                                            {"grid_width", 3.0},
                                                            {"first_position", -1.5}});
  ASSERT_TRUE(shape) << shape.error().message.en;
  const Shape expected{.seq_len = 1024,
                       .seq_len_q = 8,
                       .d_model = 768,
                       .num_heads = 12,
                       .num_kv_heads = 4,
                       .head_dim = 96,
                       .num_layers = 6,
                       .layer = 5,
                       .grid_height = 2,
                       .grid_width = 3,
                       .first_position = -1.5};
  EXPECT_EQ(*shape, expected);
  EXPECT_EQ(shapeTable().read("shape", {}).value(), Shape{});
}

TEST(Shape, refusesSizesThatDoNotFit) {
  Shape shape;
  EXPECT_TRUE(checkShape(shape));
  shape.seq_len_q = 513;
  EXPECT_EQ(checkShape(shape).error().message.en, "shape: seq_len_q must be at most seq_len 512, got 513");
  shape = {};
  shape.num_kv_heads = 3;
  EXPECT_EQ(checkShape(shape).error().code, ErrorCode::bad_shape);
  EXPECT_EQ(checkShape(shape).error().message.en, "shape: num_heads must be a multiple of num_kv_heads 3, got 8");
  EXPECT_EQ(checkShape(shape).error().message.zh, "形状：num_heads 必须是 num_kv_heads 3 的倍数，得到 8");
  shape = {};
  shape.layer = 1;
  EXPECT_EQ(checkShape(shape).error().message.en, "shape: layer must be below num_layers 1, got 1");
}

TEST(Shape, memoryIsRefusedAboveTheLimitOnly) {
  const double before = memoryLimit();
  setMemoryLimit(1024.0 * 1024.0);
  EXPECT_TRUE(checkMemory("a table", 1024.0 * 1024.0));
  const Outcome refused = checkMemory("a table", 3.0 * 1024 * 1024 * 1024);
  setMemoryLimit(before);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::too_large);
  EXPECT_EQ(refused.error().message.en,
            "a table would need 3 GiB, the limit is 1 MiB"
            "; a shorter sequence, fewer heads or a smaller width needs less");
  EXPECT_TRUE(refused.error().message.zh.ends_with("缩短序列、减少头数或减小宽度，所需内存就会变少"));
}

TEST(Memory, tellsWhatIsJustTooMuchFromTheLimit) {
  const double before = memoryLimit();
  const double limit = 4.0 * 1024 * 1024 * 1024;
  setMemoryLimit(limit);
  const Outcome refused = checkMemory("the picture", limit + 320 * 1024);
  setMemoryLimit(before);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.en.starts_with("the picture would need 4.0003 GiB, the limit is 4 GiB"));
}

}  // namespace
}  // namespace posiscope
