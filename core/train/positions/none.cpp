// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/positions/list.h"

namespace posiscope::train::positions {
namespace {

struct NoConstants {};

template <class T>
class None : public Position<T> {
 public:
  None(const NoConstants&, const ModelSpec&) {}
};

}  // namespace

Trainable none() {
  return makeTrainable<None>("none", ParamTable<NoConstants>{},
                             {"Nothing: order is known from the causal mask alone, if there is one.",
                              "没有可学习的部分：只有因果掩码（如果有）透露次序。"});
}

}  // namespace posiscope::train::positions
