// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/trainable.h"

#include "core/schemes/list.h"
#include "core/train/positions/list.h"

#include <algorithm>
#include <type_traits>

namespace posiscope::train {

const std::vector<Trainable>& trainables() {
  using namespace positions;
  static const std::vector<Trainable> all{
      none(), sinusoidal(), learned(), rope(),      t5Log(),   alibi(),     shaw(),         transformerXl(), kerple(),
      fire(), cope(),       hybrid(),  layerwise(), dynamic(), learned2d(), sinusoidal2d(), conditional()};
  return all;
}

const Trainable* findTrainable(std::string_view scheme) {
  const auto found = std::ranges::find(trainables(), scheme, &Trainable::scheme);
  return found == trainables().end() ? nullptr : &*found;
}

template <class T>
Expected<std::unique_ptr<Position<T>>> makePosition(const ModelSpec& spec) {
  const std::string& id = spec.position.scheme;
  const Trainable* trainable = findTrainable(id);
  if (!trainable) {
    std::string known;
    for (const Trainable& t : trainables()) known += (known.empty() ? "" : ", ") + t.scheme;
    if (schemes::find(id))
      return fail(ErrorCode::not_supported, join("the scheme '", id, "' cannot be trained yet; trained are: ", known),
                  join("方案“", id, "”还不能训练；可训练的有：", known));
    return fail(ErrorCode::unknown_name, join("there is no scheme '", id, "'; trained are: ", known),
                join("没有方案“", id, "”；可训练的有：", known));
  }
  if constexpr (std::is_same_v<T, float>)
    return trainable->make(spec.position.values, spec);
  else
    return trainable->make_double(spec.position.values, spec);
}

template Expected<std::unique_ptr<Position<float>>> makePosition(const ModelSpec&);
template Expected<std::unique_ptr<Position<double>>> makePosition(const ModelSpec&);

}  // namespace posiscope::train
