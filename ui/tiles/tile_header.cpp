// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiles/tile_header.h"

#include "core/measures/list.h"
#include "ui/controls/finder.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/tiles/tile_popups.h"
#include "ui/views/list.h"
#include "ui/views/map_options.h"

#include <QApplication>
#include <QDrag>
#include <QHBoxLayout>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>

namespace posiscope::ui {
namespace {

/// A click opens the menu a little later, so that a double click can maximise instead.
constexpr int menu_delay_ms = 180;

/// The value of a view's choice option; empty when it has no such option.
std::string chosenOption(const ViewKind& view, const TileState& tile, const char* key) {
  const ParamSpec* spec = findParam(view.options, key);
  return spec ? valueText(valueOf(*spec, tile.options)) : std::string();
}

}  // namespace

TileHeader::TileHeader(Store& store, int index, QWidget* parent)
    : QWidget(parent),
      store_(store),
      index_(index),
      title_(new FlatButton(this)),
      scheme_(new FlatButton(this)),
      head_(new FlatButton(this)),
      more_(new FlatButton(this)),
      options_(new FlatButton(this)),
      export_(new FlatButton(this)),
      maximise_(new FlatButton(this)) {
  setFixedHeight(height_pixels);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(4, 0, 8, 0);
  row->setSpacing(2);
  title_->setLook(FlatButton::Look::bold);
  title_->setOpensMenu(true);
  title_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  row->addWidget(title_);
  for (FlatButton* chip : {scheme_, head_}) {
    chip->setLook(FlatButton::Look::chip);
    chip->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    row->addWidget(chip);
  }
  row->addStretch(1);
  options_->setIconName(QStringLiteral("options"));
  export_->setIconName(QStringLiteral("export"));
  more_->setText(QStringLiteral("…"));
  for (FlatButton* button : {more_, options_, export_, maximise_}) {
    button->setCompact(true);
    row->addWidget(button);
  }
  title_->installEventFilter(this);
  menu_delay_.setSingleShot(true);
  menu_delay_.setInterval(menu_delay_ms);
  connect(&menu_delay_, &QTimer::timeout, this, &TileHeader::openViewMenu);
  connect(title_, &QAbstractButton::clicked, this, [this] { menu_delay_.start(); });
  connect(scheme_, &QAbstractButton::clicked, this, [this] { openSchemeMenu(store_, this, below(scheme_)); });
  connect(head_, &QAbstractButton::clicked, this, [this] { openHeadPopup(store_, this, below(head_)); });
  connect(more_, &QAbstractButton::clicked, this, &TileHeader::openMore);
  connect(options_, &QAbstractButton::clicked, this, &TileHeader::openOptions);
  connect(export_, &QAbstractButton::clicked, this, [this] { emit exportWanted(below(export_)); });
  connect(maximise_, &QAbstractButton::clicked, this, &TileHeader::maximiseWanted);
  refresh();
}

QWidget* TileHeader::lastControl() const { return maximise_; }

const TileState& TileHeader::tile() const { return store_.presentation().tiles[static_cast<std::size_t>(index_)]; }

void TileHeader::refresh() {
  const ViewKind* view = findView(tile().view);
  const QString name = view ? currentStyle().text(view->title) : tr("Choose a view");
  title_->setText(name);
  title_->setNames(tr("%1: change the view").arg(name));
  title_->setToolTip(tr("Click to change the view, double-click to maximise, drag onto another tile to swap"));
  options_->setNames(tr("Options of this view"));
  has_options_ = view && !view->options.empty();
  more_->setNames(tr("More of this tile"));
  export_->setNames(tr("Export this view"));
  const bool big = store_.presentation().maximised == index_;
  maximise_->setIconName(big ? QStringLiteral("restore") : QStringLiteral("maximise"));
  maximise_->setNames(big ? tr("Back to all tiles") : tr("Maximise this tile"), big ? tr("Esc") : QString());
  refreshChips();
  title_->updateGeometry();
}

void TileHeader::refreshChips() {
  const ViewKind* view = findView(tile().view);
  const Presentation& p = store_.presentation();
  const Experiment& e = store_.experiment();
  const bool one_of_heads = view && chosenOption(*view, tile(), "heads") == "one";
  const bool one_scheme = view && chosenOption(*view, tile(), "schemes") == "selected" && !e.schemes.empty();
  if (one_scheme) {
    const SchemeChoice& choice = e.schemes[static_cast<std::size_t>(p.selected)];
    scheme_->setMark(schemeColour(choice.colour));
    scheme_name_ = currentStyle().text(displayName(choice, e.schemes));
    scheme_->setNames(tr("Choose the scheme (now %1)").arg(scheme_name_));
  }
  head_->setNames(tr("Choose the head"));
  has_scheme_ = one_scheme;
  has_head_ = one_of_heads || (view && view->of_one_head);
  fit();
  for (FlatButton* chip : {scheme_, head_}) chip->updateGeometry();
}

bool TileHeader::fits() const {
  const std::pair<const FlatButton*, bool> shown[] = {{title_, true},  {scheme_, has_scheme_},   {head_, has_head_},
                                                      {export_, true}, {options_, has_options_}, {maximise_, true}};
  int needed = layout()->contentsMargins().left() + layout()->contentsMargins().right();
  for (const auto& [button, is_shown] : shown)
    if (is_shown) needed += button->sizeHint().width() + layout()->spacing();
  return needed <= width();
}

void TileHeader::fit() {
  const Experiment& e = store_.experiment();
  const double head = shownHead(store_.presentation(), e);
  scheme_->setText(scheme_name_);
  head_->setText(tr("head %1 of %2").arg(head).arg(e.shape.num_heads));
  if (!fits()) scheme_->setText({});  // the scheme is its colour alone
  if (!fits()) head_->setText(QStringLiteral("%1/%2").arg(head).arg(e.shape.num_heads));
  const bool folded = !fits();
  scheme_->setVisible(has_scheme_ && !folded);
  head_->setVisible(has_head_ && !folded);
  options_->setVisible(has_options_ && !folded);
  export_->setVisible(!folded);
  more_->setVisible(folded);
}

void TileHeader::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

QPoint TileHeader::below(const FlatButton* button) const {
  const FlatButton* shown = button->isHidden() ? more_ : button;
  return shown->mapToGlobal(QPoint(0, shown->height() + 2));
}

void TileHeader::openMore() {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto offer = [&](const FlatButton* button) {
    menu->addAction(button->accessibleName(), button, &QAbstractButton::click);
  };
  if (has_scheme_) offer(scheme_);
  if (has_head_) offer(head_);
  if (has_options_) offer(options_);
  offer(export_);
  menu->popup(below(more_));
}

void TileHeader::openViewMenu() {
  if (!views_) views_ = new Finder(this);
  std::vector<FinderEntry> entries;
  for (const ViewKind& view : viewCatalogue()) {
    const Measure* measure = measures::find(view.measure);
    const QString words = measure ? currentStyle().text(measure->how_to_read) : QString();
    entries.push_back({currentStyle().text(groupName(view.group)),
                       currentStyle().text(view.title),
                       {},
                       view.id == tile().view ? QStringLiteral("•") : QString(),
                       QString::fromStdString(view.id) + QLatin1Char(' ') + words,
                       [this, id = view.id] {
                         Presentation p = store_.presentation();
                         p.tiles[static_cast<std::size_t>(index_)] = {id, {}, {}};
                         store_.setPresentation(std::move(p));
                       }});
  }
  views_->setEntries(std::move(entries));
  views_->setPlaceholder(tr("Find a view"));
  views_->openAt(title_->mapToGlobal(QPoint(0, title_->height())), {260, 560});
}

void TileHeader::openOptions() {
  const FlatButton* button = options_->isHidden() ? more_ : options_;
  openOptionsPopup(store_, index_, this, below(button) + QPoint(button->width(), 0));
}

bool TileHeader::eventFilter(QObject* watched, QEvent* event) {
  if (watched == title_) {
    if (event->type() == QEvent::MouseButtonDblClick) {
      menu_delay_.stop();
      title_->setDown(false);
      emit maximiseWanted();
      return true;
    }
    if (event->type() == QEvent::MouseButtonPress)
      press_ = static_cast<QMouseEvent*>(event)->globalPosition().toPoint();
    if (event->type() == QEvent::MouseMove && (static_cast<QMouseEvent*>(event)->buttons() & Qt::LeftButton)) {
      const QPoint now = static_cast<QMouseEvent*>(event)->globalPosition().toPoint();
      if ((now - press_).manhattanLength() >= QApplication::startDragDistance()) {
        title_->setDown(false);
        startDrag();
        return true;
      }
    }
  }
  return QWidget::eventFilter(watched, event);
}

void TileHeader::mousePressEvent(QMouseEvent* event) { press_ = event->globalPosition().toPoint(); }

void TileHeader::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) return;
  if ((event->globalPosition().toPoint() - press_).manhattanLength() >= QApplication::startDragDistance()) startDrag();
}

void TileHeader::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit maximiseWanted();
}

void TileHeader::startDrag() {
  auto* drag = new QDrag(this);
  auto* content = new QMimeData;
  content->setData(QLatin1String(mime_type), QByteArray::number(index_));
  drag->setMimeData(content);
  drag->setPixmap(title_->grab());
  drag->exec(Qt::MoveAction);
}

void TileHeader::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(QPen(currentStyle().line, 1));
  painter.drawLine(QPointF(0, height() - 0.5), QPointF(width(), height() - 0.5));
}

}  // namespace posiscope::ui
