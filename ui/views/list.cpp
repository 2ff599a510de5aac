// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/list.h"

#include "ui/views/view_kinds.h"

#include <algorithm>

namespace posiscope::ui {

namespace {

ViewKind in(ViewGroup group, ViewKind kind) {
  kind.group = group;
  return kind;
}

}  // namespace

const std::vector<ViewKind>& viewCatalogue() {
  using enum ViewGroup;
  static const std::vector<ViewKind> catalogue{
#define VIEW(group, name) in(group, name##View()),
#include "ui/views/list.def"
#undef VIEW
  };
  return catalogue;
}

Text groupName(ViewGroup group) {
  switch (group) {
    case ViewGroup::encoding: return {"Encoding", "编码"};
    case ViewGroup::frequencies: return {"Frequencies", "频率"};
    case ViewGroup::distance: return {"Distance", "距离"};
    case ViewGroup::attention: return {"Attention", "注意力"};
    case ViewGroup::grid: return {"Images", "图像"};
  }
  return {};
}

const ViewKind* findView(std::string_view id) {
  const std::vector<ViewKind>& all = viewCatalogue();
  const auto found = std::ranges::find(all, id, &ViewKind::id);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace posiscope::ui
