// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/job.h"
#include "core/verify/case_reader.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace posiscope::verify {

/// What was computed for one case.
struct Answer {
  Array array;
  /// Sums of products formed in the kernel's own scalar (logits, weights, outputs): in float these are compared at
  /// the `f32_naive` line. Everything else has double inside and is compared at `f32`.
  bool product = false;
  std::map<std::string, double> scalars;
};

/// One thing a manifest can ask for. The parameters and inputs it knows are listed, so that a case with any other
/// is reported as not supported instead of being computed as if it were not there.
struct Quantity {
  std::vector<std::string> schemes;  ///< as manifests spell them
  std::string key;                   ///< `output`, or `quantity` where there is none
  std::vector<std::string> params;
  std::vector<std::string> inputs;
  bool positions = false;  ///< does it use a list of positions?
  std::function<Expected<Answer>(CaseReader&, const Job&)> single;
  std::function<Expected<Answer>(CaseReader&, const Job&)> double_;
};

/// "a b c" → {"a", "b", "c"}: keeps the tables below readable.
std::vector<std::string> words(std::string_view text);

/// `compute` is `[]<class T>(CaseReader&, const Job&) -> Expected<Answer>`: one formula, instantiated for both
/// precisions.
template <class F>
Quantity quantity(std::string_view schemes, std::string key, std::string_view params, std::string_view inputs,
                  F compute) {
  Quantity q;
  q.schemes = words(schemes);
  q.key = std::move(key);
  q.params = words(params);
  q.inputs = words(inputs);
  q.single = [compute](CaseReader& in, const Job& job) { return compute.template operator()<float>(in, job); };
  q.double_ = [compute](CaseReader& in, const Job& job) { return compute.template operator()<double>(in, job); };
  return q;
}
/// The same for one that works on the case's positions.
template <class F>
Quantity quantityAt(std::string_view schemes, std::string key, std::string_view params, std::string_view inputs,
                    F compute) {
  Quantity q = quantity(schemes, std::move(key), params, inputs, std::move(compute));
  q.positions = true;
  return q;
}

/// Values as the precision T stores them: formulas work in double and are rounded once.
template <class T, class U>
Answer answer(std::vector<std::int64_t> shape, std::span<const U> values) {
  std::vector<double> stored(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) stored[i] = static_cast<double>(static_cast<T>(values[i]));
  return {makeArray(std::move(shape), std::move(stored)), false, {}};
}
template <class T, class U>
Answer answer(std::vector<std::int64_t> shape, const std::vector<U>& values) {
  return answer<T>(std::move(shape), std::span<const U>(values));
}

/// The same, marked as a product.
template <class T, class U>
Answer product(std::vector<std::int64_t> shape, const std::vector<U>& values) {
  Answer a = answer<T>(std::move(shape), values);
  a.product = true;
  return a;
}

/// An input in the precision of the kernel.
template <class T>
std::vector<T> valuesAs(const Array& array) {
  return array.empty() ? std::vector<T>{} : std::vector<T>(array.data(), array.data() + array.size());
}

/// The schemes' quantities, one function per file of this folder.
void addAbsolute(std::vector<Quantity>& list);
void addGridTables(std::vector<Quantity>& list);
void addCombinations(std::vector<Quantity>& list);
void addSparse(std::vector<Quantity>& list);
void addRotary(std::vector<Quantity>& list);
void addRotarySets(std::vector<Quantity>& list);
void addRotaryGrids(std::vector<Quantity>& list);
void addRotaryParts(std::vector<Quantity>& list);
void addDerived(std::vector<Quantity>& list);
void addBias(std::vector<Quantity>& list);
void addAttention(std::vector<Quantity>& list);
void addRelative(std::vector<Quantity>& list);
void addContent(std::vector<Quantity>& list);
void addPositionMaps(std::vector<Quantity>& list);
void addProducts(std::vector<Quantity>& list);
void addDistances(std::vector<Quantity>& list);
void addDisentangled(std::vector<Quantity>& list);
void addGrids(std::vector<Quantity>& list);
void addHeads(std::vector<Quantity>& list);
void addLengths(std::vector<Quantity>& list);

/// Everything that can be verified.
const std::vector<Quantity>& quantities();
/// Null when nothing of that scheme and key is known.
const Quantity* findQuantity(std::string_view scheme, std::string_view key);

}  // namespace posiscope::verify
