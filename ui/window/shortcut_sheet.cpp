// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shortcut_sheet.h"

#include "ui/controls/theme.h"
#include "ui/window/commands.h"
#include "ui/window/menus.h"

#include <algorithm>
#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <utility>
#include <vector>

namespace posiscope::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(Menus)
};

constexpr int margin = 12;  ///< at least, between the sheet and the window's edge

QString said(const Text& text) { return currentStyle().text(text); }

using Row = std::pair<QString, QString>;

std::vector<Row> shortcutRows(const Commands& commands) {
  std::vector<Row> rows;
  for (const QAction* action : commands.all())
    if (!action->shortcuts().isEmpty()) rows.emplace_back(action->text(), shortcutText(action));
  rows.emplace_back(Words::tr("Step a value; Shift coarse, Alt fine"), QStringLiteral("↑ ↓"));
  rows.emplace_back(said({"Zoom a view about the pointer", "以指针处为中心缩放视图"}),
                    said({"Wheel, + −", "滚轮、+ −"}));
  rows.emplace_back(said({"Move the part shown of a zoomed view", "移动已放大视图的可见部分"}),
                    said({"Drag, ← → ↑ ↓", "拖动、← → ↑ ↓"}));
  rows.emplace_back(Words::tr("Select a range in all linked views; as shown"), Words::tr("Shift+drag, S"));
  rows.emplace_back(Words::tr("Show all again in linked views; once more, the part as before"),
                    Words::tr("Double-click, 0"));
  rows.emplace_back(Words::tr("Move a scheme up or down"), QStringLiteral("Alt+↑ Alt+↓"));
  rows.emplace_back(Words::tr("Show or hide a scheme"), Words::tr("Space"));
  rows.emplace_back(Words::tr("Duplicate, remove a scheme"), QStringLiteral("Ctrl+D, Del"));
  rows.emplace_back(Words::tr("Back from a maximised tile; else stop the computation"), QStringLiteral("Esc"));
  return rows;
}

/// The rows in `columns` columns; the names wrap in one column, which may be narrower than they are.
QWidget* makeGrid(const std::vector<Row>& rows, int columns) {
  auto* content = new QWidget;
  auto* grid = new QGridLayout(content);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(24);
  grid->setVerticalSpacing(5);
  const int in_column = (static_cast<int>(rows.size()) + columns - 1) / columns;
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    auto* name = new QLabel(rows[static_cast<std::size_t>(i)].first, content);
    auto* keys = new QLabel(rows[static_cast<std::size_t>(i)].second, content);
    name->setWordWrap(columns == 1);
    keys->setProperty("role", "mute");
    grid->addWidget(name, i % in_column, i / in_column * 2);
    grid->addWidget(keys, i % in_column, i / in_column * 2 + 1);
  }
  if (columns == 1) grid->setColumnStretch(0, 1);
  return content;
}

}  // namespace

void popupShortcuts(const Commands& commands, QWidget* window) {
  auto* sheet = new QFrame(window, Qt::Popup);
  sheet->setObjectName(QStringLiteral("popup"));
  sheet->setAttribute(Qt::WA_DeleteOnClose);
  auto* column = new QVBoxLayout(sheet);
  column->setContentsMargins(20, 16, 20, 16);
  column->setSpacing(12);
  auto* title = new QLabel(Words::tr("Keyboard shortcuts"), sheet);
  title->setProperty("role", "title");
  column->addWidget(title);
  auto* area = new QScrollArea(sheet);
  area->setObjectName(QStringLiteral("panel"));
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  column->addWidget(area, 1);

  const int bar = area->verticalScrollBar()->sizeHint().width();
  const QSize room = window->size() - QSize(2 * margin, 2 * margin);
  const QMargins around = column->contentsMargins() + QMargins(1, 1, 1, 1);  // the frame's line
  const QSize beside(around.left() + around.right() + bar,
                     around.top() + around.bottom() + column->spacing() + title->sizeHint().height());
  const std::vector<Row> rows = shortcutRows(commands);
  area->setWidget(makeGrid(rows, 2));
  area->widget()->setAutoFillBackground(false);
  area->widget()->ensurePolished();
  if (area->widget()->sizeHint().width() + beside.width() > room.width()) {
    area->setWidget(makeGrid(rows, 1));
    area->widget()->setAutoFillBackground(false);
  }
  sheet->resize((area->widget()->sizeHint() + beside).boundedTo(room));
  sheet->move(window->mapToGlobal(window->rect().center()) - sheet->rect().center());
  sheet->show();
  area->setFocus();  // the arrows scroll
}

}  // namespace posiscope::ui
