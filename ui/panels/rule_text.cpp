// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/rule_text.h"

#include <string>

namespace posiscope::ui {
namespace {

// In letters; Chinese ones are twice as wide. A list has the whole row.
constexpr qsizetype longest_rule = 15;
constexpr qsizetype longest_list_rule = 32;

/// What the help says after "0 means" or "empty means", up to the end of the sentence; empty when it does not.
QString saidRule(const ParamSpec& spec, Language language) {
  const bool chinese = language == Language::chinese;
  const bool list = spec.kind == ParamKind::list;
  const QString start = chinese ? (list ? QStringLiteral("空表示") : QStringLiteral("0 表示"))
                                : (list ? QStringLiteral("mpty means ") : QStringLiteral("0 means "));
  const QString help = QString::fromStdString(spec.help.in(language));
  const qsizetype at = help.indexOf(start);
  if (at < 0) return {};
  QString rule = help.mid(at + start.size());
  for (const QChar end : {QChar(u'.'), QChar(u';'), QChar(u'。'), QChar(u'；'), QChar(u'，')})
    if (const qsizetype stop = rule.indexOf(end); stop >= 0) rule.truncate(stop);
  return rule.trimmed();
}

qsizetype widthOf(const QString& text) {
  qsizetype width = 0;
  for (const QChar letter : text) width += letter.unicode() >= 0x2E80 ? 2 : 1;
  return width;
}

bool hasZeroRule(const ParamSpec& spec) {
  return spec.kind == ParamKind::integer && spec.default_value == Value(0.0) &&
         !saidRule(spec, Language::english).isEmpty();
}

}  // namespace

bool isRule(const ParamSpec& spec, const Value& value) {
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return list->empty();
  return hasZeroRule(spec) && value == Value(0.0);
}

QString ruleText(const ParamSpec& spec, Language language) {
  const bool list = spec.kind == ParamKind::list;
  if (!list && !hasZeroRule(spec)) return {};
  const bool chinese = language == Language::chinese;
  const QString said = saidRule(spec, language);
  if (said.isEmpty()) return chinese ? QStringLiteral("无") : QStringLiteral("none");
  if (widthOf(said) <= (list ? longest_list_rule : longest_rule)) return said;
  return chinese ? QStringLiteral("自动") : QStringLiteral("auto");
}

}  // namespace posiscope::ui
