// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/positions/list.h"
#include "core/train/positions/offset_bias.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace posiscope::train::positions {
namespace {

enum class Form { log, power };

struct Constants {
  Form form = Form::log;
};

constexpr double smallest = 0.01, largest_power = 2;  // the authors' clamp

template <class T>
class Kerple : public OffsetBias<T> {
 public:
  Kerple(const Constants& constants, const ModelSpec& spec) : OffsetBias<T>(spec.num_heads), form_(constants.form) {}

  std::vector<Parameter> parameters() const override {
    const auto rate = [this](const char* name, double range) {
      return Parameter{.name = name, .shape = {this->heads_}, .initial = {Initial::Kind::uniform, range, smallest}};
    };
    return {rate("pe.r1", 2), rate("pe.r2", 1)};
  }
  void refresh(const T* parameters) override {
    this->values_ = parameters;
    for (std::int64_t h = 0; h < this->heads_; ++h)
      for (std::int64_t n = 1 - this->length_; n < this->length_; ++n) this->set(h, n, -r1(h) * growth(h, n));
  }
  void finish(const T* sums, T* gradient) override {
    for (std::int64_t h = 0; h < this->heads_; ++h) {
      double d1 = 0, d2 = 0;
      for (std::int64_t n = 1 - this->length_; n < this->length_; ++n) {
        const double g = this->sumOf(sums, h, n);
        d1 -= g * growth(h, n);
        d2 -= g * r1(h) * growthByRate(h, n);
      }
      gradient[h] = static_cast<T>(d1);
      gradient[this->heads_ + h] = static_cast<T>(d2);
    }
  }
  void clamp(T* parameters) const override {
    for (std::int64_t h = 0; h < this->heads_; ++h) {
      parameters[h] = std::max(parameters[h], T(smallest));
      T& r2 = parameters[this->heads_ + h];
      r2 = std::max(r2, T(smallest));
      if (form_ == Form::power) r2 = std::min(r2, T(largest_power));
    }
  }

 private:
  double r1(std::int64_t h) const { return static_cast<double>(this->values_[h]); }
  double r2(std::int64_t h) const { return static_cast<double>(this->values_[this->heads_ + h]); }
  /// ln(1 + r2·|n|) or |n|^r2.
  double growth(std::int64_t h, std::int64_t n) const {
    const auto distance = static_cast<double>(std::abs(n));
    return form_ == Form::log ? std::log1p(r2(h) * distance) : std::pow(distance, r2(h));
  }
  /// Its derivative in r2; 0 at n = 0 in both forms.
  double growthByRate(std::int64_t h, std::int64_t n) const {
    const auto distance = static_cast<double>(std::abs(n));
    if (n == 0) return 0;
    return form_ == Form::log ? distance / (1 + r2(h) * distance) : std::pow(distance, r2(h)) * std::log(distance);
  }

  Form form_;
};

ParamTable<Constants> constantsTable() {
  ParamTable<Constants> t;
  t.choice("form", &Constants::form, {{"log", {"logarithmic", "对数"}}, {"power", {"power", "幂"}}},
           {{"form", "形式"}, {"−r₁·ln(1 + r₂·|n|) or −r₁·|n|^r₂.", "−r₁·ln(1 + r₂·|n|) 或 −r₁·|n|^r₂。"}, "variant"});
  return t;
}

}  // namespace

Trainable kerple() {
  return makeTrainable<Kerple>("kerple", constantsTable(),
                               {"Two rates for each head, shared by the layers.", "每个头两个速率，各层共用。"});
}

}  // namespace posiscope::train::positions
