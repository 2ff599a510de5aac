// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/cards.h"

#include "ui/paint/axes.h"
#include "ui/paint/notice.h"
#include "ui/views/scheme_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <QFontMetricsF>
#include <QRegularExpression>
#include <QStringList>

namespace posiscope::ui {
namespace {

constexpr double padding = 12;
constexpr double flat_name_height = 20;
constexpr double foot_height = 16;
constexpr double least_row = 17;      // one line of text
constexpr double bare_row = 31;       // the word and the number
constexpr double largest_spare = 24;  // below the text of a row; more is empty
constexpr double tall_name_height = 42;
constexpr double question_share = 0.3;
constexpr double least_question = 56;
constexpr double least_column = 44;  // a mark and a number

double questionWidth(const CardScene& scene, double room) {
  const QFontMetricsF metrics(scene.style.font(11));
  double widest = least_question;
  for (const Property& p : scene.cards.front().properties())
    widest = std::max(widest, metrics.horizontalAdvance(scene.style.text(p.question)) + 10);
  // Whole questions come before words beside the marks.
  const double columns = static_cast<double>(scene.cards.size()) * least_column;
  return std::min(widest, std::max({least_question, room * question_share, room - columns}));
}

bool namesFit(const CardScene& scene, double width) {
  constexpr double square_and_insets = 22;
  const QFontMetricsF metrics(scene.style.font(11));
  return std::ranges::all_of(scene.cards, [&](const Card& card) {
    return metrics.horizontalAdvance(shortName(card.name)) + square_and_insets <= width;
  });
}

/// Heights of the rows. Where there is more room than for words and numbers, rows get their whole sentences, the short
/// ones first: as many sentences as possible are seen, and none of them in part.
std::vector<double> rowHeights(const CardScene& scene, std::size_t shown, double room, double column_width) {
  const double even = room / static_cast<double>(shown);
  std::vector<double> heights(shown, std::min(even, bare_row));
  if (even < bare_row || shown < scene.rows()) return heights;
  std::vector<double> wanted(shown, bare_row);
  for (const Card& card : scene.cards)
    for (std::size_t r = 0; r < shown; ++r)
      wanted[r] = std::max(wanted[r], cellHeight(card.properties()[r], column_width, scene.style));
  std::vector<std::size_t> order(shown);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&wanted](std::size_t r) { return wanted[r]; });
  double left = room - static_cast<double>(shown) * bare_row;
  for (const std::size_t r : order) {
    if (wanted[r] - bare_row > left) break;
    left -= wanted[r] - bare_row;
    heights[r] = wanted[r];
  }
  const double spare = std::min(left / static_cast<double>(shown), largest_spare);
  for (double& height : heights) height += spare;
  return heights;
}

}  // namespace

CardScene makeCardScene(const ViewContext& context) {
  CardScene scene;
  scene.style = context.style;
  scene.stale = context.stale();
  const std::vector<Answer>& answers = context.answers();
  if (answers.empty() || !anyVisible(context.experiment)) {
    scene.stale = false;
    scene.nothing = nothingText(context, true);
    return scene;
  }
  const std::vector<SchemeChoice>& schemes = context.result->request.experiment.schemes;
  for (std::size_t s = 0; s < answers.size(); ++s) {
    const QString name = scene.style.text(displayName(schemes[s], schemes));
    if (!answers[s].dataset) {
      scene.failures.push_back(failureText(name, answers[s].dataset.error(), scene.style));
      continue;
    }
    const std::shared_ptr<const Dataset>& dataset = *answers[s].dataset;
    if (dataset && !dataset->nothing.en.empty())
      scene.failures.push_back(withName(name, scene.style.text(dataset->nothing), scene.style));
    if (!dataset || dataset->properties.empty()) continue;
    scene.cards.push_back({dataset, name, schemeColour(schemes[s].colour), static_cast<int>(s)});
    if (scene.scope.isEmpty()) scene.scope = scene.style.text(dataset->scope);
  }
  if (scene.cards.empty() && scene.failures.empty()) scene.nothing = nothingText(context, scene.stale);
  return scene;
}

CardLayout layoutCards(const CardScene& scene, const QRectF& target, std::size_t first_row) {
  CardLayout layout;
  QRectF room = target.adjusted(padding, padding - 8, -padding, -6);
  for (const QString& failure : scene.failures) {
    const double height = std::min(target.height() * 0.4, noticeHeight(failure, room.width(), scene.style));
    layout.failures.emplace_back(room.left(), room.top(), room.width(), height);
    room.setTop(room.top() + height + 6);
  }
  if (scene.cards.empty() || room.width() < 2 * least_question) return layout;
  const double left = questionWidth(scene, room.width());
  const double width = (room.width() - left) / static_cast<double>(scene.cards.size());
  layout.tall_names = !namesFit(scene, width) && room.height() > 2 * tall_name_height + foot_height;
  const double name_height = layout.tall_names ? tall_name_height : flat_name_height;
  const double rows_room = room.height() - name_height - foot_height;
  if (rows_room < least_row) return layout;
  for (std::size_t c = 0; c < scene.cards.size(); ++c)
    layout.names.emplace_back(room.left() + left + static_cast<double>(c) * width, room.top(), width, name_height);
  const std::size_t shown = std::min(scene.rows(), static_cast<std::size_t>(rows_room / least_row));
  double top = room.top() + name_height;
  for (const double height : rowHeights(scene, shown, rows_room, width)) {
    layout.questions.emplace_back(room.left(), top, left, height);
    top += height;
  }
  layout.hidden_rows = scene.rows() - shown;
  layout.first_row = std::min(first_row, layout.hidden_rows);
  layout.foot = QRectF(room.left(), layout.questions.back().bottom(), room.width(), foot_height);
  return layout;
}

QRectF CardLayout::cell(CardPlace place) const {
  if (place.row < first_row || place.row - first_row >= questions.size() || place.column >= names.size()) return {};
  const QRectF& row = questions[place.row - first_row];
  const QRectF& column = names[place.column];
  return {column.left(), row.top(), column.width(), row.height()};
}

std::optional<CardPlace> CardLayout::cellAt(QPointF position) const {
  for (std::size_t r = first_row; r < first_row + questions.size(); ++r)
    for (std::size_t c = 0; c < names.size(); ++c)
      if (cell({r, c}).contains(position)) return CardPlace{r, c};
  return std::nullopt;
}

QString answerIn(double width, const QString& word, const QFontMetricsF& metrics) {
  if (metrics.horizontalAdvance(word) <= width) return word;
  const auto comma = word.indexOf(QRegularExpression(QStringLiteral("[,，]")));
  return comma < 0 ? word : word.left(comma) + QStringLiteral(" …");
}

QString numberLine(const Property& p, const Style& style) {
  if (std::isnan(p.value)) return {};
  if (!std::isnan(p.tolerance)) {
    int digits = 2;
    // "1 > 1" decides nothing.
    while (p.value > p.tolerance && digits < 12 && numberText(p.value, digits) == numberText(p.tolerance, digits))
      ++digits;
    return numberText(p.value, digits) + (p.value <= p.tolerance ? QStringLiteral(" ≤ ") : QStringLiteral(" > ")) +
           numberText(p.tolerance, digits);
  }
  const QString unit = unitText(p.unit, style.language);
  // The word of a count is the number itself, and "offset 5" needs no other.
  if (p.answer == Property::Answer::neither)
    return !p.word.en.empty() && std::isdigit(static_cast<unsigned char>(p.word.en.front())) ? unit : QString();
  return unit.isEmpty() ? numberText(p.value) : numberText(p.value) + QLatin1Char(' ') + unit;
}

QString cellText(const CardScene& scene, CardPlace place) {
  if (place.column >= scene.cards.size() || place.row >= scene.rows()) return {};
  const Card& card = scene.cards[place.column];
  const Property& p = card.properties()[place.row];
  QStringList parts{card.name + QStringLiteral(" · ") + scene.style.text(p.question), scene.style.text(p.word)};
  if (const QString numbers = numberLine(p, scene.style); !numbers.isEmpty()) parts.append(numbers);
  parts.append(scene.style.text(p.sentence));
  return parts.join(QLatin1Char('\n'));
}

}  // namespace posiscope::ui
