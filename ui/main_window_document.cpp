// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says and asks about files: what is read, what failed, what is missing, which tensor is meant.
#include "ui/main_window.h"

#include "core/array.h"
#include "ui/controls/finder.h"
#include "ui/training/training_page.h"
#include "ui/window/document.h"
#include "ui/window/file_questions.h"
#include "ui/window/message_strip.h"

#include <algorithm>
#include <QFileInfo>
#include <string>
#include <utility>

namespace posiscope::ui {
namespace {

/// Of the messages about one missing file: however many arrays wait for it, it is asked for once.
QString topicOf(const QString& missing_file) { return QStringLiteral("missing ") + missing_file; }

constexpr QLatin1String reading("reading");
constexpr QLatin1String opening("opening");
constexpr QLatin1String notes("notes");
constexpr QLatin1String next_step("next step");

/// As what the array of given attention is read.
struct Reading {
  std::string file;
  std::string axes;
  AttentionReading kind;

  bool operator==(const Reading&) const = default;
};

Reading readingOf(const Experiment& experiment) {
  const ContentSpec& content = experiment.content;
  return {content.attention.source, content.attention_axes, content.attention_kind};
}

}  // namespace

void MainWindow::connectDocument() {
  connect(document_, &Document::titleChanged, this, &MainWindow::showTitle);
  connect(document_, &Document::openingUndone, messages_, &MessageStrip::clear);
  connect(document_, &Document::openingDecided, this, [this] { messages_->putAway(opening); });
  connect(document_, &Document::openingReplaced, this, [this] {
    messages_->putAway(notes);
    messages_->putAway(next_step);
  });
  // The note of the opening says what the array looks like: with its dimensions named otherwise that is refuted.
  connect(&store_, &Store::experimentChanged, this, [this, before = readingOf(store_.experiment())]() mutable {
    const Reading now = readingOf(store_.experiment());
    const Reading was = std::exchange(before, now);
    if (!now.file.empty() && now.file == was.file && now != was) messages_->putAway(notes);
  });
  connect(document_, &Document::modelOpened, this, &MainWindow::offerAttention);
  connect(document_, &Document::openingFailed, this,
          [this](const Sentence& s) { messages_->showBeside(opening, MessageKind::problem, s); });
  connect(document_, &Document::problemFound, this,
          [this](const Sentence& s) { messages_->show(MessageKind::problem, s); });
  connect(document_, &Document::noteFound, this,
          [this](const Sentence& s) { messages_->showBeside(notes, MessageKind::note, s); });
  connect(document_, &Document::warningFound, this,
          [this](const Sentence& s) { messages_->showBeside(notes, MessageKind::problem, s); });
  connect(document_, &Document::comparisonFound, this, &MainWindow::openComparison);
  connect(document_, &Document::arrayMissing, this, &MainWindow::askMissing);
  connect(document_, &Document::arraySettled, this, [this](const QString& file) { messages_->putAway(topicOf(file)); });
  connect(document_, &Document::tensorWanted, this, &MainWindow::chooseTensor);
  connect(&document_->reader(), &BackgroundReader::takesLong, this, [this](const QString& name) {
    messages_->showWork(
        reading, [name] { return tr("Reading %1…").arg(name); }, [] { return tr("Stop"); },
        [this] { document_->reader().stop(); });
  });
  connect(&document_->reader(), &BackgroundReader::ended, this, [this] { messages_->putAway(reading); });
}

void MainWindow::offerAttention() {
  messages_->showNewest(
      next_step, MessageKind::note,
      [] {
        return tr(
            "The weights of this model can be run: its own attention is to be had on up to 64 tokens: those of "
            "tokens.npy beside it, else drawn from the seed; or ids that are typed or opened under Content.");
      },
      [] { return tr("Show its attention"); },
      [this] {
        document_->showModelAttention();
        messages_->putAway(next_step);
      });
}

/// Its own attention at once: that is what it was trained for. Small enough to be waited for.
void MainWindow::openTrained(const QString& folder) {
  showTraining(false);
  bool failed = false;
  const QMetaObject::Connection hears =
      connect(document_, &Document::openingFailed, this, [&failed] { failed = true; });
  document_->open(folder);
  document_->waitForOpening();
  disconnect(hears);
  if (!failed) document_->showModelAttention();
}

void MainWindow::openComparison(const QString& path) {
  showTraining(true);
  training_->service().open(path);
}

void MainWindow::askMissing(const session::MissingArray& missing, const Sentence& sentence) {
  const bool folder = missing.where == "content.model";
  messages_->showNewest(
      topicOf(QString::fromStdString(missing.path)), MessageKind::problem, sentence,
      [folder] { return folder ? tr("Find the folder…") : tr("Find the file…"); },
      [this, missing, folder] {
        const auto find = folder ? &Document::findModel : &Document::findArray;
        askForPath(
            this, settings_, folder ? PathQuestion::model_folder : PathQuestion::array_file,
            folder ? tr("Find the folder") : tr("Find the file"),
            [this, missing, find](const QString& path) { (document_->*find)(missing, path); }, {},
            QString::fromStdString(missing.path));
      });
}

void MainWindow::chooseTensor(const QString& path, const std::vector<TensorChoice>& choices,
                              const std::function<void(const QString&)>& take) {
  if (!tensors_) tensors_ = new Finder(this);
  std::vector<FinderEntry> entries;
  for (const auto& [tensor, unfit] : choices) {
    const QString name = QString::fromStdString(tensor.name);
    const QString kind = QString::fromStdString(tensor.dtype + " " + shapeText(tensor.shape));
    entries.push_back({unfit.isEmpty() ? tr("Fit here") : tr("Do not fit here"),
                       name,
                       unfit.isEmpty() ? kind : kind + QStringLiteral(" · ") + unfit,
                       {},
                       {},
                       [take, name] { take(name); }});
  }
  tensors_->setEntries(std::move(entries));
  tensors_->setPlaceholder(tr("Which tensor of %1?").arg(QFileInfo(path).fileName()));
  const QSize size(560, std::min(440, height() - 120));
  tensors_->openAt(mapToGlobal(QPoint((width() - size.width()) / 2, 72)), size);
}

}  // namespace posiscope::ui
