// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector.h"

#include "core/measures/list.h"
#include "ui/controls/theme.h"
#include "ui/tiles/request.h"
#include "ui/views/list.h"
#include "ui/views/scheme_text.h"

#include <algorithm>
#include <QEvent>
#include <QGraphicsOpacityEffect>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <utility>

namespace posiscope::ui {
namespace {

QLabel* titleLabel(QVBoxLayout* column, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setProperty("role", "section");
  label->setContentsMargins(0, 8, 0, 2);
  column->addWidget(label);
  return label;
}

QLabel* textLabel(QVBoxLayout* column, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  if (column) column->addWidget(label);
  return label;
}

/// Qt reads the thin space inside "131 072" in HTML as a space to break at, unless spaces are kept as they are.
constexpr QLatin1String unbroken_numbers("white-space:pre-wrap");

constexpr int stale_after_ms = 250;  ///< as the pictures: a quick answer must not flicker
constexpr double stale_opacity = 0.45;

/// A name with its scheme's square; one that does not fit goes on in a further line.
class NameLabel : public QLabel {
 public:
  explicit NameLabel(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::RichText);
    setWordWrap(true);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
  }

  void setName(const QString& square, const QString& name) {
    const QString all =
        QStringLiteral("<p style='margin:0; %1'>%2%3</p>").arg(unbroken_numbers, square, name.toHtmlEscaped());
    if (all != text()) setText(all);
  }
};

/// "θ₃₂ = 0.0014" is one thing: the line breaks before or after it. A longer one may break, or it would be wider than
/// the panel and all values with it.
QString withWholeEquations(const QString& term) {
  constexpr qsizetype longest_whole = 20;
  const QString between = QStringLiteral(", ");
  QStringList parts = term.split(between);
  for (QString& part : parts)
    if (part.size() <= longest_whole) part.replace(QStringLiteral(" = "), QStringLiteral("\u00a0=\u00a0"));
  return parts.join(between);
}

QString verdictText(const std::vector<SchemeRemark>& remarks) {
  const Style& style = currentStyle();
  QString text;
  QString scheme;
  for (const SchemeRemark& remark : remarks) {
    if (remark.scheme != scheme)
      text += QStringLiteral("<p style='margin:4px 0 2px 0'><span style='color:%1'>■</span> <b>%2</b></p>")
                  .arg(schemeColour(remark.colour).name(), remark.scheme.toHtmlEscaped());
    scheme = remark.scheme;
    const QColor dot = remark.verdict == Verdict::warning ? style.warn
                       : remark.verdict == Verdict::good  ? style.good
                                                          : style.mute;
    text += QStringLiteral("<p style='margin:0 0 4px 0; line-height:130%; %3'><span style='color:%1'>●</span> %2</p>")
                .arg(dot.name(), remark.sentence.toHtmlEscaped(), unbroken_numbers);
  }
  return text;
}

}  // namespace

ReadoutTable::ReadoutTable(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(8);
  grid_->setVerticalSpacing(3);
  grid_->setColumnStretch(0, 1);
}

void ReadoutTable::show(const std::vector<ReadoutRow>& rows) {
  if (rows == rows_) return;
  rows_ = rows;
  while (labels_.size() < rows.size()) {
    auto* name = new NameLabel(this);
    auto* value = new QLabel(this);
    value->setFont(currentStyle().digits(12));
    value->setTextFormat(Qt::PlainText);
    value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    const int row = static_cast<int>(labels_.size());
    grid_->addWidget(name, row, 0);
    grid_->addWidget(value, row, 1);
    labels_.emplace_back(name, value);
  }
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const auto [name, value] = labels_[i];
    name->setVisible(i < rows.size());
    value->setVisible(i < rows.size());
    if (i >= rows.size()) continue;
    const QString square =
        rows[i].colour < 0
            ? QString()
            : QStringLiteral("<span style='color:%1'>■</span> ").arg(schemeColour(rows[i].colour).name());
    static_cast<NameLabel*>(name)->setName(square, rows[i].name);
    value->setText(rows[i].value);
    name->setAccessibleName(rows[i].name + QLatin1Char(' ') + rows[i].value);
  }
}

Inspector::Inspector(Store& store, ComputeService& service, QWidget* parent)
    : QWidget(parent), store_(store), service_(service) {
  setObjectName(QStringLiteral("panel"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 4, 12, 12);
  column->setSpacing(2);
  pointer_title_ = titleLabel(column, this);
  pointer_ = new ReadoutTable(this);
  column->addWidget(pointer_);
  auto* term = new QHBoxLayout;
  term->setSpacing(8);
  term_name_ = new QLabel(this);
  term_ = textLabel(nullptr, this);
  term_->setFont(currentStyle().serif(13));
  term_->setTextFormat(Qt::PlainText);
  term_->setAlignment(Qt::AlignRight | Qt::AlignTop);
  term->addWidget(term_name_, 0, Qt::AlignTop);
  term->addWidget(term_, 1);
  column->addLayout(term);
  hint_ = textLabel(column, this);
  hint_->setProperty("role", "mute");
  schemes_title_ = titleLabel(column, this);
  schemes_ = new ReadoutTable(this);
  column->addWidget(schemes_);
  how_title_ = titleLabel(column, this);
  how_ = textLabel(column, this);
  verdict_title_ = titleLabel(column, this);
  verdict_ = textLabel(column, this);
  faded_ = new QGraphicsOpacityEffect(verdict_);
  faded_->setOpacity(stale_opacity);
  faded_->setEnabled(false);
  verdict_->setGraphicsEffect(faded_);
  stale_timer_.setSingleShot(true);
  stale_timer_.setInterval(stale_after_ms);
  connect(&stale_timer_, &QTimer::timeout, this, &Inspector::showStale);
  column->addStretch(1);
  connect(&store_, &Store::hoverChanged, this, [this] {
    namePointer();
    if (store_.hover() == Hover{}) return;
    const bool other_view = store_.hover().view != view_;
    last_ = store_.hover();
    view_ = last_.view;
    showPointer();
    if (other_view) showView();
  });
  connect(&store_, &Store::presentationChanged, this, &Inspector::showView);
  connect(&service_, &ComputeService::resultReady, this, [this] {
    // The views read anew what is under the pointer; without one, the value kept here is that of an older answer.
    if (store_.hover() == Hover{}) last_.value.reset();
    showPointer();
    showView();
  });
  connect(&store_, &Store::experimentChanged, this, [this] {
    // Without schemes nothing is asked any more, so that no answer will come.
    if (!stale_timer_.isActive()) stale_timer_.start();
    const bool nothing = !anyVisible(store_.experiment());
    if (nothing == about_nothing_) return;
    about_nothing_ = nothing;
    showPointer();
    showView();
  });
  retranslate();
}

/// The newest answers; null while no scheme is left that they could be about.
const Result* Inspector::shownResult() const {
  return anyVisible(store_.experiment()) ? service_.result().get() : nullptr;
}

void Inspector::follow(const std::string& view) {
  if (view == view_) return;
  view_ = view;
  showView();
}

int Inspector::measureOf(const std::string& view) const {
  const Presentation& p = store_.presentation();
  for (const int index : visibleTiles(p)) {
    const TileState& tile = p.tiles[static_cast<std::size_t>(index)];
    if (tile.view == view) return answerIndex(service_.result().get(), tileRequest(tile, p, store_.experiment()));
  }
  return -1;
}

void Inspector::retranslate() {
  hint_->setText(tr("Point at a picture to read its values."));
  term_name_->setText(tr("term"));
  term_name_->setToolTip(tr("Which term of the formula the number is, with its numbers"));
  schemes_title_->setText(tr("By scheme").toUpper());
  how_title_->setText(tr("How to read this").toUpper());
  showPointer();
  showView();
}

/// The last reading stays, so that its numbers can be selected; but not as if the pointer were still there.
void Inspector::namePointer() {
  const bool gone = store_.hover() == Hover{} && !(last_ == Hover{});
  const QString title =
      gone ? currentStyle().text({"Last under the pointer", "指针上次所指"}) : tr("Under the pointer");
  pointer_title_->setText(title.toUpper());
}

void Inspector::showPointer() {
  namePointer();
  PointerReadout readout;
  const Result* result = shownResult();
  if (result && !(last_ == Hover{})) readout = readPointer(*result, measureOf(last_.view), last_, currentStyle());
  pointer_->show(readout.place);
  term_->setText(withWholeEquations(readout.term));
  term_->setAccessibleName(tr("term of the formula") + QLatin1Char(' ') + readout.term);
  term_name_->setVisible(!readout.term.isEmpty());
  term_->setVisible(!readout.term.isEmpty());
  schemes_->show(readout.schemes);
  hint_->setVisible(readout.place.empty());
  schemes_title_->setVisible(!readout.schemes.empty());
  emit pointerRead(readout);
}

void Inspector::showView() {
  const Presentation& p = store_.presentation();
  const std::vector<int> visible = visibleTiles(p);
  const bool here =
      std::ranges::any_of(visible, [&](int i) { return p.tiles[static_cast<std::size_t>(i)].view == view_; });
  if (!here) view_ = p.tiles[static_cast<std::size_t>(visible.front())].view;
  const ViewKind* view = findView(view_);
  const Measure* shown = view ? measures::find(view->measure) : nullptr;
  const QString how = shown ? currentStyle().text(shown->how_to_read).toHtmlEscaped() : QString();
  how_->setText(QStringLiteral("<p style='margin:0; line-height:140%; %2'>%1</p>").arg(how, unbroken_numbers));
  how_title_->setVisible(shown != nullptr);
  QString verdict;
  if (const Result* result = shownResult()) {
    std::vector<SchemeRemark> remarks = remarksOf(*result, measureOf(view_), currentStyle());
    // A view without remarks of its own leaves room for what the wavelengths say about this length.
    if (remarks.empty()) remarks = remarksOf(*result, answerIndex(result, {"spectrum", {}}), currentStyle());
    verdict = verdictText(withSeedRemarks(std::move(remarks), *result, currentStyle()));
  }
  verdict_->setText(verdict);
  // Of the question that was answered, not of one that is still computed.
  const Experiment& about = shownResult() ? shownResult()->request.experiment : store_.experiment();
  verdict_title_->setText(tr("Verdict at %1").arg(numberText(static_cast<double>(about.shape.seq_len))).toUpper());
  verdict_title_->setVisible(!verdict.isEmpty());
  verdict_->setVisible(!verdict.isEmpty());
  if (!stale_timer_.isActive()) showStale();
}

void Inspector::showStale() {
  const Result* result = shownResult();
  faded_->setEnabled(result && !(result->request.experiment == store_.experiment()));
}

void Inspector::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

void Inspector::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), currentStyle().panel);
}

}  // namespace posiscope::ui
