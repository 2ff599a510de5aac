// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tool_bar.h"

#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/controls/tip.h"
#include "ui/window/commands.h"

#include <algorithm>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace posiscope::ui {
namespace {

class Line : public QWidget {
 public:
  explicit Line(QWidget* parent) : QWidget(parent) { setFixedSize(17, 20); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.fillRect(QRect(8, 0, 1, height()), currentStyle().line);
  }
};

}  // namespace

void followAction(FlatButton* button, QAction* action) {
  const auto sync = [button, action] {
    button->setEnabled(action->isEnabled());
    button->setCheckable(action->isCheckable());
    button->setChecked(action->isChecked());
    button->setNames(action->text(), action->shortcut().toString(QKeySequence::NativeText));
    // Why it cannot be used now.
    if (!action->isEnabled() && !action->statusTip().isEmpty()) button->setToolTip(action->statusTip());
    button->update();
  };
  QObject::connect(action, &QAction::changed, button, sync);
  // The action decides whether it is checked; the button only shows it.
  QObject::connect(button, &QAbstractButton::clicked, action, [action, sync] {
    action->trigger();
    sync();
  });
  sync();
}

ToolBar::ToolBar(Commands& commands, QWidget* parent)
    : QWidget(parent),
      commands_(commands),
      brand_(new QLabel(QStringLiteral("Posiscope"), this)),
      title_(new QLabel(this)) {
  setFixedHeight(height_pixels);
  setMinimumWidth(1);  // what does not fit changes, see fit()
  title_->setTextFormat(Qt::PlainText);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(14, 0, 10, 1);
  row->setSpacing(2);
  brand_->setProperty("role", "title");
  brand_->setContentsMargins(8, 0, 8, 0);
  row->addWidget(brand_);
  addLine();
  open_ = addMenu({}, &ToolBar::openMenuWanted);
  save_ = add(commands.save, {});
  add(commands.undo, QStringLiteral("undo"));
  add(commands.redo, QStringLiteral("redo"));
  addLine();
  add(commands.layout_1, QStringLiteral("layout_1"));
  layout_2_ = add(commands.layout_2, QStringLiteral("layout_2"));
  layout_4_ = add(commands.layout_4, QStringLiteral("layout_4"));
  middle_ = new QWidget(this);
  row->addWidget(middle_, 1);
  title_->setProperty("role", "mute");
  title_->setAlignment(Qt::AlignCenter);
  title_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  export_ = addMenu({}, &ToolBar::exportMenuWanted);
  add(commands.pin, QStringLiteral("pin"));
  add(commands.inspector, QStringLiteral("inspector"));
  addLine();
  language_ = new FlatButton(this);
  row->addWidget(language_);
  connect(language_, &QAbstractButton::clicked, commands.language, &QAction::trigger);
  theme_ = addMenu(QStringLiteral("theme"), &ToolBar::themeMenuWanted);
  menu_ = addMenu(QStringLiteral("menu"), &ToolBar::mainMenuWanted);
  retranslate();
}

FlatButton* ToolBar::add(QAction* action, const QString& icon) {
  auto* button = new FlatButton(this);
  if (!icon.isEmpty()) button->setIconName(icon);
  followAction(button, action);
  layout()->addWidget(button);
  return button;
}

FlatButton* ToolBar::addMenu(const QString& icon, void (ToolBar::*wanted)(const QPoint&)) {
  auto* button = new FlatButton(this);
  if (!icon.isEmpty()) button->setIconName(icon);
  layout()->addWidget(button);
  connect(button, &QAbstractButton::clicked, this,
          [this, button, wanted] { emit(this->*wanted)(button->mapToGlobal(QPoint(0, button->height() + 4))); });
  return button;
}

void ToolBar::addLine() {
  lines_.push_back(new Line(this));
  layout()->addWidget(lines_.back());
}

void ToolBar::retranslate() {
  open_->setNames(tr("Open a session, a model or an array"));
  export_->setNames(tr("Export a view or its numbers"), QStringLiteral("Ctrl+E"));
  language_->setNames(commands_.language->text(), QStringLiteral("Ctrl+Shift+L"));
  theme_->setNames(tr("Theme"));
  menu_->setNames(tr("All commands"));
  for (int tightness = 0; tightness < static_cast<int>(widths_.size()); ++tightness) {
    setTightness(tightness);
    widths_[static_cast<std::size_t>(tightness)] = layout()->sizeHint().width();
  }
  fit();
}

void ToolBar::setTightness(int tightness) {
  tightness_ = tightness;
  const auto show = [words = tightness == 0](FlatButton* button, const QString& text, const QString& icon) {
    button->setText(words ? text : QString());
    button->setIconName(words ? QString() : icon);
  };
  show(open_, tr("Open"), QStringLiteral("open"));
  show(save_, tr("Save"), QStringLiteral("save"));
  show(export_, tr("Export"), QStringLiteral("export"));
  language_->setText(tightness == 0 ? QStringLiteral("EN / 中") : QStringLiteral("中"));
  brand_->setVisible(tightness < 2);
  for (QWidget* line : lines_) line->setVisible(tightness < 3);
  layout()->invalidate();
}

void ToolBar::fit() {
  const auto fits = std::ranges::find_if(widths_, [this](int needed) { return needed <= width(); });
  const int wanted = static_cast<int>(std::min(fits, widths_.end() - 1) - widths_.begin());
  if (wanted != tightness_) setTightness(wanted);
}

void ToolBar::setStacked(bool stacked) {
  if (stacked == stacked_) return;
  stacked_ = stacked;
  layout_2_->setIconName(stacked ? QStringLiteral("layout_2_stacked") : QStringLiteral("layout_2"));
  layout_4_->setIconName(stacked ? QStringLiteral("layout_4_stacked") : QStringLiteral("layout_4"));
}

void ToolBar::setTitle(const QString& title) {
  full_title_ = title;
  resizeEvent(nullptr);
}

void ToolBar::resizeEvent(QResizeEvent*) {
  fit();
  // In the middle of the window where there is room, else in the middle of what is left.
  layout()->activate();
  const QRect room = middle_->geometry().adjusted(8, 0, -8, 0);
  const QFontMetrics metrics(currentStyle().font(11));
  const int wanted = metrics.horizontalAdvance(full_title_) + 12;
  QRect place(0, 0, std::min(wanted, std::max(0, room.width())), height());
  place.moveLeft(
      std::clamp(width() / 2 - place.width() / 2, room.left(), std::max(room.left(), room.right() - place.width())));
  title_->setGeometry(place);
  title_->setText(metrics.elidedText(full_title_, Qt::ElideMiddle, place.width()));
  title_->setToolTip(literalTip(full_title_));
}

void ToolBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), currentStyle().panel);
  painter.setPen(QPen(currentStyle().line, 1));
  painter.drawLine(QPointF(0, height() - 0.5), QPointF(width(), height() - 0.5));
}

}  // namespace posiscope::ui
