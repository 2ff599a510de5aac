// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/stretch.h"

#include <cmath>

namespace posiscope::train {
namespace {

std::int64_t times(std::int64_t size, double factor) { return std::llround(static_cast<double>(size) * factor); }

}  // namespace

std::vector<Stretch> stretches(const PositionSpec& plain, double factor, std::int64_t length) {
  std::vector<Stretch> all{{"none", plain}};
  if (plain.scheme != "rope" || factor <= 1) return all;
  for (const char* scaling : {"linear", "ntk", "yarn"}) {
    PositionSpec position = plain;
    position.values["scaling"] = std::string(scaling);
    position.values["factor"] = factor;
    position.values["original_length"] = static_cast<double>(length);
    all.push_back({scaling, std::move(position)});
  }
  return all;
}

TaskSize lengthenedSize(const TaskSpec& task, double factor) {
  TaskSize size = sizeOf(task);
  size.length = times(size.length, factor);
  const double side = std::sqrt(factor);
  if (size.grid) size.grid = Grid{times(size.grid->height, side), times(size.grid->width, side)};
  return size;
}

TaskSpec lengthened(TaskSpec task, double factor) {
  task.length = times(task.length, factor);
  const double side = std::sqrt(factor);
  task.grid_height = times(task.grid_height, side);
  task.grid_width = times(task.grid_width, side);
  return task;
}

}  // namespace posiscope::train
