// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/readout.h"

#include "core/slow_field.h"
#include "ui/charts/samples.h"
#include "ui/paint/axes.h"
#include "ui/tiles/request.h"
#include "ui/views/map_mask.h"
#include "ui/views/scheme_text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <QCoreApplication>
#include <QStringList>

namespace posiscope::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(Readout)
};

std::optional<double> placeOn(const std::string& symbol, const Hover& hover) {
  if (symbol == "i") return hover.i;
  if (symbol == "j") return hover.j;
  if (symbol == "p") return hover.pair;
  if (symbol == "d") return hover.dim;
  if (symbol == "n") return hover.offset;
  if (symbol == "h" && hover.head) return *hover.head;
  if (const auto other = hover.other.find(symbol); other != hover.other.end()) return other->second;
  return std::nullopt;
}

std::optional<std::int64_t> indexOn(const Axis& axis, std::int64_t cells, const Hover& hover) {
  const std::optional<double> place = placeOn(axis.symbol, hover);
  if (!place || axis.step == 0) return std::nullopt;
  const double index = std::round((*place - axis.first) / axis.step);
  if (index < 0 || index >= static_cast<double>(cells)) return std::nullopt;
  return static_cast<std::int64_t>(index);
}

/// A number of a dataset at the hovered place, and what stands beside it.
struct Reading {
  std::string key;  ///< of the map or curve
  double value;
  Text name;
  std::function<std::string()> term;
  Text map = {};         ///< whose cell it is; empty = that of a curve
  bool nothing = false;  ///< a weight of a query that may look at no key
  Text curve = {};       ///< which of the curves of one scheme; empty = there is one
};

std::optional<Reading> readMap(const Map& map, const Hover& hover) {
  if (hover.head && map.head >= 0 && map.head != *hover.head) return std::nullopt;
  const auto row = indexOn(map.rows, map.field->rows(), hover);
  const auto col = indexOn(map.cols, map.field->cols(), hover);
  if (!row || !col || !isKnown(*map.field, *row)) return std::nullopt;
  return Reading{map.key,   map.field->at(*row, *col),
                 map.value, [&map, row, col] { return map.term ? map.term(*row, *col) : ""; },
                 map.label, hasNothingToAttendTo(map, *row)};
}

/// The sample of a line at the place; nothing where the line does not reach.
std::optional<std::size_t> sampleOf(const Curve& curve, double x) {
  if (curve.role != CurveRole::line) return std::nullopt;
  const std::ptrdiff_t at = sampleAt(curve, x);
  if (at < 0) return std::nullopt;
  return static_cast<std::size_t>(at);
}

/// All numbers of the dataset at the hovered place: of its maps, or where none has that place, of its curves.
std::vector<Reading> readingsAt(const Dataset& dataset, const Hover& hover) {
  std::vector<Reading> readings;
  for (const Map& map : dataset.maps)
    if (auto reading = readMap(map, hover)) readings.push_back(*std::move(reading));
  const auto x = placeOn(dataset.x.symbol, hover);
  if (!readings.empty() || !x) return readings;
  const bool several = std::ranges::count(dataset.curves, CurveRole::line, &Curve::role) > 1;
  for (const Curve& curve : dataset.curves)
    if (const auto at = sampleOf(curve, *x)) {
      readings.push_back({curve.key, curve.y[*at], dataset.y.name,
                          [&curve, x = curve.x[*at]] { return curve.term ? curve.term(x) : ""; }});
      if (several) readings.back().curve = curve.label;
    }
  return readings;
}

const Dataset* datasetOf(const Result& result, int measure, std::size_t scheme) {
  if (measure < 0 || static_cast<std::size_t>(measure) >= result.answers.size()) return nullptr;
  const std::vector<Answer>& answers = result.answers[static_cast<std::size_t>(measure)];
  if (scheme >= answers.size() || !answers[scheme].dataset) return nullptr;
  return answers[scheme].dataset->get();
}

/// "5" or, where the content has words, "5 · cat".
QString tokenText(const Result& result, int measure, const Hover& hover, const std::string& symbol, double place) {
  const QString number = numberText(place, 6);
  const Dataset* dataset = datasetOf(result, measure, static_cast<std::size_t>(hover.scheme.value_or(0)));
  if (!dataset) return number;
  std::vector<const Axis*> axes{&dataset->x};
  if (!dataset->maps.empty()) axes = {&dataset->maps.front().rows, &dataset->maps.front().cols};
  for (const Axis* axis : axes)
    if (const QString name = axis->symbol == symbol ? nameAt(*axis, place) : QString(); !name.isEmpty())
      return number + QStringLiteral(" · ") + name;
  return number;
}

/// Wavelength and turns of a pair of the hovered (or first) scheme, from the spectrum that is asked for anyway.
void addPair(std::vector<ReadoutRow>& rows, const Result& result, const Hover& hover) {
  const Experiment& e = result.request.experiment;
  const int spectrum = answerIndex(&result, {"spectrum", {}});
  const Dataset* waves = datasetOf(result, spectrum, static_cast<std::size_t>(hover.scheme.value_or(0)));
  const QString pair = numberText(*hover.pair);
  // Without the inspector the only spectrum may be that of a tile, which can count turns.
  if (!waves || waves->curves.empty() || waves->curves.front().key != "wavelength") {
    rows.push_back({Words::tr("pair p"), pair});
    return;
  }
  const auto pairs = static_cast<double>(waves->curves.front().x.size());
  if (*hover.pair >= pairs) {  // a pair of another scheme
    rows.push_back({Words::tr("pair p"), pair});
    return;
  }
  rows.push_back({Words::tr("pair p"), Words::tr("%1 of %2").arg(pair, numberText(pairs))});
  const std::optional<std::size_t> at = sampleOf(waves->curves.front(), *hover.pair);
  const double wavelength = at ? waves->curves.front().y[*at] : std::nan("");
  if (std::isnan(wavelength)) return;
  rows.push_back({Words::tr("wavelength"), Words::tr("%1 tokens").arg(numberText(wavelength))});
  if (e.train_length > 0) rows.push_back({Words::tr("turns in training"), numberText(e.train_length / wavelength, 3)});
}

/// A hover names a place, not a map or a curve: of several there, the one with the hovered value is meant.
const Reading* meantAmong(const std::vector<Reading>& readings, const Hover& hover) {
  if (!hover.value) return nullptr;
  const auto meant = std::ranges::find(readings, *hover.value, &Reading::value);
  return meant == readings.end() ? nullptr : &*meant;
}

/// The same of another scheme: its map or curve of that key, else its first one.
const Reading& alike(const std::vector<Reading>& readings, const QString& key) {
  const auto same = std::ranges::find(readings, key.toStdString(), &Reading::key);
  return same == readings.end() ? readings.front() : *same;
}

/// What is under the pointer: the key of its map or curve and what its number is called. Empty where not known.
struct Pointed {
  QString key;
  Text name = {};
};

/// The scheme, and which of its curves is read where it has several: "ALiBi · bias, head 0". Where its number is not
/// called what the one under the pointer is – of YaRN it is no cosine but its multiple –, this too.
QString nameOf(const SchemeChoice& choice, const std::vector<SchemeChoice>& schemes, const Reading& reading,
               const Pointed& pointed, const Style& style) {
  QString name = style.text(displayName(choice, schemes));
  if (!reading.curve.en.empty()) name += QStringLiteral(" · ") + style.text(reading.curve);
  if (pointed.key.toStdString() == reading.key && pointed.name != reading.name)
    name += QStringLiteral(" · ") + style.text(reading.name);
  return name;
}

QString shownText(const Reading& reading) {
  return reading.nothing ? Words::tr("nothing to attend to") : numberText(reading.value);
}

/// The number under the pointer, what it is called and which term of the formula it is.
Pointed addValue(PointerReadout& readout, const Result& result, int measure, const Hover& hover, const Style& style) {
  Pointed pointed;
  QString name = hover.difference ? Words::tr("difference") : Words::tr("value");
  QString shown = numberText(*hover.value);
  const auto scheme = static_cast<std::size_t>(hover.scheme.value_or(0));
  if (const Dataset* here = hover.difference ? nullptr : datasetOf(result, measure, scheme)) {
    const std::vector<Reading> readings = readingsAt(*here, hover);
    if (const Reading* meant = meantAmong(readings, hover)) {
      name = style.text(meant->name);
      shown = shownText(*meant);
      readout.term = QString::fromStdString(meant->term());
      pointed = {QString::fromStdString(meant->key), meant->name};
      // Layers have the same heads: only the map tells them apart.
      if (!meant->map.en.empty() && std::ranges::count(readings, meant->name, &Reading::name) > 1)
        readout.place.push_back({Words::tr("map"), style.text(meant->map)});
    }
  }
  // The wavelength of a pair stands there already, with its unit, where the view shows just that.
  if (std::ranges::find(readout.place, name, &ReadoutRow::name) == readout.place.end())
    readout.place.push_back({name, shown});
  return pointed;
}

/// Places on axes that only some views have are called what those axes are called.
void addOther(std::vector<ReadoutRow>& rows, const Result& result, int measure, const Hover& hover,
              const Style& style) {
  const Dataset* dataset = datasetOf(result, measure, static_cast<std::size_t>(hover.scheme.value_or(0)));
  if (!dataset || dataset->maps.empty()) return;
  for (const Axis* axis : {&dataset->maps.front().rows, &dataset->maps.front().cols})
    if (const auto place = hover.other.find(axis->symbol); place != hover.other.end())
      rows.push_back({axisTitle(*axis, style), numberText(place->second, 6)});
}

}  // namespace

PointerReadout readPointer(const Result& result, int measure, const Hover& hover, const Style& style) {
  PointerReadout readout;
  std::vector<ReadoutRow>& rows = readout.place;
  addOther(rows, result, measure, hover, style);
  if (hover.i)
    rows.push_back(
        {hover.j ? Words::tr("query i") : Words::tr("position i"), tokenText(result, measure, hover, "i", *hover.i)});
  if (hover.j) rows.push_back({Words::tr("key j"), tokenText(result, measure, hover, "j", *hover.j)});
  if (hover.offset) rows.push_back({Words::tr("offset i − j"), numberText(*hover.offset, 6)});
  if (hover.dim) rows.push_back({Words::tr("dimension d"), numberText(*hover.dim)});
  if (hover.head)
    rows.push_back(
        {Words::tr("head"), Words::tr("%1 of %2").arg(*hover.head).arg(result.request.experiment.shape.num_heads)});
  if (hover.pair) addPair(rows, result, hover);
  const Pointed pointed = hover.value ? addValue(readout, result, measure, hover, style) : Pointed();
  const std::vector<SchemeChoice>& schemes = result.request.experiment.schemes;
  for (std::size_t s = 0; s < schemes.size(); ++s)
    if (const Dataset* dataset = datasetOf(result, measure, s))
      if (const auto readings = readingsAt(*dataset, hover); !readings.empty()) {
        const Reading& read = alike(readings, pointed.key);
        readout.schemes.push_back(
            {nameOf(schemes[s], schemes, read, pointed, style), shownText(read), schemes[s].colour});
      }
  return readout;
}

std::vector<SchemeRemark> remarksOf(const Result& result, int measure, const Style& style) {
  std::vector<SchemeRemark> remarks;
  const std::vector<SchemeChoice>& schemes = result.request.experiment.schemes;
  for (std::size_t s = 0; s < schemes.size(); ++s)
    if (const Dataset* dataset = datasetOf(result, measure, s))
      for (const Remark& remark : dataset->remarks)
        remarks.push_back({style.text(displayName(schemes[s], schemes)), style.text(remark.sentence), remark.verdict,
                           schemes[s].colour});
  return remarks;
}

std::vector<SchemeRemark> withSeedRemarks(std::vector<SchemeRemark> remarks, const Result& result, const Style& style) {
  QString sentence = style.text(drawnText());
  sentence[0] = sentence[0].toUpper();
  sentence += style.text({".", "。"});
  const std::vector<SchemeChoice>& schemes = result.request.experiment.schemes;
  for (const SchemeChoice& choice : schemes) {
    if (!choice.visible || !isDrawnFromSeed(choice)) continue;
    const QString name = style.text(displayName(choice, schemes));
    const auto own = std::ranges::find_if(
        remarks, [&](const SchemeRemark& remark) { return remark.colour == choice.colour && remark.scheme == name; });
    remarks.insert(own, {name, sentence, Verdict::neutral, choice.colour});
  }
  return remarks;
}

QString readoutLine(const PointerReadout& readout) {
  QStringList parts;
  for (const ReadoutRow& row : readout.place) parts.append(row.name + QLatin1Char(' ') + row.value);
  if (!readout.term.isEmpty()) parts.append(readout.term);
  for (const ReadoutRow& row : readout.schemes) parts.append(row.name + QLatin1Char(' ') + row.value);
  return parts.join(QStringLiteral(" · "));
}

}  // namespace posiscope::ui
