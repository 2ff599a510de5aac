// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A step of training takes no memory. A program of its own: it counts every call of operator new.
#include "core/train/optimiser.h"
#include "tests/core/train/small_model.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!memory) std::abort();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes, 16); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace posiscope::train {
namespace {

using StepTest = EachVariant;

TEST_P(StepTest, AllocatesNothing) {
  Model<float> model = modelOf<float>(GetParam());
  const Batch batch = scatteredBatch(GetParam().spec, 60);
  Optimiser<float> optimiser({}, model.layout(), 10);
  const auto step = [&] {
    const bool done = model.forward(batch).has_value();
    model.loss(batch);
    model.backward(batch);
    optimiser.step(model.gradient(), model.parameters());
    model.clampPosition();
    return done;
  };
  ASSERT_TRUE(step());  // makes room, and the threads
  const long before = allocations;
  const bool done = step() && step();
  const long after = allocations;
  EXPECT_TRUE(done);
  EXPECT_EQ(after - before, 0);
}

INSTANTIATE_TEST_SUITE_P(Trainables, StepTest, testing::ValuesIn(variants()),
                         [](const auto& variant) { return variant.param.name; });

TEST(Counting, SeesAnAllocation) {
  const long before = allocations;
  const auto number = std::make_unique<int>(1);
  EXPECT_EQ(allocations - before, *number);
}

}  // namespace
}  // namespace posiscope::train
