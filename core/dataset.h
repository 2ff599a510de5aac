// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/error.h"
#include "core/field.h"
#include "core/text.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace posiscope {

/// One axis of a map or of curves: what the numbers along it mean.
struct Axis {
  Text name;
  std::string symbol;        ///< "i", "j", "p"; may be empty
  std::string unit;          ///< "tokens"; may be empty
  double first = 0;          ///< value at index 0
  double step = 1;           ///< per index
  bool logarithmic = false;  ///< how it is best drawn
  /// What stands at each index where that is more than its number ("the"); null = nothing does.
  std::shared_ptr<const std::vector<std::string>> names = {};
};

/// Where the cells of a map are the patches of an image: cell (r, c) is at position first + r·width + c.
struct PatchPlaces {
  double first = 0;
  std::int64_t width = 0;
  double query = 0;  ///< position of the patch that all cells are compared with
};

enum class MapKind { sequential, diverging, cyclic };

/// A matrix with axes: one heatmap.
struct Map {
  std::string key;  ///< "cos", "head 3"
  Text label;
  std::shared_ptr<const Field> field;
  Axis rows;
  Axis cols;
  Text value;  ///< what a cell's number is ("weight")
  MapKind kind = MapKind::sequential;
  int head = -1;  ///< when it belongs to one head
  /// Which term of the formula a cell is, with its numbers: "sin(412 · 0.0135)". May be empty.
  std::function<std::string(std::int64_t row, std::int64_t col)> term = {};
  std::optional<PatchPlaces> patches = {};
};

enum class CurveRole { line, bound, band_low, band_high, mark };

struct Curve {
  std::string key;  ///< "ones", "head 3"
  Text label;
  CurveRole role = CurveRole::line;
  std::vector<double> x;
  std::vector<double> y;
  int head = -1;
  /// The formula of y at an abscissa, with its numbers: "Σₚ cos(405 · θₚ) / 64". May be empty.
  std::function<std::string(double x)> term = {};
};

/// A horizontal or vertical line or band that gives curves a scale ("trained 8192").
struct Mark {
  Text label;
  bool vertical = true;
  double from = 0;
  double to = 0;  ///< equal to `from` for a line
};

struct Metric {
  std::string key;
  Text label;
  double value = 0;
  std::string unit;
};

enum class Verdict { neutral, good, warning };
/// One sentence about these numbers.
struct Remark {
  Verdict verdict = Verdict::neutral;
  Text sentence;
};

/// One line of a card: a question about a scheme, the answer and the number that decided it.
struct Property {
  enum class Answer { yes, no, neither };  ///< neither: a count, or a question that does not apply

  std::string key;  ///< "offset_only"
  Text question;    ///< "depends on the offset only?"
  Answer answer = Answer::neither;
  /// A yes that the word restricts: at one length, up to some position. It is not drawn like one that holds throughout.
  bool qualified = false;
  Text word = {};                                           ///< the answer: "yes", "depends on content"
  double value = std::numeric_limits<double>::quiet_NaN();  ///< what was measured; NaN = nothing could be
  std::string unit = {};
  /// `yes` as long as the value is not larger; NaN = no tolerance decided.
  double tolerance = std::numeric_limits<double>::quiet_NaN();
  Text sentence = {};  ///< how it was measured, with the numbers and the place
};

/// What a measure answers for one scheme: any of maps, curves, metrics, properties. Immutable once made.
struct Dataset {
  std::vector<Map> maps;
  std::vector<Curve> curves;
  Axis x;  ///< of the curves
  Axis y;
  std::vector<Mark> marks;
  std::vector<Metric> metrics;
  std::vector<Property> properties;  ///< all of one card, in the same order for every scheme
  std::vector<Remark> remarks;
  /// Why there is nothing to draw although nothing went wrong ("NoPE has no table"); empty otherwise.
  Text nothing;
  /// Which part of the attention is shown ("content only"); empty = all of it.
  Text part;
  /// Stated when only part was computed ("first 512 of 131072 tokens"). `compute` puts before it what the figures are
  /// of, and `part` before all.
  Text scope;
  /// Less was computed than was asked, because the question allowed a draft; `scope` says what.
  bool draft = false;
  /// Position of the query that all curves belong to; NaN where they belong to none, or to several.
  double query = std::numeric_limits<double>::quiet_NaN();
  /// The angles of all pairs at a token, radians, where the curves are angles of two of them. Quick; pure.
  std::function<std::vector<double>(std::int64_t token)> angles_at = {};
};

/// The numbers of a dataset as one array: maps give [maps, rows, cols] (the first axis is dropped when there is
/// one); else curves give [1 + curves, points], row 0 the abscissa when all share it, or [2·curves, points] with
/// an abscissa before each curve when they do not; else the properties [n, 2], value and tolerance; else the
/// metrics [n]. Where maps or curves have different sizes, the missing cells are NaN. Empty where `checkNumbers`
/// refuses.
Array numbers(const Dataset& dataset);

/// The same as CSV with a header line naming the columns; numbers in the C locale, shortest text that reads back
/// exactly (single precision for maps). Maps: one line per row, "map,i,d0,d1,…" ("map" only when there are
/// several). Curves: "n,ones,same,…", or "curve,x,y" when they do not share the abscissa. Properties:
/// "property,answer,value,unit,tolerance" (empty where NaN). Metrics: "metric,value,unit". Empty where `checkNumbers`
/// refuses.
std::string csv(const Dataset& dataset);

/// May the numbers be written out? A map computed on demand can be larger than any disk; one that is stored has been
/// counted before it was computed. Error: too_large.
Outcome checkNumbers(const Dataset& dataset);

}  // namespace posiscope
