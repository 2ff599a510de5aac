// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/param_table.h"
#include "core/train/position.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace posiscope::train {

/// How a scheme of the catalogue is trained. A scheme without one cannot be trained yet.
struct Trainable {
  std::string scheme;             ///< its id in the catalogue
  std::vector<ParamSpec> params;  ///< constants that are chosen before training
  Text trained;                   ///< one sentence: what of it is learned, for people
  bool causal_only = false;
  /// Errors: those of the values, bad_shape where the model's sizes do not fit.
  std::function<Expected<std::unique_ptr<Position<float>>>(const ParamValues&, const ModelSpec&)> make;
  std::function<Expected<std::unique_ptr<Position<double>>>(const ParamValues&, const ModelSpec&)> make_double;
};

/// In the order of the catalogue's list.
const std::vector<Trainable>& trainables();
const Trainable* findTrainable(std::string_view scheme);

/// Errors: unknown_name (no scheme), not_supported (a scheme that cannot be trained yet), those of `make`.
template <class T>
Expected<std::unique_ptr<Position<T>>> makePosition(const ModelSpec& spec);

/// Builds one from a struct of constants, its table, and a class template `P<T>(const Params&, const ModelSpec&)` with
/// an optional `static Outcome check(const Params&, const ModelSpec&)`.
template <template <class> class P, class Params>
Trainable makeTrainable(std::string scheme, ParamTable<Params> table, Text trained) {
  auto shared = std::make_shared<const ParamTable<Params>>(std::move(table));
  const auto make = [shared, scheme]<class T>(const ParamValues& values, const ModelSpec& spec,
                                              T) -> Expected<std::unique_ptr<Position<T>>> {
    const Expected<Params> params = shared->read(scheme, values);
    if (!params) return fail(params.error());
    if constexpr (requires { P<T>::check(*params, spec); })
      if (Outcome ok = P<T>::check(*params, spec); !ok) return fail(ok.error());
    return std::make_unique<P<T>>(*params, spec);
  };
  Trainable t;
  t.scheme = std::move(scheme);
  t.params = shared->specs();
  t.trained = std::move(trained);
  t.make = [make](const ParamValues& v, const ModelSpec& s) { return make(v, s, 0.0f); };
  t.make_double = [make](const ParamValues& v, const ModelSpec& s) { return make(v, s, 0.0); };
  return t;
}

}  // namespace posiscope::train
