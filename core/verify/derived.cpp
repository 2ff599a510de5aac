// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What follows from the sine and cosine formulas: the same pure functions that the measures draw. All of them work
// in double, so one line of tolerances fits both precisions' results.
#include "core/measures/derived.h"

#include "core/verify/quantity.h"

#include <algorithm>
#include <cmath>

namespace posiscope::verify {
namespace {

using measures::Normalise;
using measures::Sinusoid;

enum class Width { any, even };

constexpr const char* sinusoid_params = "dim base layout columns freq frequencies";

/// dim, base, layout and freq of a case.
Sinusoid readSinusoid(CaseReader& in, Width width) {
  for (const char* columns : {"layout", "columns"}) in.expect(columns, {"interleaved", "concat", "concatenated"});
  for (const char* spacing : {"freq", "frequencies"}) in.expect(spacing, {"vaswani", "paper", "endpoint"});
  const std::string columns = in.word("layout", in.word("columns", "interleaved"));
  const std::string spacing = in.word("freq", in.word("frequencies", "paper"));
  Sinusoid s{in.size("d_model", {"dim"}), in.number("base", 10000), columns.starts_with("concat"),
             spacing == "endpoint"};
  if (!(s.base > 0)) in.wrong(rangeError("derived", "base", 0, 1e9, s.base));
  if (width == Width::even && s.dim % 2 != 0)
    in.wrong(
        {ErrorCode::bad_shape,
         {join("derived: dim must be even here, got ", s.dim), join("导出量：此处 dim 必须为偶数，得到 ", s.dim)}});
  return s;
}

Normalise readNormalise(CaseReader& in) {
  const std::string name = in.word("normalize", "none");
  in.expect("normalize", {"none", "cosine", "mean", "per_dim"});
  if (name == "cosine") return Normalise::cosine;
  if (name == "mean") return Normalise::mean;
  return name == "per_dim" ? Normalise::per_dim : Normalise::none;
}

Outcome room(double rows, double cols) { return checkMemory("the derived table", rows * cols * sizeof(double)); }

template <class T>
Answer curve(const std::vector<double>& values) {
  return answer<T>({static_cast<std::int64_t>(values.size())}, values);
}
template <class T>
Answer matrix(const Table<double>& table) {
  return answer<T>({table.rows, table.cols}, table.values);
}

/// Curves over offsets: similarity, decay, bound, distance.
template <class T>
Expected<Answer> overOffsets(CaseReader& in, const std::string& key) {
  const std::vector<double> offsets = in.positions();
  const Sinusoid s = readSinusoid(in, Width::even);
  const Normalise n = readNormalise(in);
  if (in.problem()) return fail(*in.problem());
  if (key == "similarity_curve") return curve<T>(measures::similarityCurve(s, offsets, n));
  if (key == "rope_decay_ones") return curve<T>(measures::ropeDecayOnes(s.dim, s.base, offsets, n));
  if (key == "rope_bound") return curve<T>(measures::ropeBound(s.dim, s.base, offsets));
  return curve<T>(measures::distanceCurve(s, offsets));
}

template <class T>
Expected<Answer> decaySamples(CaseReader& in) {
  const std::vector<double> offsets = in.positions();
  in.expect("layout", {"interleaved", "half"});
  const std::int64_t dim = in.size("d_model", {"dim"});
  const double base = in.number("base", 10000);
  const Array q = in.array("q", {-1, dim});
  if (in.problem()) return fail(*in.problem());
  const Array k = in.array("k", q.shape);
  if (dim % 2 != 0 || !(base > 0))
    in.wrong(
        {ErrorCode::bad_shape, {join("derived: dim must be even and base positive, got ", dim, " and ", base), {}}});
  if (in.problem()) return fail(*in.problem());
  const Pairing pairing = in.word("layout", "interleaved") == "half" ? Pairing::half : Pairing::interleaved;
  return curve<T>(
      measures::ropeDecaySamples(pairing, base, {q.data(), q.shape[0], dim}, {k.data(), k.shape[0], dim}, offsets));
}

template <class T>
Expected<Answer> fromTable(CaseReader& in, const std::string& key) {
  const std::vector<double> positions = in.positions();
  const Sinusoid s = readSinusoid(in, Width::any);
  const Normalise n = readNormalise(in);
  if (in.problem()) return fail(*in.problem());
  const auto count = static_cast<double>(positions.size());
  if (key == "similarity_matrix") {
    if (Outcome ok = room(count, count); !ok) return fail(ok.error());
    return matrix<T>(measures::similarityMatrix(s, positions, n));
  }
  if (Outcome ok = room(count, static_cast<double>(s.dim)); !ok) return fail(ok.error());
  const Table<double> table = measures::sinusoidTable(s, positions);
  if (key == "norms") return curve<T>(measures::norms(rowsOf(table)));
  const bool scale_words = in.boolean("scale_words", false);
  const Array words = in.array("words", {-1, s.dim});
  if (in.problem()) return fail(*in.problem());
  if (Outcome ok = room(count, static_cast<double>(words.shape[0])); !ok) return fail(ok.error());
  Table<double> ratio = measures::normRatio(rowsOf(table), {words.data(), words.shape[0], s.dim}, scale_words);
  if (key == "norm_class")
    for (double& r : ratio.values) r = measures::normClass(r);
  return matrix<T>(ratio);
}

template <class T>
Expected<Answer> wordNorm(CaseReader& in) {
  const std::int64_t dim = in.size("d_model", {"dim"});
  const double deviation = in.number("std");
  if (in.problem()) return fail(*in.problem());
  return curve<T>({measures::expectedWordNorm(dim, deviation)});
}

template <class T>
Expected<Answer> shiftMatrix(CaseReader& in) {
  const Sinusoid s = readSinusoid(in, Width::even);
  const double k = in.number("k");
  if (in.problem()) return fail(*in.problem());
  if (Outcome ok = room(static_cast<double>(s.dim), static_cast<double>(s.dim)); !ok) return fail(ok.error());
  return matrix<T>(measures::shiftMatrix(s, k));
}

template <class T>
Expected<Answer> fromFrequencies(CaseReader& in, const std::string& key) {
  const Sinusoid s = readSinusoid(in, Width::even);
  const std::vector<double> lengths = key == "wavelengths" ? std::vector<double>{} : in.list("lengths");
  if (in.problem()) return fail(*in.problem());
  const std::vector<double> frequency = measures::frequencies(s);
  if (key == "wavelengths") return curve<T>(measures::wavelengths(frequency));
  if (s.base == 1)
    return fail(ErrorCode::not_defined, "derived: base 1 has no critical dimension: all pairs turn alike",
                "导出量：底数为 1 时没有临界维度，所有维度对转速相同");
  std::vector<double> dims;
  for (const double length : lengths)
    dims.push_back(static_cast<double>(key == "critical_dim" ? measures::criticalDim(frequency, length)
                                                             : measures::incompleteDims(frequency, length)));
  return curve<T>(dims);
}

template <class T>
Expected<Answer> nearestPair(CaseReader& in) {
  const Sinusoid s = readSinusoid(in, Width::even);
  const std::int64_t count = in.integer("count", 2, 1 << 24);
  if (in.problem()) return fail(*in.problem());
  const measures::DistanceRange r = measures::minDistance(s, count);
  return curve<T>({r.minimum, r.minimum_offset, r.maximum, r.maximum_offset});
}

template <class T>
Expected<Answer> rounded(CaseReader& in) {
  std::vector<double> values = in.positions();
  const std::string name = in.word("format", "");
  in.expect("format", {"bf16", "fp16", "fp32"});
  if (name.empty()) in.notSupported("rounding without a format");
  if (in.problem()) return fail(*in.problem());
  const auto format = name == "bf16"   ? measures::FloatFormat::bf16
                      : name == "fp16" ? measures::FloatFormat::fp16
                                       : measures::FloatFormat::fp32;
  for (double& value : values) value = measures::rounded(value, format);
  return curve<T>(values);
}

}  // namespace

void addDerived(std::vector<Quantity>& list) {
  for (const std::string key : {"similarity_curve", "rope_decay_ones", "rope_bound", "distance_curve"}) {
    const bool rotary = key.starts_with("rope");
    const bool scaled = key == "similarity_curve" || key == "rope_decay_ones";
    list.push_back(quantityAt("derived", key,
                              join(rotary ? "dim base layout" : sinusoid_params, scaled ? " normalize" : ""), "",
                              [key]<class T>(CaseReader& in, const Job&) { return overOffsets<T>(in, key); }));
  }
  list.push_back(quantityAt("derived", "rope_decay_samples", "dim base layout", "q k",
                            []<class T>(CaseReader& in, const Job&) { return decaySamples<T>(in); }));
  for (const std::string key : {"similarity_matrix", "norms", "norm_ratio", "norm_class"}) {
    const bool words_given = key == "norm_ratio" || key == "norm_class";
    list.push_back(quantityAt("derived", key,
                              std::string(sinusoid_params) + (words_given ? " scale_words" : "") +
                                  (key == "similarity_matrix" ? " normalize" : ""),
                              words_given ? "words" : "",
                              [key]<class T>(CaseReader& in, const Job&) { return fromTable<T>(in, key); }));
  }
  list.push_back(quantity("derived", "expected_word_norm", "dim std", "",
                          []<class T>(CaseReader& in, const Job&) { return wordNorm<T>(in); }));
  list.push_back(quantity("derived", "shift_matrix", join(sinusoid_params, " k"), "",
                          []<class T>(CaseReader& in, const Job&) { return shiftMatrix<T>(in); }));
  for (const std::string key : {"wavelengths", "critical_dim", "incomplete_dims"})
    list.push_back(quantity("derived", key, join("dim base freq frequencies", key == "wavelengths" ? "" : " lengths"),
                            "", [key]<class T>(CaseReader& in, const Job&) { return fromFrequencies<T>(in, key); }));
  list.push_back(quantity("derived", "min_distance", "dim base freq frequencies count", "",
                          []<class T>(CaseReader& in, const Job&) { return nearestPair<T>(in); }));
  list.push_back(quantityAt("derived", "position_rounding", "format", "",
                            []<class T>(CaseReader& in, const Job&) { return rounded<T>(in); }));
}

}  // namespace posiscope::verify
