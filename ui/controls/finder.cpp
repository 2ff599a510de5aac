// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/finder.h"

#include "ui/controls/theme.h"

#include <algorithm>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QScreen>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace posiscope::ui {
namespace {

constexpr int index_role = Qt::UserRole;
constexpr int detail_role = Qt::UserRole + 1;
constexpr int shortcut_role = Qt::UserRole + 2;

class EntryDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    if (!index.data(index_role).isValid()) return {100, 26};
    return {100, index.data(detail_role).toString().isEmpty() ? 28 : 42};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Style& style = currentStyle();
    const QRect box = option.rect;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (!index.data(index_role).isValid()) {
      painter->setFont(style.font(11, true));
      painter->setPen(style.mute);
      painter->drawText(box.adjusted(10, 4, -10, 0), Qt::AlignVCenter | Qt::AlignLeft,
                        index.data().toString().toUpper());
      painter->restore();
      return;
    }
    if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver)) {
      painter->setPen(Qt::NoPen);
      painter->setBrush(style.hover);
      painter->drawRoundedRect(box.adjusted(4, 1, -4, -1), 6, 6);
    }
    const QRect room = box.adjusted(12, 0, -12, 0);
    const QString shortcut = index.data(shortcut_role).toString();
    const QString detail = index.data(detail_role).toString();
    const QRect top = detail.isEmpty() ? room : room.adjusted(0, 4, 0, -room.height() / 2 + 2);
    const QFontMetrics small(style.font(11));
    painter->setFont(style.font(11));
    painter->setPen(style.mute);
    painter->drawText(top, Qt::AlignVCenter | Qt::AlignRight, shortcut);
    if (!detail.isEmpty()) {
      const QRect bottom = room.adjusted(0, room.height() / 2, 0, -4);
      painter->drawText(bottom, Qt::AlignVCenter | Qt::AlignLeft,
                        small.elidedText(detail, Qt::ElideRight, bottom.width()));
    }
    painter->setFont(style.font(13));
    painter->setPen(style.ink);
    const int left = top.width() - (shortcut.isEmpty() ? 0 : small.horizontalAdvance(shortcut) + 10);
    painter->drawText(top, Qt::AlignVCenter | Qt::AlignLeft,
                      QFontMetrics(style.font(13)).elidedText(index.data().toString(), Qt::ElideRight, left));
    painter->restore();
  }
};

bool matches(const FinderEntry& entry, const QStringList& words) {
  const QString text = entry.title + QLatin1Char(' ') + entry.detail + QLatin1Char(' ') + entry.group +
                       QLatin1Char(' ') + entry.keywords;
  return std::ranges::all_of(words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

constexpr int no_name = 5;  ///< the rank of an entry in which only the other texts match

/// How well the names of an entry answer to what was typed. Its first keyword is the id, which is the same in every
/// language: 0 when that or the title is what was typed, 1 when the id starts with it, 2 when the title does, 3 for one
/// of the title's words, 4 for all words typed somewhere in it.
int rankOf(const FinderEntry& entry, const QString& typed, const QStringList& words) {
  const QString id = entry.keywords.section(QLatin1Char(' '), 0, 0);
  for (const QString& name : {id, entry.title})
    if (name.compare(typed, Qt::CaseInsensitive) == 0) return 0;
  if (id.startsWith(typed, Qt::CaseInsensitive)) return 1;
  if (entry.title.startsWith(typed, Qt::CaseInsensitive)) return 2;
  if (entry.title.contains(QLatin1Char(' ') + typed, Qt::CaseInsensitive)) return 3;
  const auto in_title = [&](const QString& word) { return entry.title.contains(word, Qt::CaseInsensitive); };
  return std::ranges::all_of(words, in_title) ? 4 : no_name;
}

}  // namespace

Finder::Finder(QWidget* parent)
    : QFrame(parent, Qt::Popup),
      search_(new QLineEdit(this)),
      list_(new QListWidget(this)),
      nothing_(new QLabel(this)) {
  setObjectName(QStringLiteral("popup"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  column->setSpacing(6);
  search_->setMinimumHeight(30);
  search_->installEventFilter(this);
  list_->setItemDelegate(new EntryDelegate(list_));
  list_->setMouseTracking(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setFocusPolicy(Qt::NoFocus);  // the keys go to the search field
  list_->setUniformItemSizes(false);
  column->addWidget(search_);
  column->addWidget(list_, 1);
  column->addWidget(nothing_, 1);
  nothing_->setTextFormat(Qt::PlainText);
  nothing_->setWordWrap(true);
  nothing_->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  nothing_->setContentsMargins(12, 16, 12, 0);
  nothing_->setProperty("role", "mute");
  nothing_->hide();
  connect(search_, &QLineEdit::textChanged, this, &Finder::filter);
  connect(list_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) {
    list_->setCurrentItem(item);
    runCurrent();
  });
}

void Finder::setEntries(std::vector<FinderEntry> entries) {
  entries_ = std::move(entries);
  search_->clear();
  filter({});
}

void Finder::setPlaceholder(const QString& text) {
  search_->setPlaceholderText(text);
  search_->setAccessibleName(text);
  list_->setAccessibleName(text);
}

void Finder::openAt(const QPoint& corner, const QSize& size) {
  QRect place(corner, size);
  if (const QScreen* screen = parentWidget()->screen()) {
    const QRect room = screen->availableGeometry().adjusted(4, 4, -4, -4);
    place.setSize(place.size().boundedTo(room.size()));
    place.moveLeft(std::clamp(place.left(), room.left(), room.right() - place.width() + 1));
    place.moveTop(std::clamp(place.top(), room.top(), room.bottom() - place.height() + 1));
  }
  setGeometry(place);
  show();
  showCurrent();  // the list has its size now
  search_->setFocus(Qt::PopupFocusReason);
}

QStringList Finder::shownTitles() const {
  QStringList titles;
  for (int row = 0; row < list_->count(); ++row)
    if (list_->item(row)->data(index_role).isValid()) titles.append(list_->item(row)->text());
  return titles;
}

void Finder::filter(const QString& text) {
  const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  list_->clear();
  QString group;
  int best = no_name + 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const FinderEntry& entry = entries_[i];
    if (!matches(entry, words)) continue;
    if (entry.group != group && !entry.group.isEmpty()) {
      auto* heading = new QListWidgetItem(entry.group, list_);
      heading->setFlags(Qt::NoItemFlags);
    }
    group = entry.group;
    auto* item = new QListWidgetItem(entry.title, list_);
    item->setData(index_role, static_cast<int>(i));
    item->setData(detail_role, entry.detail);
    item->setData(shortcut_role, entry.shortcut);
    item->setToolTip(entry.detail);
    // Enter takes what was named, wherever its group stands.
    if (const int rank = words.isEmpty() ? no_name : rankOf(entry, text.trimmed(), words); rank < best) {
      best = rank;
      list_->setCurrentItem(item);
    }
  }
  showCurrent();
  sayNothing(text.simplified());
}

void Finder::sayNothing(const QString& text) {
  const bool nothing = list_->count() == 0 && !text.isEmpty();
  constexpr int longest = 60;  // a word without a space cannot be wrapped
  const QString named = text.size() <= longest ? text : text.left(longest) + QChar(0x2026);
  nothing_->setText(nothing ? tr("Nothing is called “%1”. Escape closes this list.").arg(named) : QString());
  nothing_->setVisible(nothing);
  list_->setVisible(!nothing);
}

void Finder::runCurrent() {
  const QListWidgetItem* item = list_->currentItem();
  if (!item || !item->data(index_role).isValid()) return;
  const std::function<void()> run = entries_[item->data(index_role).toUInt()].run;
  close();
  if (run) run();
}

void Finder::move(int direction) {
  const int count = list_->count();
  int row = list_->currentRow();
  // From the last entry to the first and back, over the headings.
  for (int steps = 0; steps < count; ++steps) {
    row = (std::max(row, 0) + direction + count) % count;
    if (list_->item(row)->data(index_role).isValid()) break;
  }
  if (count == 0) return;
  list_->setCurrentRow(row);
  showCurrent();
}

void Finder::showCurrent() {
  const int row = list_->currentRow();
  if (row < 0) return;
  list_->scrollToItem(list_->item(row));
  // The heading above the first entry of a group is in sight with it.
  if (row > 0 && !list_->item(row - 1)->data(index_role).isValid()) list_->scrollToItem(list_->item(row - 1));
}

bool Finder::eventFilter(QObject* watched, QEvent* event) {
  if (watched == search_ && event->type() == QEvent::KeyPress) {
    const auto* pressed = static_cast<QKeyEvent*>(event);
    if (opening_keys_.contains(QKeySequence(pressed->keyCombination()))) {
      search_->selectAll();
      return true;
    }
    switch (pressed->key()) {
      case Qt::Key_Down: move(1); return true;
      case Qt::Key_Up: move(-1); return true;
      case Qt::Key_Return:
      case Qt::Key_Enter: runCurrent(); return true;
      case Qt::Key_Escape: close(); return true;
      default: break;
    }
  }
  return QFrame::eventFilter(watched, event);
}

}  // namespace posiscope::ui
