// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scheme_text.h"

#include <algorithm>

namespace posiscope::ui {

QString computingText(const Style& style) { return style.text({"Computing…", "正在计算……"}); }

bool anyVisible(const Experiment& experiment) {
  return std::ranges::any_of(experiment.schemes, &SchemeChoice::visible);
}

QString nothingText(const Experiment& experiment, bool stale, const Style& style) {
  if (experiment.schemes.empty())
    return style.text({"Nothing is compared yet. Add a scheme, or open a model.",
                       "还没有可比较的方案。请添加方案或打开模型。"});
  if (stale && anyVisible(experiment)) return computingText(style);
  return style.text({"No scheme is visible. Show one with the eye in the list at the left.",
                     "没有可见的方案。请在左侧列表中点击眼睛图标显示一个方案。"});
}

QString failureText(const QString& scheme, const Error& error, const Style& style) {
  const bool chinese = style.language == Language::chinese;
  const QString colon = chinese ? QStringLiteral("：") : QStringLiteral(": ");
  QString sentence = style.text(error.message);
  if (chinese && error.message.zh.empty())
    sentence = style.text(describe(error.code)) + colon + QString::fromStdString(error.message.en);
  return scheme + colon + sentence;
}

}  // namespace posiscope::ui
