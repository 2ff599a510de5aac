// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/window_config.h"

#include "core/files/refusal.h"
#include "core/grid_offsets.h"
#include "core/models/config.h"
#include "core/models/scheme_values.h"

#include <algorithm>

namespace posiscope::models {
namespace {

constexpr std::size_t most_stages = 16;
constexpr std::int64_t most_side = 1 << 12;

/// Each stage halves the sides of the one before.
void noteSmallStages(const ConfigReader& root, std::int64_t side, std::int64_t window, std::size_t stages) {
  for (std::size_t stage = 0; stage < stages && side > 0; ++stage, side /= 2) {
    if (side >= window) continue;
    root.note({join(root.file(), ": stage ", stage, " has a map of ", side, " × ", side,
                    ", smaller than the window of ", window, ": there the window is ", side, " × ", side,
                    " and its table has ", offsetRows({side, side}), " rows"),
               join(root.file(), "：第 ", stage, " 阶段的特征图为 ", side, " × ", side, "，小于窗口 ", window,
                    "：该阶段的窗口为 ", side, " × ", side, "，偏置表有 ", offsetRows({side, side}), " 行")});
  }
}

/// A stage has a table in each of its blocks: what they say alike is said once.
void sayOnce(std::vector<Text>& texts, const Text& text) {
  if (std::ranges::find(texts, text.en, &Text::en) == texts.end()) texts.push_back(text);
}

std::int64_t windowOf(const SchemeChoice& swin) {
  return static_cast<std::int64_t>(std::get<double>(valueOf(paramOf("swin", "window"), swin.values)));
}

}  // namespace

void readWindowStages(const ConfigReader& root, Inspection& to, Reason& scheme, Reason& shape) {
  const auto image = root.whole({"image_size", "img_size"}, 1, 1 << 16);
  const auto patch = root.whole({"patch_size"}, 1, 1 << 16);
  const auto window = root.whole({"window_size"}, 1, most_side);
  const auto width = root.whole({"embed_dim"}, 1, 1 << 16);
  const auto heads = root.numbers({"num_heads"}, 1, 1 << 10, most_stages);
  const std::int64_t side = image && patch ? image->value / patch->value : 0;
  const bool has_heads = heads && !heads->value.empty();
  if (side < 1 || side * side > longest_drawn || !window || !width || !has_heads)
    return root.note({join(root.file(),
                           ": image_size, patch_size, window_size, embed_dim and num_heads must tell the "
                           "windows of a Swin model; it is not shown"),
                      join(root.file(),
                           "：须由 image_size、patch_size、window_size、embed_dim 与 num_heads 得出 Swin "
                           "模型的窗口；此处不予显示")});
  to.shape.grid_height = to.shape.grid_width = side;
  to.shape.seq_len = side * side;
  to.shape.d_model = width->value;
  to.shape.num_heads = static_cast<std::int64_t>(heads->value.front());
  to.shape.head_dim = std::max<std::int64_t>(1, to.shape.d_model / to.shape.num_heads);
  to.train_length = static_cast<double>(to.shape.seq_len);
  shape.add({"the first stage is shown", "显示第一阶段"});
  shape.from("grid", join(side, " × ", side), image->key + " / " + patch->key);
  shape.from("num_heads", to.shape.num_heads, heads->key);
  scheme.from("window", window->value, window->key);
  to.schemes.push_back(choiceOf("swin", {{"window", static_cast<double>(window->value)}}));
  noteSmallStages(root, side, window->value, heads->value.size());
}

void useWindowTable(const Array& table, Inspection& to) {
  const std::int64_t side = table.rank() == 2 ? squareSideOf(table.shape[0]) : 0;
  if (side == 0) return;
  const Text rows{join(table.shape[0], " rows are those of a window of ", side, " × ", side),
                  join(table.shape[0], " 行对应 ", side, " × ", side, " 的窗口")};
  const auto swin = std::ranges::find(to.schemes, "swin", &SchemeChoice::id);
  if (swin == to.schemes.end()) return sayOnce(to.reasons, rows);
  const std::int64_t window = windowOf(*swin);
  if (side == window) {
    if (swin->values.contains("table") || table.shape[1] != to.shape.num_heads) return;
    sayOnce(to.reasons, rows);
    swin->values["table"] = table;
    return;
  }
  sayOnce(to.notes,
          {join(rows.en, ", not of the ", window, " of the configuration: the map of that stage is no larger"),
           join(rows.zh, "，而不是配置中的 ", window, "：该阶段的特征图只有这么大")});
}

}  // namespace posiscope::models
