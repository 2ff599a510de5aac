// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/trained_angles.h"

#include "core/measures/axes.h"
#include "core/measures/frequencies.h"
#include "core/schemes/list.h"
#include "core/screen_number.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

namespace posiscope::measures {
namespace {

constexpr double whole_turn = 2 * std::numbers::pi;

/// Of an axis: its places, each a step long, and that step, the smallest between two of them.
struct Extent {
  double whole = 0;
  double step = 0;
};

Extent extentOf(std::span<const double> position) {
  std::vector<double> places(position.begin(), position.end());
  std::ranges::sort(places);
  const double range = places.back() - places.front();
  double step = range;
  for (std::size_t i = 1; i < places.size(); ++i) {
    const double gap = places[i] - places[i - 1];
    if (gap > 1e-9 * range) step = std::min(step, gap);  // less is rounding: the same place
  }
  // Where all stand at one place, nothing turns, and there is no step to count it by.
  return {range + step, step};
}

/// At positions of their own: a pair that reads one axis goes as far as that does; directions across several are looked
/// at token by token.
Swept atOwnPositions(const RotationPart& rotation, std::int64_t set) {
  const std::size_t tokens = rotation.position.size() / static_cast<std::size_t>(rotation.axes);
  std::vector<Extent> extents;
  for (std::int64_t a = 0; a < rotation.axes; ++a)
    extents.push_back(extentOf(std::span(rotation.position).subspan(static_cast<std::size_t>(a) * tokens, tokens)));
  Swept swept;
  for (std::int64_t p = 0; p < rotation.pairs(); ++p) {
    double reach = 0, step = 0;
    std::int64_t read = 0;
    for (std::int64_t a = 0; a < rotation.axes; ++a) {
      const double w = std::abs(rotation.frequencyOf(set, a, p));
      const Extent& extent = extents[static_cast<std::size_t>(a)];
      read += w != 0 ? 1 : 0;
      reach += w * extent.whole;
      step += w * extent.step;
    }
    if (read > 1) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t t = 0; t < tokens; ++t) {
        const double angle = rotation.angle(set, static_cast<std::int64_t>(t), p);
        low = std::min(low, angle);
        high = std::max(high, angle);
      }
      reach = high - low + step;
    }
    swept.angle.push_back(reach);
    swept.step.push_back(step);
  }
  return swept;
}

/// Radians per token where positions count tokens.
std::vector<double> perToken(const Encoding<float>& encoding, std::int64_t set) {
  if (!encoding.rotation || encoding.rotation->axes == 1) return turning(encoding, set);
  const RotationPart& rotation = *encoding.rotation;
  const double step = rotation.position[1] - rotation.position[0];
  std::vector<double> w(static_cast<std::size_t>(rotation.pairs()), 0.0);
  for (std::int64_t a = 0; a < rotation.axes; ++a)
    for (std::int64_t p = 0; p < rotation.pairs(); ++p)
      w[static_cast<std::size_t>(p)] += step * rotation.frequencyOf(set, a, p);
  return w;
}

/// Angles per token, but for rounding.
bool sameSteps(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b, [](double x, double y) { return std::abs(x - y) <= 1e-9 * std::abs(y); });
}

/// The shape with a sequence of so many tokens, on no grid.
Shape lengthOf(Shape shape, std::int64_t tokens) {
  shape.seq_len = tokens;
  shape.seq_len_q = 0;
  shape.grid_height = shape.grid_width = 0;
  return shape;
}

/// The same pairs of the same heads.
bool sameHeads(const Encoding<float>& a, const Encoding<float>& b) {
  if (!a.rotation || !b.rotation) return !a.rotation && !b.rotation && turning(a, 0).size() == turning(b, 0).size();
  return a.rotation->sets == b.rotation->sets && a.rotation->pairs() == b.rotation->pairs();
}

/// Has a token, before scaling, another step in a sequence of another length? A few tokens tell, without the large
/// tables of many; where so few are refused, the scheme is taken to be of one length.
bool dependsOnLength(const Question& question, const Encoding<float>& plain) {
  Question few = question;
  few.shape = lengthOf(question.shape, question.shape.keys() == 2 ? 3 : 2);
  if (const EncodingPtr unscaled = unscaledEncoding(few)) return !sameSteps(turning(plain, 0), turning(*unscaled, 0));
  // Not remembered: it would push out an encoding that views need again.
  const Expected<Encoding<float>> encoding = schemes::find(few.scheme.id)->encode(few.scheme.values, few.shape);
  return encoding && !sameSteps(turning(plain, 0), turning(*encoding, 0));
}

/// The encoding before scaling in the training length; null where there is none, or none that counts tokens.
EncodingPtr encodingThen(const Question& question, const TrainedAngles& angles) {
  Question then = question;
  then.shape = lengthOf(question.shape, std::max<std::int64_t>(1, std::llround(angles.tokens)));
  EncodingPtr encoding = unscaledEncoding(then);
  if (!encoding)
    if (const Expected<EncodingPtr> as_is = encodingOf(then)) encoding = *as_is;
  if (!encoding || !sameHeads(*encoding, *angles.now)) return nullptr;
  return !encoding->rotation || countsTokens(*encoding->rotation) ? encoding : nullptr;
}

}  // namespace

bool countsTokens(const RotationPart& rotation) {
  const std::vector<double>& p = rotation.position;
  const std::size_t tokens = p.size() / static_cast<std::size_t>(rotation.axes);
  if (tokens < 2) return rotation.axes == 1;
  const double step = p[1] - p[0];
  for (std::size_t t = 1; t < tokens; ++t)
    if (std::abs(p[t] - p[t - 1] - step) > 1e-9 * std::max(1.0, std::abs(p[t]))) return false;
  for (std::size_t t = tokens; t < p.size(); ++t)
    if (p[t] != p[t % tokens]) return false;
  return step != 0;
}

bool Swept::completes(std::size_t pair) const {
  // Octaves of stretched coordinates make exactly one turn, whatever the length: rounding must not decide.
  return angle[pair] >= whole_turn * (1 - 1e-12);
}

std::string Swept::term(std::size_t pair) const {
  const std::string p = subscript(static_cast<std::int64_t>(pair));
  return "(max φ" + p + " − min φ" + p + " + Δφ" + p + ") / 2π = (" + screenNumber(angle[pair] - step[pair]) + " + " +
         screenNumber(step[pair]) + ") / 2π";
}

std::vector<double> Swept::turns() const {
  std::vector<double> turns;
  for (const double a : angle) turns.push_back(a / whole_turn);
  return turns;
}

Swept TrainedAngles::sweptBy(const Encoding<float>& encoding, std::int64_t set, double length) const {
  if (!by_token) return atOwnPositions(*encoding.rotation, set);
  Swept swept;
  for (const double w : perToken(encoding, set)) {
    swept.angle.push_back(std::abs(w) * length);
    swept.step.push_back(std::abs(w));
  }
  return swept;
}

Swept TrainedAngles::nowOf(std::int64_t set) const { return sweptBy(*now, set, keys); }

Swept TrainedAngles::seenOf(std::int64_t set) const {
  const std::vector<double> w = turning(*now, set);
  Swept seen = sweptBy(*then, set, tokens);
  // No scaling stops a pair that was trained to turn: what never turns did not do so in training either.
  for (std::size_t p = 0; p < w.size(); ++p)
    if (w[p] == 0) seen.angle[p] = 0;
  return seen;
}

Expected<TrainedAngles> trainedAngles(const Question& question) {
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  TrainedAngles angles;
  angles.now = *encoding;
  angles.plain = unscaledEncoding(question);
  if (!angles.plain || !sameHeads(*angles.plain, *angles.now)) angles.plain = angles.now;
  angles.then = angles.plain;
  angles.by_token = !angles.now->rotation || countsTokens(*angles.now->rotation);
  angles.keys = static_cast<double>(question.shape.keys());
  angles.known = question.train_length > 0;
  angles.tokens = angles.known ? question.train_length : angles.keys;
  if (!angles.known || angles.tokens == angles.keys) return angles;
  if (angles.by_token) {
    if (!dependsOnLength(question, *angles.plain)) return angles;
    if (EncodingPtr then = encodingThen(question, angles)) {
      angles.then = std::move(then);
      return angles;
    }
  }
  // Which grid so many tokens were, or which ids they had, nobody knows.
  angles.known = false;
  angles.tokens = angles.keys;
  return angles;
}

std::int64_t unseenPairs(const Swept& now, const Swept& seen) {
  std::int64_t unseen = 0;
  for (std::size_t p = 0; p < now.angle.size() && p < seen.angle.size(); ++p)
    // Interpolation by exactly the ratio of the lengths ends where training ended: half a step more is none.
    unseen += !seen.completes(p) && now.angle[p] > seen.angle[p] + 0.5 * seen.step[p] ? 1 : 0;
  return unseen;
}

Text placesText(const TrainedAngles& angles, const Shape& shape, double tokens) {
  const std::string count = readable(tokens);
  if (angles.by_token) return {"in " + count + " tokens", "在 " + count + " 个词元内"};
  if (angles.now->rotation->axes == 2)
    if (const Expected<Grid> grid = gridOf("", shape, angles.now->prefix_tokens))
      return {join("on a grid of ", grid->height, " × ", grid->width),
              join("在 ", grid->height, " × ", grid->width, " 的网格上")};
  return {"at the positions of " + count + " tokens", "在 " + count + " 个词元的位置上"};
}

}  // namespace posiscope::measures
