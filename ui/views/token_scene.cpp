// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/token_scene.h"

#include "ui/paint/axes.h"
#include "ui/views/map_mask.h"
#include "ui/views/scheme_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace posiscope::ui {
namespace {

constexpr std::size_t most_said = 3;  // weights of a token in a sentence

/// Keeps the weights that have a line; answers how many are too small for one.
std::int64_t takeLines(TokenPanel& panel, double least) {
  std::int64_t left_out = 0;
  for (std::int64_t query = 0; query < panel.queries; ++query)
    for (std::int64_t key = 0; key < panel.keys; ++key) {
      const std::optional<double> weight = panel.weight(query, key);
      if (!weight) continue;
      if (*weight >= least)
        panel.lines.push_back({query, key, *weight});
      else
        ++left_out;
    }
  std::ranges::stable_sort(panel.lines, {}, &TokenLine::weight);
  return left_out;
}

std::vector<const Map*> chosenMaps(const Dataset& dataset, const TokenChoice& choice) {
  std::vector<const Map*> maps;
  for (const Map& map : dataset.maps)
    // The answer at hand may be that of another tile, to logits, until the own one is there.
    if (map.kind == MapKind::sequential) maps.push_back(&map);
  if (choice.all_heads || maps.empty()) return maps;
  const auto of_head = std::ranges::find(maps, choice.head, [](const Map* map) { return map->head; });
  return {of_head == maps.end() ? maps.front() : *of_head};
}

/// Adds the panels of one scheme and what is to be said about them.
class SceneMaker {
 public:
  SceneMaker(TokenScene& scene, const TokenChoice& choice, const std::vector<SchemeChoice>& schemes)
      : scene_(scene), choice_(choice), schemes_(schemes) {}

  void add(const Answer& answer, int index) {
    const SchemeChoice& scheme = schemes_[static_cast<std::size_t>(index)];
    const QString name = scene_.style.text(displayName(scheme, schemes_));
    if (!answer.dataset) {
      scene_.failures.push_back(failureText(name, answer.dataset.error(), scene_.style));
      return;
    }
    if (!*answer.dataset) return;  // hidden
    TokenPanel panel;
    panel.dataset = *answer.dataset;
    panel.caption = name;
    panel.colour = schemeColour(scheme.colour);
    panel.scheme = index;
    const std::vector<const Map*> maps = chosenMaps(*panel.dataset, choice_);
    if (maps.empty() && panel.dataset->maps.empty()) {
      panel.sentence = scene_.style.text(panel.dataset->nothing);
      scene_.panels.push_back(panel);
    }
    if (maps.empty()) return;
    say(scene_.style.text(panel.dataset->scope));
    const QString owner = schemes_.size() > 1 ? name : QString();
    if (isDrawnFromSeed(scheme)) say(withName(owner, scene_.style.text(drawnText()), scene_.style));
    for (const Map* map : maps) addMap(panel, *map, answer.question);
  }

  void finish() {
    if (left_out_ == 0) return;
    say(scene_.style.text({"%1 weights below %2 have no line", "%1 个小于 %2 的权重未画线"})
            .arg(numberText(static_cast<double>(left_out_), 15), numberText(choice_.least)));
  }

 private:
  void say(const QString& sentence) {
    if (!sentence.isEmpty() && !scene_.notes.contains(sentence)) scene_.notes << sentence;
  }

  void addMap(TokenPanel panel, const Map& map, const Question& question) {
    panel.map = &map;
    panel.head = map.head;
    panel.masked = forbidden(question, map);
    panel.queries = std::min(choice_.tokens, map.field->rows());
    panel.keys = std::min(choice_.tokens, map.field->cols());
    if (choice_.all_heads)
      panel.caption = schemes_.size() > 1 ? panel.caption + QStringLiteral(" · ") + scene_.style.text(map.label)
                                          : scene_.style.text(map.label);
    sayPart(panel);
    left_out_ += takeLines(panel, choice_.least);
    scene_.panels.push_back(std::move(panel));
  }

  /// Where the answer holds more than is shown.
  void sayPart(const TokenPanel& panel) {
    const std::int64_t rows = panel.map->field->rows();
    const std::int64_t cols = panel.map->field->cols();
    const auto part = [&](const Text& text, std::int64_t some, std::int64_t all) {
      if (some < all)
        say(scene_.style.text(text).arg(numberText(static_cast<double>(some)), numberText(static_cast<double>(all))));
    };
    if (rows == cols) return part({"first %1 of %2 tokens", "前 %1 个词元，共 %2 个"}, panel.keys, cols);
    part({"first %1 of %2 queries", "前 %1 个查询，共 %2 个"}, panel.queries, rows);
    part({"first %1 of %2 keys", "前 %1 个键，共 %2 个"}, panel.keys, cols);
  }

  TokenScene& scene_;
  const TokenChoice& choice_;
  const std::vector<SchemeChoice>& schemes_;
  std::int64_t left_out_ = 0;
};

/// "5", or where the token has a name, "5 “cat”".
QString spoken(const TokenPanel& panel, bool is_key, std::int64_t index, const Style& style) {
  const QString place = numberText(panel.position(is_key, index), 10);
  if (!panel.axis(is_key).names) return place;
  return style.text({"%1 “%2”", "%1“%2”"}).arg(place, panel.label(is_key, index));
}

}  // namespace

double TokenPanel::position(bool is_key, std::int64_t index) const {
  return axis(is_key).first + static_cast<double>(index) * axis(is_key).step;
}

QString TokenPanel::label(bool is_key, std::int64_t index) const {
  const auto& names = axis(is_key).names;
  if (names && index < std::ssize(*names)) return shownName((*names)[static_cast<std::size_t>(index)]);
  return numberText(position(is_key, index), 10);
}

std::optional<double> TokenPanel::weight(std::int64_t query, std::int64_t key) const {
  const double weight = map->field->at(query, key);
  if (std::isnan(weight) || (masked && masked(query, key))) return std::nullopt;
  return weight;
}

const TokenPanel* TokenScene::first() const {
  const auto found = std::ranges::find_if(panels, [](const TokenPanel& panel) { return panel.map != nullptr; });
  return found == panels.end() ? nullptr : &*found;
}

bool TokenScene::holds(const Token& token) const {
  return token.panel < panels.size() && panels[token.panel].map && token.index >= 0 &&
         token.index < panels[token.panel].count(token.is_key);
}

TokenScene makeTokenScene(const ViewContext& context, const TokenChoice& choice) {
  TokenScene scene;
  scene.style = context.style;
  scene.stale = context.stale();
  scene.least = choice.least;
  scene.choosable = choice.all_heads;
  const std::vector<Answer>& answers = context.answers();
  if (answers.empty() || !anyVisible(context.experiment)) {
    scene.stale = false;
    scene.nothing = nothingText(context, true);
    return scene;
  }
  const std::vector<SchemeChoice>& schemes = context.result->request.experiment.schemes;
  SceneMaker maker(scene, choice, schemes);
  bool answered = false;
  for (std::size_t s = 0; s < answers.size() && s < schemes.size(); ++s) {
    const int index = static_cast<int>(s);
    if (choice.selected && index != context.presentation.selected) continue;
    answered = answered || (answers[s].dataset && *answers[s].dataset);
    maker.add(answers[s], index);
  }
  maker.finish();
  if (scene.panels.empty() && scene.failures.empty()) scene.nothing = nothingText(context, scene.stale || answered);
  if (scene.panels.size() == 1 && !scene.panels.front().map) {
    scene.nothing = scene.panels.front().sentence;
    scene.panels.clear();
  }
  return scene;
}

std::optional<Token> hoveredToken(const TokenScene& scene, std::size_t panel, const Hover& hover) {
  if (!scene.panels[panel].map || (!hover.i && !hover.j)) return std::nullopt;
  const bool is_key = !hover.i;
  const Axis& axis = scene.panels[panel].axis(is_key);
  const double index = ((is_key ? *hover.j : *hover.i) - axis.first) / axis.step;
  const Token token{panel, is_key, std::isfinite(index) ? std::llround(index) : -1};
  if (!scene.holds(token)) return std::nullopt;
  return token;
}

std::vector<TokenWeight> weightsOf(const TokenPanel& panel, const Token& token) {
  std::vector<TokenWeight> others;
  for (std::int64_t other = 0; other < panel.count(!token.is_key); ++other)
    if (const auto weight = token.is_key ? panel.weight(other, token.index) : panel.weight(token.index, other))
      others.push_back({other, *weight});
  std::ranges::stable_sort(others, std::ranges::greater(), &TokenWeight::weight);
  return others;
}

QString tokenSentence(const TokenScene& scene, const Token& token) {
  const TokenPanel& panel = scene.panels[token.panel];
  const Style& style = scene.style;
  const std::vector<TokenWeight> others = weightsOf(panel, token);
  const Text start = token.is_key ? Text{"%1, key %2: ", "%1，键 %2："} : Text{"%1, query %2: ", "%1，查询 %2："};
  const QString place = style.text(start).arg(panel.caption, spoken(panel, token.is_key, token.index, style));
  if (others.empty())
    return place + style.text(token.is_key ? Text{"no query may look at it.", "没有查询可以关注它。"}
                                           : Text{"it may look at no key.", "它不能关注任何键。"});
  QStringList said;
  const Text each =
      token.is_key ? Text{"%2 from query %1", "查询 %1 的权重 %2"} : Text{"%2 to key %1", "键 %1 的权重 %2"};
  for (std::size_t k = 0; k < std::min(most_said, others.size()); ++k)
    said << style.text(each).arg(spoken(panel, !token.is_key, others[k].index, style), weightText(others[k].weight));
  return place + said.join(style.text({", ", "，"})) + style.text({".", "。"});
}

QString weightText(double weight) { return QString::number(weight, 'f', 3); }

}  // namespace posiscope::ui
