// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/swin.h"

#include "core/grid_offsets.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace posiscope::schemes {

Expected<SwinWindows> SwinWindows::cut(const Grid& grid, const SwinParams& p) {
  if (p.window == 0) return SwinWindows(grid, grid, 0);
  const std::int64_t smaller = std::min(grid.height, grid.width);
  const std::int64_t side = std::min(p.window, smaller);
  if (grid.height % side != 0 || grid.width % side != 0)
    return fail(
        ErrorCode::bad_shape,
        join("swin: window must divide both sides of the grid ", grid.height, " × ", grid.width, ", got ", side),
        join("swin：window 必须整除网格的两边 ", grid.height, " × ", grid.width, "，得到 ", side));
  if (p.shift >= p.window)
    return fail(ErrorCode::out_of_range, join("swin: shift must be below window ", p.window, ", got ", p.shift),
                join("swin：shift 必须小于 window ", p.window, "，得到 ", p.shift));
  return SwinWindows(grid, {side, side}, smaller <= p.window ? 0 : p.shift);
}

SwinWindows::Place SwinWindows::placeOf(std::int64_t t) const {
  const std::int64_t y = (grid_.row(t) - shift_ + grid_.height) % grid_.height;
  const std::int64_t x = (grid_.column(t) - shift_ + grid_.width) % grid_.width;
  const std::int64_t across = grid_.width / window_.width;
  return {y / window_.height * across + x / window_.width, y % window_.height * window_.width + x % window_.width};
}

std::int64_t SwinWindows::regionOf(Place place) const {
  const std::int64_t across = grid_.width / window_.width;
  const std::int64_t y = place.window / across * window_.height + window_.row(place.token);
  const std::int64_t x = place.window % across * window_.width + window_.column(place.token);
  const auto band = [this](std::int64_t at, std::int64_t side, std::int64_t window) {
    return at < side - window ? 0 : at < side - shift_ ? 1 : 2;
  };
  return 3 * band(y, grid_.height, window_.height) + band(x, grid_.width, window_.width);
}

namespace {

ParamTable<SwinParams> swinTable() {
  using P = SwinParams;
  ParamTable<P> t;
  t.integer("window", &P::window, {0, 4096, 0, 16, false},
            {{"window", "窗口"},
             {"Side of the windows; 0 makes the whole grid one window.", "窗口边长；0 表示整个网格为一个窗口。"},
             "window_size",
             "patches"});
  t.integer("shift", &P::shift, {0, 4095, 0, 15, false},
            {{"shift", "平移"},
             {"How far the grid is rolled before it is cut; half a window in every second block.",
              "切分之前网格滚动的距离；每隔一个模块取半个窗口。"},
             "shift_size",
             "patches"});
  t.real("masked_bias", &P::masked_bias, {-1e4, 0, -100, 0, false},
         {{"masked bias", "屏蔽值"},
          {"Added where two patches must not meet; the official code adds −100, not −∞.",
           "加在不应相遇的两个图块之间；官方代码加 −100，而不是 −∞。"}});
  t.real("std", &P::std, {0, 100, 0.01, 4, true},
         {{"std", "标准差"}, {"Spread of a table that is drawn.", "随机抽取的偏置表的标准差。"}});
  t.array("table", &P::table,
          {{"table", "偏置表"},
           {"A trained table, (2h − 1)(2w − 1) × num_heads for a window of h × w.",
            "训练好的表；窗口为 h × w 时形状为 ((2h − 1)(2w − 1), num_heads)。"},
           "relative_position_bias_table"});
  addSeed(t);
  return t;
}

/// What each token needs to find its row of the table.
struct SwinTokens {
  Grid window;
  std::vector<SwinWindows::Place> places;
  std::vector<std::int64_t> regions;

  SwinTokens(const SwinWindows& windows, std::int64_t tokens) : window(windows.window()) {
    for (std::int64_t t = 0; t < tokens; ++t) {
      places.push_back(windows.placeOf(t));
      regions.push_back(windows.regionOf(places.back()));
    }
  }

  bool meet(std::int64_t i, std::int64_t j) const {
    return places[static_cast<std::size_t>(i)].window == places[static_cast<std::size_t>(j)].window;
  }
  bool masked(std::int64_t i, std::int64_t j) const {
    return !meet(i, j) || regions[static_cast<std::size_t>(i)] != regions[static_cast<std::size_t>(j)];
  }
  std::int64_t row(std::int64_t i, std::int64_t j) const {
    if (!meet(i, j)) return -1;
    return offsetRow(window, places[static_cast<std::size_t>(i)].token, places[static_cast<std::size_t>(j)].token);
  }
  /// "B(Δy = −1, Δx = 2)", query − key inside the window.
  std::string name(std::int64_t i, std::int64_t j) const {
    if (!meet(i, j)) return "0";
    const std::int64_t a = places[static_cast<std::size_t>(i)].token;
    const std::int64_t b = places[static_cast<std::size_t>(j)].token;
    return join("B(Δy = ", screenNumber(static_cast<double>(window.row(a) - window.row(b))),
                ", Δx = ", screenNumber(static_cast<double>(window.column(a) - window.column(b))), ")");
  }
};

/// The windows a scheme works with, and what there is to say about them.
struct FittedWindows {
  SwinWindows windows;
  std::vector<Text> warnings;
};

/// A trained table knows its window better than the parameters do: the last stage of a model often has a smaller one
/// than its configuration says.
Expected<FittedWindows> fittedWindows(const SwinParams& p, const Grid& grid) {
  const Expected<SwinWindows> asked = SwinWindows::cut(grid, p);
  const bool given = p.table.rank() == 2 && !p.table.empty();
  if (!given || (asked && offsetRows(asked->window()) == p.table.shape[0])) {
    if (!asked) return fail(asked.error());
    return FittedWindows{*asked, {}};
  }
  const std::int64_t rows = p.table.shape[0];
  SwinParams own = p;
  own.window = squareSideOf(rows);
  if (own.shift > 0) own.shift = own.window / 2;
  const Expected<SwinWindows> fitting = own.window > 0 ? SwinWindows::cut(grid, own) : asked;
  if (!fitting || offsetRows(fitting->window()) != rows) {
    if (!asked) return fail(asked.error());
    return FittedWindows{*asked, {}};  // the table is refused with both sizes
  }
  const Grid& wanted = asked ? asked->window() : Grid{p.window, p.window};
  return FittedWindows{*fitting,
                       {{join("swin: the table has ", rows, " rows, those of a window of ", own.window, " × ",
                              own.window, "; the window of ", wanted.height, " × ", wanted.width, " is not used"),
                         join("swin：偏置表有 ", rows, " 行，对应 ", own.window, " × ", own.window, " 的窗口；未采用 ",
                              wanted.height, " × ", wanted.width, " 的窗口")}}};
}

struct Swin {
  Outcome check(const SwinParams& p, const Shape& shape) const {
    const Expected<FittedWindows> fitted = windowsOf(p, shape);
    if (!fitted) return fail(fitted.error());
    if (shape.queries() != shape.keys())
      return fail(
          ErrorCode::bad_shape,
          join("swin: every patch is a query, seq_len_q must be seq_len ", shape.keys(), ", got ", shape.queries()),
          join("swin：每个图块都是查询，seq_len_q 必须等于 seq_len ", shape.keys(), "，得到 ", shape.queries()));
    const std::int64_t rows = offsetRows(fitted->windows.window());
    if (Outcome ok = checkWeights("swin", "table", p.table, {rows, shape.num_heads}); !ok) return ok;
    return checkMemory("swin: the table",
                       static_cast<double>(rows) * static_cast<double>(shape.num_heads) * sizeof(double));
  }

  template <class T>
  Expected<Encoding<T>> encode(const SwinParams& p, const Shape& shape) const {
    const Expected<FittedWindows> fitted = windowsOf(p, shape);
    if (!fitted) return fail(fitted.error());
    const SwinWindows& windows = fitted->windows;
    const auto tokens = std::make_shared<const SwinTokens>(windows, shape.keys());
    const std::int64_t rows = offsetRows(windows.window());
    const std::vector<T> table = weightsOf<T>(p.table, rows * shape.num_heads, {p.seed, "swin/table", p.std});
    Encoding<T> encoding;
    PairBias<T> bias;
    bias.fill = [tokens, table, heads = shape.num_heads, masked = static_cast<T>(p.masked_bias)](
                    std::int64_t head, std::int64_t i, std::span<T> row) {
      for (std::int64_t j = 0; j < static_cast<std::int64_t>(row.size()); ++j) {
        const std::int64_t read = tokens->row(i, j);
        row[static_cast<std::size_t>(j)] = (read < 0 ? T(0) : table[static_cast<std::size_t>(read * heads + head)]) +
                                           (tokens->masked(i, j) ? masked : T(0));
      }
    };
    bias.term = [tokens, masked = screenNumber(std::abs(p.masked_bias))](std::int64_t, std::int64_t i, std::int64_t j) {
      return tokens->name(i, j) + (tokens->masked(i, j) ? " \u2212 " + masked : "");
    };
    encoding.logits.bias = std::move(bias);
    encoding.warnings = fitted->warnings;
    encoding.logits.lookup = {rows, [tokens](std::int64_t i, std::int64_t j) { return tokens->row(i, j); }};
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;  // of the two-dimensional offset, not of i − j
    encoding.logits.patch_bias = patchBias<T>(p, windows.window(), shape.num_heads);
    encoding.facts = {{"windows", static_cast<double>(windows.count())}, {"table_rows", static_cast<double>(rows)}};
    return encoding;
  }

  SchemeCost cost(const SwinParams& p, const Shape& shape) const {
    const Expected<FittedWindows> fitted = windowsOf(p, shape);
    return {.learned = fitted ? offsetRows(fitted->windows.window()) * shape.num_heads : 0};
  }

  std::string substitution(const SwinParams& p, const Shape& shape) const {
    const Expected<FittedWindows> fitted = windowsOf(p, shape);
    if (!fitted) return {};
    const Grid& w = fitted->windows.window();
    return join(fitted->windows.count(), " × (", w.height, " × ", w.width, "), B: ", offsetRows(w), " × ",
                shape.num_heads);
  }

 private:
  template <class T>
  static PatchBias<T> patchBias(const SwinParams& p, const Grid& window, std::int64_t heads) {
    const Text rule{"Another window reads the table resized bicubically.", "其他窗口读取按双三次插值缩放的表。"};
    return {window, window, rule, [p, window, heads](const Grid& grid) {
              const std::int64_t rows = offsetRows(window);
              Table<double> table{rows, heads, weightsOf<double>(p.table, rows * heads, {p.seed, "swin/table", p.std})};
              if (!(grid == window))
                table = resizedOffsets(table, 2 * window.height - 1, 2 * window.width - 1, 2 * grid.height - 1,
                                       2 * grid.width - 1);
              return OffsetPicture<T>{2 * grid.height - 1,
                                      2 * grid.width - 1,
                                      1 - grid.height,
                                      1 - grid.width,
                                      {table.rows, heads, std::vector<T>(table.values.begin(), table.values.end())}};
            }};
  }

  static Expected<FittedWindows> windowsOf(const SwinParams& p, const Shape& shape) {
    const Expected<Grid> grid = gridOf("swin", shape);
    if (!grid) return fail(grid.error());
    return fittedWindows(p, *grid);
  }
};

}  // namespace

Scheme swin() {
  return makeScheme({.id = "swin",
                     .name = {"Swin window bias", "Swin 窗口偏置"},
                     .family = Family::bias,
                     .year = 2021,
                     .reference = "Liu et al. 2021, arXiv:2103.14030",
                     .summary = {"A learned bias for each two-dimensional offset inside a window of patches.",
                                 "在图块窗口内，每个二维偏移对应一个可学习偏置。"}},
                    swinTable(), Swin{});
}

}  // namespace posiscope::schemes
