// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scheme_text.h"

#include "core/missing_file.h"
#include "core/schemes/list.h"

#include <algorithm>
#include <cstddef>
#include <QStringList>
#include <string_view>

namespace posiscope::ui {

std::string withoutOwner(const std::string& sentence) {
  for (const std::string_view colon : {": ", "："}) {
    const std::size_t at = sentence.find(colon);
    if (at != std::string::npos && schemes::find(sentence.substr(0, at))) return sentence.substr(at + colon.size());
  }
  return sentence;
}

bool anyVisible(const Experiment& experiment) {
  return std::ranges::any_of(experiment.schemes, &SchemeChoice::visible);
}

QString nothingText(const ViewContext& context, bool stale) {
  const Experiment& experiment = context.experiment;
  const Style& style = context.style;
  if (experiment.schemes.empty())
    return style.text(
        {"Nothing is compared yet. Add a scheme, or open a model.", "还没有可比较的方案。请添加方案或打开模型。"});
  if (stale && anyVisible(experiment))
    return context.stopped ? style.text({"Stopped before there was anything to show.", "尚无结果可显示，计算已停止。"})
                           : style.text({"Computing…", "正在计算……"});
  const auto selected = static_cast<std::size_t>(context.presentation.selected);
  if (anyVisible(experiment) && selected < experiment.schemes.size() && !experiment.schemes[selected].visible)
    return style
        .text({"%1 is hidden. Show it with the eye in the list at the left, or select a scheme that is visible.",
               "“%1”已隐藏。请在左侧列表中点击眼睛图标显示它，或选择一个可见的方案。"})
        .arg(style.text(displayName(experiment.schemes[selected], experiment.schemes)));
  return style.text({"No scheme is visible. Show one with the eye in the list at the left.",
                     "没有可见的方案。请在左侧列表中点击眼睛图标显示一个方案。"});
}

QString withName(const QString& scheme, const QString& sentence, const Style& style) {
  if (scheme.isEmpty()) return sentence;
  const QString colon = style.language == Language::chinese ? QStringLiteral("：") : QStringLiteral(": ");
  return scheme + colon + QString::fromStdString(withoutOwner(sentence.toStdString()));
}

/// Would it be drawn where it is not given? A table of positions may be one of sines instead.
static bool isDrawn(const ParamSpec& array, const Scheme& scheme, const ParamValues& values) {
  if (array.kind != ParamKind::array || !isRelevant(array, scheme.params, values)) return false;
  const ParamSpec* kind = array.key == "position_table" ? findParam(scheme.params, "table_kind") : nullptr;
  return !kind || valueText(valueOf(*kind, values)) == "learned";
}

bool isDrawnFromSeed(const SchemeChoice& choice) {
  const Scheme* scheme = schemes::find(choice.id);
  const ParamSpec* seed = scheme ? findParam(scheme->params, "seed") : nullptr;
  if (!seed || !isRelevant(*seed, scheme->params, choice.values)) return false;
  const auto drawn = [&](const ParamSpec& spec) { return isDrawn(spec, *scheme, choice.values); };
  const auto isGiven = [&choice](const ParamSpec& spec) {
    const auto* array = std::get_if<Array>(&valueOf(spec, choice.values));
    return array && (!array->empty() || isMissing(*array));  // one whose file is asked for is not drawn either
  };
  return std::ranges::any_of(scheme->params, drawn) && std::ranges::none_of(scheme->params, isGiven);
}

Text drawnText() {
  return {"values drawn from a seed; open the model's weights to see its own table",
          "数值由随机种子抽取；打开模型的权重可查看它自己的表"};
}

QString drawnNote(const QStringList& schemes, const Style& style) {
  return withName(schemes.join(style.text({", ", "、"})), style.text(drawnText()), style);
}

QString withDrawnNotes(const QString& note, const std::vector<SchemeChoice>& schemes, const std::vector<int>& shown,
                       const Style& style) {
  QStringList names, parts;
  for (const int index : shown)
    if (const SchemeChoice& scheme = schemes[static_cast<std::size_t>(index)]; isDrawnFromSeed(scheme))
      names << (shown.size() > 1 ? style.text(displayName(scheme, schemes)) : QString());
  if (!note.isEmpty()) parts << note;
  if (!names.isEmpty()) parts << drawnNote(names, style);
  return parts.join(QStringLiteral(" · "));
}

QString failureText(const QString& scheme, const Error& error, const Style& style) {
  // What the content lacks, it lacks for all schemes alike.
  const bool of_content = error.code == ErrorCode::file_missing && error.message.en.starts_with("content: ");
  if (of_content && !saysFileIsMissing(error)) return style.text(error.message);
  // The window asks for the file in full above the tiles: that sentence once more in each tile would be too much.
  if (saysFileIsMissing(error))
    return scheme.isEmpty() || of_content
               ? style.text({"A file is missing; choose it at the left.", "缺少文件；请在左侧选择。"})
               : withName(scheme, style.text({"a file is missing; choose it at the left", "缺少文件；请在左侧选择"}),
                          style);
  QString sentence = style.text(error.message);
  if (style.language == Language::chinese && error.message.zh.empty())
    sentence = style.text(describe(error.code)) + QStringLiteral("：") + QString::fromStdString(error.message.en);
  return withName(scheme, sentence, style);
}

}  // namespace posiscope::ui
