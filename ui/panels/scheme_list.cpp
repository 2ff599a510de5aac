// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/scheme_list.h"

#include "ui/controls/icon.h"
#include "ui/controls/theme.h"
#include "ui/controls/tip.h"

#include <algorithm>
#include <QContextMenuEvent>
#include <QDropEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QToolTip>

namespace posiscope::ui {
namespace {

constexpr int row_height = 36;
constexpr int eye_width = 32;
constexpr int text_left = 28;  ///< after the square
constexpr int values_role = Qt::UserRole;
constexpr int colour_role = Qt::UserRole + 1;
constexpr int visible_role = Qt::UserRole + 2;

class SchemeDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, row_height}; }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Style& style = currentStyle();
    const QRectF box = option.rect;
    const bool visible = index.data(visible_role).toBool();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver)) {
      const bool focus = (option.state & QStyle::State_HasFocus) != 0;
      painter->setPen(focus ? QPen(style.mute, 1) : QPen(Qt::NoPen));
      painter->setBrush(style.hover);
      painter->drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    }
    painter->setOpacity(visible ? 1.0 : 0.45);
    painter->setPen(Qt::NoPen);
    painter->setBrush(schemeColour(index.data(colour_role).toInt()));
    painter->drawRoundedRect(QRectF(box.left() + 8, box.center().y() - 6, 12, 12), 3, 3);
    const QString values = index.data(values_role).toString();
    const QRectF text = box.adjusted(text_left, 3, -eye_width - 2, -3);
    const QFont name_font = style.font(13);
    painter->setFont(name_font);
    painter->setPen(style.ink);
    const QRectF name = values.isEmpty() ? text : text.adjusted(0, 0, 0, -text.height() / 2 + 2);
    painter->drawText(name, Qt::AlignVCenter | Qt::AlignLeft,
                      QFontMetricsF(name_font).elidedText(index.data().toString(), Qt::ElideRight, text.width()));
    if (!values.isEmpty()) {
      const QFont small = style.font(11);
      painter->setFont(small);
      painter->setPen(style.mute);
      painter->drawText(text.adjusted(0, text.height() / 2 + 1, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                        QFontMetricsF(small).elidedText(values, Qt::ElideRight, text.width()));
    }
    painter->setOpacity(1);
    const QRectF eye(box.right() - eye_width / 2.0 - 8, box.center().y() - 8, 16, 16);
    paintIcon(*painter, eye, visible ? QStringLiteral("eye") : QStringLiteral("eye_off"), style.mute);
    painter->restore();
  }
};

}  // namespace

SchemeList::SchemeList(QWidget* parent) : QListWidget(parent) {
  setItemDelegate(new SchemeDelegate(this));
  setMouseTracking(true);
  setDragDropMode(QAbstractItemView::InternalMove);
  setDefaultDropAction(Qt::MoveAction);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setUniformItemSizes(true);
  connect(this, &QListWidget::currentRowChanged, this, [this](int row) {
    if (!showing_ && row >= 0) emit chosen(row);
  });
}

void SchemeList::show(const Experiment& experiment, int selected, Language language) {
  showing_ = true;
  const int count_wanted = static_cast<int>(experiment.schemes.size());
  const bool resized = count() != count_wanted;
  while (count() > count_wanted) delete takeItem(count() - 1);
  while (count() < count_wanted) new QListWidgetItem(this);
  for (int row = 0; row < count_wanted; ++row) {
    const SchemeChoice& choice = experiment.schemes[static_cast<std::size_t>(row)];
    QListWidgetItem* shown = item(row);
    const QString name = QString::fromStdString(displayName(choice, experiment.schemes).in(language));
    const QString values = currentStyle().text(displayValues(choice));
    shown->setText(name);
    shown->setData(values_role, values);
    shown->setData(colour_role, choice.colour);
    shown->setData(visible_role, choice.visible);
    shown->setData(Qt::AccessibleTextRole, name + QLatin1String(", ") + values +
                                               (choice.visible ? QString() : QLatin1String(", ") + tr("hidden")));
    shown->setToolTip(literalTip(values.isEmpty() ? name : name + QLatin1Char('\n') + values));
  }
  setCurrentRow(selected);
  showing_ = false;
  if (resized) updateGeometry();
}

QSize SchemeList::sizeHint() const { return {200, std::max(1, count()) * row_height}; }

bool SchemeList::isVisibleScheme(int row) const { return item(row)->data(visible_role).toBool(); }

/// Only what is cut is shown in full, beside the list: a tip below the pointer would cover the next scheme.
bool SchemeList::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QListWidget::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QListWidgetItem* pointed = itemAt(help->pos());
  if (!pointed || !isCut(*pointed)) {
    QToolTip::hideText();
    return true;
  }
  const QRect row = visualItemRect(pointed);
  QToolTip::showText(viewport()->mapToGlobal(QPoint(viewport()->width(), row.top() - row.height() / 2)),
                     pointed->toolTip(), this, row);
  return true;
}

bool SchemeList::isCut(const QListWidgetItem& scheme) const {
  const int room = viewport()->width() - text_left - eye_width - 2;
  return QFontMetrics(currentStyle().font(13)).horizontalAdvance(scheme.text()) > room ||
         QFontMetrics(currentStyle().font(11)).horizontalAdvance(scheme.data(values_role).toString()) > room;
}

void SchemeList::keyPressEvent(QKeyEvent* event) {
  const int row = currentRow();
  if (row < 0) return QListWidget::keyPressEvent(event);
  const bool alt = event->modifiers() & Qt::AltModifier;
  if (alt && event->key() == Qt::Key_Up) return emit moveWanted(row, row - 1);
  if (alt && event->key() == Qt::Key_Down) return emit moveWanted(row, row + 1);
  if (event->key() == Qt::Key_Space) return emit visibleWanted(row, !isVisibleScheme(row));
  if (event->key() == Qt::Key_Delete) return emit removeWanted(row);
  if (event->key() == Qt::Key_D && event->modifiers() == Qt::ControlModifier) return emit duplicateWanted(row);
  QListWidget::keyPressEvent(event);
}

void SchemeList::mousePressEvent(QMouseEvent* event) {
  const int row = indexAt(event->pos()).row();
  if (event->button() == Qt::LeftButton && row >= 0 && event->pos().x() > viewport()->width() - eye_width)
    return emit visibleWanted(row, !isVisibleScheme(row));
  QListWidget::mousePressEvent(event);
}

void SchemeList::contextMenuEvent(QContextMenuEvent* event) {
  const bool by_key = event->reason() == QContextMenuEvent::Keyboard;
  const int row = by_key ? currentRow() : indexAt(event->pos()).row();
  if (row < 0) return;
  const bool visible = isVisibleScheme(row);
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(visible ? tr("Hide") : tr("Show"), this, [=, this] { emit visibleWanted(row, !visible); });
  QAction* copy = menu->addAction(tr("Duplicate"), this, [=, this] { emit duplicateWanted(row); });
  copy->setEnabled(count() < max_schemes);
  QAction* up = menu->addAction(tr("Move up"), this, [=, this] { emit moveWanted(row, row - 1); });
  up->setEnabled(row > 0);
  QAction* down = menu->addAction(tr("Move down"), this, [=, this] { emit moveWanted(row, row + 1); });
  down->setEnabled(row + 1 < count());
  menu->addSeparator();
  menu->addAction(tr("Remove"), this, [=, this] { emit removeWanted(row); });
  menu->popup(by_key ? mapToGlobal(visualItemRect(item(row)).bottomLeft()) : event->globalPos());
}

void SchemeList::dropEvent(QDropEvent* event) {
  // The list does not move its items itself: the store does, and the list shows what the store has.
  const int from = currentRow();
  const int y = event->position().toPoint().y() + row_height / 2;
  int to = std::clamp(y / row_height, 0, count());
  if (to > from) --to;
  event->setDropAction(Qt::IgnoreAction);
  event->accept();
  if (from >= 0 && to != from) emit moveWanted(from, to);
}

}  // namespace posiscope::ui
