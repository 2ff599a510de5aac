// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula_rows.h"
#include "core/measures/axes.h"
#include "core/measures/distances.h"
#include "core/measures/encoded.h"
#include "core/measures/first_tokens.h"
#include "core/measures/measures.h"
#include "core/measures/products.h"
#include "core/measures/terms.h"
#include "core/parallel.h"
#include "core/profile.h"
#include "core/screen_number.h"
#include "core/steps.h"

#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

enum class Against { offset, position };

struct Options {
  Against against = Against::offset;
  bool normalise = true;
  std::int64_t head = 0;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.choice(
        "against", &Options::against, {{"offset", {"offset", "偏移"}}, {"position", {"position", "位置"}}},
        {{"over", "横轴"},
         {"Over offsets: the smallest distance of any two positions so far apart. Over positions: the distance to the "
          "nearest other one.",
          "按偏移：相隔该偏移的任意两个位置之间的最小距离。按位置：到最近的另一个位置的距离。"}});
    t.boolean("normalise", &Options::normalise,
              {{"in row lengths", "以行长为单位"},
               {"Divides by the root mean square length of a row, so that schemes can be compared; √2 is unrelated.",
                "除以各行长度的均方根，以便比较不同方案；√2 表示互不相关。"}});
    t.integer(
        "head", &Options::head, {0, 1023, 0, 31, false},
        {{"head", "头"}, {"The head shown where the heads turn differently.", "当各头旋转不同时，显示哪一个头。"}});
    return t;
  }();
  return table;
}

/// Below this share of a row's length two rows are the same for single precision.
constexpr double same_share = 1e-6;

/// One part of the encoding: its positions as vectors.
struct Part {
  const char* key = nullptr;
  const char* symbol = nullptr;  ///< of a row in terms
  Distances distances;
  double row_length = 1;  ///< root mean square
  /// Multiplies √Σ sin²(n·θ/2) where the offset alone counts; 0 where it does not.
  double wave_factor = 0;
};

/// How many rows can be compared with each other, of which a draft takes fewer.
std::int64_t mostCompared(std::int64_t rows, std::int64_t cols) {
  return std::min(rows, std::max<std::int64_t>(2, comparableRows(cols)));
}
std::int64_t rowsCompared(const Question& question, std::int64_t rows, std::int64_t cols) {
  const std::int64_t most = mostCompared(rows, cols);
  return question.draft ? std::min(draftTokens(rows), most) : most;
}

/// Compares the first rows, as many as can be; `fill` writes one of them and is pure.
template <class Fill>
std::optional<Part> comparedRows(Dataset& dataset, const Question& question, std::int64_t rows, std::int64_t cols,
                                 const Fill& fill, const Job& job) {
  const std::int64_t taken = rowsCompared(question, rows, cols);
  dataset.draft = dataset.draft || taken < mostCompared(rows, cols);
  if (taken < rows) dataset.scope = firstTokensText(taken, rows, dataset.draft);
  Table<double> table = makeTable<double>(taken, cols);
  Part part;
  if (!parallelBlocks(taken, 64, job.part(0, 0.1), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) fill(r, table.row(r));
      }))
    return std::nullopt;
  double squares = 0;
  for (const double v : table.values) squares += v * v;
  part.row_length = std::sqrt(squares / static_cast<double>(taken));
  part.distances = distancesOf(table, job.part(0.1, 1));
  if (part.distances.by_row.empty()) return std::nullopt;
  return part;
}

/// `length` is that of every row, made of `pairs` sines and cosines of equal amplitude.
std::optional<Part> comparedOffsets(std::span<const double> frequency, std::int64_t rows, double length,
                                    const Job& job) {
  std::vector<double> curve = offsetDistances(frequency, rows, job);
  if (curve.empty()) return std::nullopt;
  const double amplitude = length / std::sqrt(static_cast<double>(frequency.size()));
  for (double& d : curve) d *= amplitude;
  Part part;
  part.distances = distancesByOffset(std::move(curve));
  part.row_length = length;
  part.wave_factor = 2 * amplitude;
  return part;
}

/// A table whose offsets decide everything needs no rows; of any other the compared ones are read.
Outcome checkTable(const InputPart<float>& input, const Question& question) {
  if (!input.hasTable() || isToeplitz(input)) return {};
  return checkAffordable(input, rowsCompared(question, input.tableRows(), input.tableCols()));
}

std::optional<Part> tablePart(Dataset& dataset, const InputPart<float>& input, const Question& question,
                              const Job& job) {
  const std::int64_t rows = input.tableRows();
  if (isToeplitz(input)) {
    std::vector<float> room;
    const std::span<const float> row = input.tableBlock(0, 1, room).row(0);
    return comparedOffsets(input.frequency, rows, std::sqrt(dot(row, row)), job);
  }
  const auto fill = [&](std::int64_t r, std::span<double> out) {
    thread_local std::vector<float> room;
    std::ranges::copy(input.tableBlock(r, r + 1, room).row(0), out.begin());
  };
  return comparedRows(dataset, question, rows, input.tableCols(), fill, job);
}

/// A rotation moves the unit vector of each pair: cosines and sines of its angles are the rows. The magnitudes of xPos
/// cancel between query and key of one position and are left out.
std::optional<Part> rotationPart(Dataset& dataset, const RotationPart& rotation, std::int64_t set,
                                 const Question& question, const Job& job) {
  const std::int64_t rows = question.shape.keys();
  const std::int64_t pairs = rotation.pairs();
  const double length = rotation.attention_factor * std::sqrt(static_cast<double>(pairs));
  if (const auto even = offsetRotation(rotation, set)) return comparedOffsets(even->frequency, rows, length, job);
  const auto fill = [&](std::int64_t r, std::span<double> out) {
    for (std::int64_t p = 0; p < pairs; ++p) {
      const double angle = rotation.angle(set, r, p);
      out[static_cast<std::size_t>(2 * p)] = rotation.attention_factor * std::cos(angle);
      out[static_cast<std::size_t>(2 * p + 1)] = rotation.attention_factor * std::sin(angle);
    }
  };
  return comparedRows(dataset, question, rows, 2 * pairs, fill, job);
}

/// "‖P[412] − P[7]‖"
std::string differenceTerm(const char* symbol, double i, double j) {
  return join("‖", symbol, "[", screenNumber(i), "] − ", symbol, "[", screenNumber(j), "]‖");
}

void addCurve(Dataset& dataset, const Part& part, const Options& options, const Question& question, int head) {
  const bool offsets = options.against == Against::offset;
  const double unit = options.normalise && part.row_length > 0 ? part.row_length : 1;
  const double first = question.shape.first_position;
  const bool table = part.key == std::string_view("table");
  Curve curve{part.key, table ? Text{"added table", "位置表"} : Text{"rotation", "旋转"}, CurveRole::line, {}, {},
              head};
  const std::vector<double>& values = offsets ? part.distances.by_offset : part.distances.by_row;
  for (std::size_t k = offsets ? 1 : 0; k < values.size(); ++k) {
    curve.x.push_back(offsets ? static_cast<double>(k) : first + static_cast<double>(k));
    curve.y.push_back(values[k] / unit);
  }
  const auto rows =
      std::make_shared<const std::vector<std::int64_t>>(offsets ? part.distances.found_at : part.distances.nearest);
  curve.term = [=, symbol = part.symbol, wave = part.wave_factor / unit](double x) {
    if (offsets && wave > 0) return scaledTerm(wave, "√Σₚ sin²(" + screenNumber(x) + " · θₚ / 2)");
    const auto row = static_cast<double>((*rows)[static_cast<std::size_t>(std::llround(offsets ? x : x - first))]);
    return scaledTerm(1 / unit,
                      differenceTerm(symbol, offsets ? first + row : x, offsets ? first + row - x : first + row));
  };
  dataset.curves.push_back(std::move(curve));
}

/// Which two positions are the closest, and whether any cannot be told apart at all.
void addClosest(Dataset& dataset, const Part& part, bool normalise, double first) {
  const Distances& d = part.distances;
  const double unit = normalise && part.row_length > 0 ? part.row_length : 1;
  const auto row = std::ranges::min_element(d.by_row) - d.by_row.begin();
  const std::int64_t other = d.nearest[static_cast<std::size_t>(row)];
  const std::int64_t apart = std::abs(row - other);
  const double smallest = d.by_row[static_cast<std::size_t>(row)];
  dataset.metrics.push_back({"smallest_distance", {"smallest distance", "最小距离"}, smallest / unit, ""});
  dataset.metrics.push_back({"smallest_offset",
                             {"offset of the smallest distance", "最小距离处的偏移"},
                             static_cast<double>(apart),
                             "tokens"});
  const auto twins = std::ranges::count_if(d.by_row, [&](double v) { return v <= same_share * part.row_length; });
  dataset.metrics.push_back(
      {"twins", {"positions encoded like another one", "与另一位置编码相同的位置数"}, static_cast<double>(twins), ""});
  const auto number = [&](std::int64_t i) { return readable(first + static_cast<double>(i)); };
  const std::string i = number(std::min<std::int64_t>(row, other));
  const std::string j = number(std::max<std::int64_t>(row, other));
  // The number and what it counts in: without that, one in row lengths would be taken for ‖P[i] − P[j]‖.
  const auto length = [&](double value) {
    const std::string shown = readable(value / unit);
    return !normalise ? Text{shown, shown} : Text{shown + " row lengths", shown + " 倍行长"};
  };
  const Text distance = length(smallest);
  const std::string tokens = readable(static_cast<double>(apart));
  if (twins > 0) {
    const std::string some = readable(static_cast<double>(twins));
    const std::string all = readable(static_cast<double>(d.by_row.size()));
    dataset.remarks.push_back(
        {Verdict::warning,
         {some + " of " + all + " positions have the same encoding as another one, " + i + " and " + j +
              " for instance.",
          all + " 个位置中有 " + some + " 个与另一个位置的编码相同，例如 " + i + " 与 " + j + "。"}});
  } else if (apart == 1) {
    dataset.remarks.push_back(
        {Verdict::good,
         {"The two closest positions are neighbours, " + i + " and " + j + ", at a distance of " + distance.en + ".",
          "最接近的两个位置是相邻的 " + i + " 与 " + j + "，距离为 " + distance.zh + "。"}});
  } else {
    // Unrelated rows are all about equally far apart: only what is much nearer than a neighbour is an alias.
    const Verdict verdict = smallest < d.by_offset[1] / 2 ? Verdict::warning : Verdict::neutral;
    const Text beside = length(d.by_offset[1]);
    dataset.remarks.push_back(
        {verdict,
         {"The two closest positions, " + i + " and " + j + ", lie " + tokens + " tokens apart: their distance is " +
              distance.en + ", that of neighbours at least " + beside.en + ".",
          "最接近的两个位置 " + i + " 与 " + j + " 相隔 " + tokens + " 个词元：距离为 " + distance.zh +
              "，而相邻位置至少为 " + beside.zh + "。"}});
  }
}

Text whyNothing(const Encoding<float>& encoding, const Shape& shape) {
  if (shape.keys() < 2)
    return {"There is one position only: no other one to compare with.", "只有一个位置：没有其他位置可比较。"};
  if (isNothing(encoding))
    return {"Without a positional encoding no position can be told from another.",
            "没有位置编码时，任何位置都无法相互区分。"};
  return {
      "This scheme says how far apart two tokens are, not where one stands: its positions have no vectors to compare.",
      "该方案只说明两个词元相距多远，不说明各自的位置：没有可比较的位置向量。"};
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const Encoding<float>& e = **encoding;
  const Expected<std::int64_t> set = headOf(options->head, e.rotation ? e.rotation->sets : 1, question);
  if (!set) return fail(set.error());
  Dataset dataset;
  const auto add = [&](std::optional<Part> part, const char* key, const char* symbol, int head) {
    if (!part) return false;
    part->key = key;
    part->symbol = symbol;
    addCurve(dataset, *part, *options, question, head);
    addClosest(dataset, *part, options->normalise, question.shape.first_position);
    return true;
  };
  if (question.shape.keys() >= 2) {
    if (Outcome ok = checkTable(e.input, question); !ok) return fail(ok.error());
    Steps steps(job, (e.input.hasTable() ? 1U : 0U) + (e.rotation ? 1U : 0U));
    const int head = e.rotation && e.rotation->sets > 1 ? static_cast<int>(*set) : -1;
    if (e.input.hasTable() && !add(tablePart(dataset, e.input, question, steps.next()), "table", "P", -1))
      return stopped();
    if (e.rotation && !add(rotationPart(dataset, *e.rotation, *set, question, steps.next()), "rotation", "R", head))
      return stopped();
  }
  if (dataset.curves.empty()) {
    dataset.nothing = whyNothing(e, question.shape);
    return dataset;
  }
  const bool offsets = options->against == Against::offset;
  dataset.x = offsets ? offsetAxis(1, true) : positionAxis(question.shape);
  dataset.y = options->normalise ? valueAxis({"distance in row lengths", "距离（以行长为单位）"})
                                 : valueAxis({"distance", "距离"});
  addTrainedMark(dataset, question.train_length, true);
  return dataset;
}

}  // namespace

Measure aliasing() {
  return {
      "aliasing",
      {"Aliasing", "混叠"},
      {"How far the vectors of two positions lie from each other: rows of an added table, or the turned unit vectors "
       "of a rotation. Where the curve comes close to 0, two positions look alike; safe encodings have neighbours as "
       "their closest positions.",
       "两个位置的向量相距多远：位置表的各行，或旋转后的单位向量。"
       "曲线接近 0 处，两个位置难以区分；稳妥的编码中，最接近的位置应是相邻位置。"},
      "[1 + parts, seq_len − 1]: offset, then the smallest distance at it, one row for the table and the rotation; "
      "with `against` position [1 + parts, seq_len]: position, distance to the nearest other one",
      optionTable().specs(),
      answer};
}

}  // namespace posiscope::measures
