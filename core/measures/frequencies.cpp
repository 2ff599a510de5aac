// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/frequencies.h"

#include "core/measures/axes.h"
#include "core/measures/derived.h"
#include "core/profile.h"

#include <algorithm>
#include <cmath>

namespace posiscope::measures {

std::vector<double> turning(const Encoding<float>& encoding, std::int64_t set) {
  if (!encoding.rotation)
    return encoding.input.frequency.empty() ? encoding.logits.score.frequency : encoding.input.frequency;
  const RotationPart& rotation = *encoding.rotation;
  if (rotation.axes == 1)
    if (auto even = offsetRotation(rotation, set)) return std::move(even->frequency);
  std::vector<double> fastest(static_cast<std::size_t>(rotation.pairs()), 0.0);
  for (std::int64_t a = 0; a < rotation.axes; ++a)
    for (std::int64_t p = 0; p < rotation.pairs(); ++p) {
      double& w = fastest[static_cast<std::size_t>(p)];
      const double other = rotation.frequencyOf(set, a, p);
      w = std::max(w, std::abs(other));
    }
  return fastest;
}

Text nothingTurns(const Encoding<float>& encoding) {
  if (!encoding.logits.score.no_angle.en.empty()) return encoding.logits.score.no_angle;
  if (encoding.logits.score.prepare)
    return {"Here position acts inside the score: there is no angle by position to show.",
            "此方案的位置作用在分数内部：没有按位置的角度可显示。"};
  // The sines of a grid have frequencies, by row and column; those of a table from a file or a formula are not known.
  if (encoding.input.hasTable())
    return {"The rows of this table are not angles that grow from token to token: no turns to show.",
            "该表的各行不是随词元逐个增长的角度：没有转动可显示。"};
  // Values that leave nothing of the scheme say so themselves.
  if (isNothing(encoding) && !encoding.warnings.empty()) return encoding.warnings.front();
  return {"This scheme has no angles and no frequencies: nothing turns with the position.",
          "该方案没有角度，也没有频率：没有任何量随位置转动。"};
}

EncodingPtr unscaledEncoding(const Question& question) {
  SchemeChoice plain = question.scheme;
  const auto scaling = plain.values.find("scaling");
  if (scaling == plain.values.end()) return nullptr;
  // Proportional scaling keeps the frequencies of the whole head, whatever share of the pairs turns.
  if (scaling->second == Value(std::string("proportional"))) plain.values.erase("rotary_share");
  plain.values.erase("scaling");
  const Expected<EncodingPtr> encoding = encodingOf(plain, question.shape);
  return encoding ? *encoding : nullptr;
}

std::vector<double> unscaled(const Question& question, std::int64_t set) {
  const EncodingPtr plain = unscaledEncoding(question);
  if (!plain || (plain->rotation && set >= plain->rotation->sets)) return {};
  return turning(*plain, set);
}

std::optional<double> pairOfWavelength(std::span<const double> frequency, double length) {
  const std::vector<double> lambda = wavelengths(frequency);
  for (std::size_t p = 0; p + 1 < lambda.size(); ++p) {
    if (!std::isfinite(lambda[p + 1]) || lambda[p] > length || lambda[p + 1] < length) continue;
    const double step = std::log(lambda[p + 1] / lambda[p]);
    return static_cast<double>(p) + (step > 0 ? std::log(length / lambda[p]) / step : 0);
  }
  return std::nullopt;
}

Text someOfPairs(std::int64_t some, std::size_t all) {
  const std::string part = readable(static_cast<double>(some));
  const std::string whole = readable(static_cast<double>(all));
  return {part + " of " + whole + " pairs", whole + " 个维度对中的 " + part + " 个"};
}

void addUnseen(Dataset& dataset, const Swept& now, const Swept& seen, double tokens) {
  const std::int64_t unseen = unseenPairs(now, seen);
  dataset.metrics.push_back({"unseen_pairs",
                             {"pairs that meet angles never trained", "遇到训练中未见角度的维度对"},
                             static_cast<double>(unseen),
                             "pairs"});
  const std::string count = readable(tokens);
  const Text some = someOfPairs(unseen, now.angle.size());
  if (unseen > 0)
    dataset.remarks.push_back({Verdict::warning,
                               {some.en + " meet angles never seen in training at " + count + " tokens.",
                                some.zh + "在 " + count + " 个词元时遇到训练中从未见过的角度。"}});
  else
    dataset.remarks.push_back({Verdict::good,
                               {"At " + count + " tokens no pair meets an angle never seen in training.",
                                "在 " + count + " 个词元时，没有维度对遇到训练中未见过的角度。"}});
}

void addStill(Dataset& dataset, std::span<const double> w) {
  const std::int64_t still = std::ranges::count(w, 0.0);
  if (still == 0) return;
  dataset.metrics.push_back(
      {"still_pairs", {"pairs that do not turn at all", "完全不转动的维度对"}, static_cast<double>(still), "pairs"});
  const Text idle = someOfPairs(still, w.size());
  dataset.remarks.push_back(
      {Verdict::neutral,
       {idle.en + " do not turn at all: they carry content only.", idle.zh + "完全不转动，只承载内容。"}});
}

namespace {

/// What becomes of the wavelengths that change, from `least` to `most` times; 0 where none does. `still`: some pairs
/// have no wavelength.
Text othersText(double least, double most, bool still) {
  if (most == 0) return {"", ""};
  const std::string en = join("the wavelengths of the others", still ? " that turn " : " ");
  const std::string zh = still ? "，其余会转动的维度对的波长" : "，其余的波长";
  const std::string low = readable(least), high = readable(most);
  if (least >= 1) return {" and stretches " + en + "up to " + high + " times", zh + "最多拉伸 " + high + " 倍"};
  if (most <= 1) return {" and shortens " + en + "down to " + low + " times", zh + "最多缩短到 " + low + " 倍"};
  return {" and changes " + en + "to between " + low + " and " + high + " times",
          zh + "变为 " + low + " 至 " + high + " 倍"};
}

}  // namespace

void addScaling(Dataset& dataset, std::span<const double> w, std::span<const double> plain) {
  std::int64_t kept = 0;
  std::vector<double> changed;
  for (std::size_t p = 0; p < w.size(); ++p) {
    if (w[p] == 0) continue;  // counted apart: addStill
    const double stretch = plain[p] / w[p];
    if (std::abs(stretch - 1) < 1e-9)
      ++kept;
    else
      changed.push_back(stretch);
  }
  const double least = changed.empty() ? 0 : std::ranges::min(changed);
  const double most = changed.empty() ? 0 : std::ranges::max(changed);
  dataset.metrics.push_back(
      {"kept_pairs", {"pairs that scaling leaves alone", "缩放未改变的维度对"}, static_cast<double>(kept), "pairs"});
  dataset.metrics.push_back({"largest_stretch",
                             {"largest stretch of a wavelength", "波长的最大拉伸倍数"},
                             kept > 0 || changed.empty() ? std::max(1.0, most) : most,
                             ""});
  const Text some = someOfPairs(kept, w.size());
  const Text others = othersText(least, most, std::ranges::count(w, 0.0) > 0);
  dataset.remarks.push_back({Verdict::neutral,
                             {"Scaling keeps " + some.en + " unchanged" + others.en + ".",
                              "缩放使 " + some.zh + "保持不变" + others.zh + "。"}});
}

}  // namespace posiscope::measures
