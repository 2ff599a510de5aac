// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/number_file.h"
#include "core/question_text.h"
#include "ui/figures/figure.h"
#include "ui/views/list.h"

#include <memory>
#include <QFileInfo>
#include <QStringList>
#include <utility>
#include <vector>

namespace posiscope::ui {
namespace {

/// Does the tile show the selected scheme alone? Then its numbers are those of that scheme alone.
bool showsSelectedOnly(const ViewKind& view, const TileState& tile) {
  const ParamSpec* option = findParam(view.options, "schemes");
  return option && valueText(valueOf(*option, tile.options)) == "selected";
}

/// Numbers and the question they answer; none for what the view makes of several answers.
struct Numbers {
  std::shared_ptr<const Dataset> dataset;
  const Question* question = nullptr;
};

/// What the view shows instead of its answers, else the shown answers that hold numbers. An error of any of these is
/// the whole export's error: a file that is missing without a word would be taken for "all there is".
Expected<std::vector<Numbers>> numbersOf(const ViewContext& context) {
  std::vector<Numbers> numbers;
  const ViewKind* view = findView(context.tile.view);
  if (view && view->derived)
    if (const auto derived = view->derived(context)) {
      if (!*derived) return fail(derived->error());
      return std::vector{Numbers{**derived}};
    }
  Text nothing{"there is no result yet", "还没有结果"};
  const bool selected_only = view && showsSelectedOnly(*view, context.tile);
  int index = 0;
  for (const Answer& answer : context.answers()) {
    if (selected_only && index++ != context.presentation.selected) continue;
    if (!answer.dataset) return fail(answer.dataset.error());
    const std::shared_ptr<const Dataset>& dataset = *answer.dataset;
    if (!dataset) continue;  // hidden
    if (!dataset->nothing.en.empty()) nothing = dataset->nothing;
    const bool drawn = !dataset->maps.empty() || !dataset->curves.empty() || !dataset->properties.empty();
    if (drawn || !dataset->metrics.empty()) numbers.push_back({dataset, &answer.question});
  }
  if (numbers.empty())
    return fail(ErrorCode::not_supported, join("export: there are no numbers to write: ", nothing.en),
                join("导出：没有可写出的数值：", nothing.zh));
  return numbers;
}

/// "F.npy" → "F.2.npy".
QString numbered(const QString& path, std::size_t number) {
  const QString suffix = QFileInfo(path).suffix();
  return path.chopped(suffix.size()) + QString::number(number) + QLatin1Char('.') + suffix;
}

}  // namespace

Expected<NumberFiles> numberFiles(const ViewContext& context, const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  if (suffix != QLatin1String("csv") && suffix != QLatin1String("npy"))
    return fail(ErrorCode::file_type,
                join("export: the numbers' file must end in .csv or .npy, got '", path.toStdString(), "'"),
                join("导出：数值文件的扩展名必须是 .csv 或 .npy，得到“", path.toStdString(), "”"));
  const Expected<std::vector<Numbers>> numbers = numbersOf(context);
  if (!numbers) return fail(numbers.error());
  for (const Numbers& n : *numbers)
    if (Outcome fits = checkNumbers(*n.dataset); !fits) return fail(fits.error());
  const bool alone = numbers->size() == 1;
  NumberFiles files;
  for (const Numbers& n : *numbers) {
    files.paths << (alone ? path : numbered(path, files.datasets.size() + 1));
    files.datasets.push_back(n.dataset);
    files.comments.push_back(alone || !n.question ? std::string() : questionComment(*n.question));
  }
  return files;
}

Expected<QStringList> writeNumbers(const NumberFiles& files, const Job& job) {
  QStringList written;
  const std::size_t count = files.datasets.size();
  for (std::size_t n = 0; n < count; ++n) {
    const QString& path = files.paths[static_cast<qsizetype>(n)];
    const Job part = job.part(static_cast<double>(n) / static_cast<double>(count),
                              static_cast<double>(n + 1) / static_cast<double>(count));
    const Outcome ok = files::writeNumberFile(path.toStdString(), *files.datasets[n], false, part, files.comments[n]);
    if (!ok && ok.error().code == ErrorCode::cancelled) break;
    if (!ok) return fail(ok.error());
    written << path;
  }
  return written;
}

Expected<QStringList> exportNumbers(const ViewContext& context, const QString& path) {
  const Expected<NumberFiles> files = numberFiles(context, path);
  if (!files) return fail(files.error());
  return writeNumbers(*files, Job());
}

}  // namespace posiscope::ui
