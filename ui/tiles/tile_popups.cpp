// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiles/tile_popups.h"

#include "ui/controls/theme.h"
#include "ui/panels/param_form.h"
#include "ui/panels/param_row.h"
#include "ui/state/scheme_pair.h"
#include "ui/views/list.h"
#include "ui/views/map_difference.h"

#include <algorithm>
#include <QFrame>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QScreen>
#include <QVBoxLayout>

namespace posiscope::ui {
namespace {

constexpr int popup_width = 288;

QFrame* makePopup(QWidget* parent) {
  auto* popup = new QFrame(parent, Qt::Popup);
  popup->setObjectName(QStringLiteral("popup"));
  popup->setAttribute(Qt::WA_DeleteOnClose);
  popup->setFixedWidth(popup_width);
  auto* column = new QVBoxLayout(popup);
  column->setContentsMargins(12, 10, 12, 12);
  return popup;
}

/// With its top left corner there, as far as the screen has room.
void showAt(QWidget* popup, QPoint corner) {
  popup->adjustSize();
  if (const QScreen* screen = QGuiApplication::screenAt(corner)) {
    const QRect room = screen->availableGeometry();
    corner.rx() = std::max(room.left(), std::min(corner.x(), room.right() + 1 - popup->width()));
    corner.ry() = std::max(room.top(), std::min(corner.y(), room.bottom() + 1 - popup->height()));
  }
  popup->move(corner);
  popup->show();
}

TileState& tileOf(Presentation& presentation, int tile) { return presentation.tiles[static_cast<std::size_t>(tile)]; }

/// One drag of an option's slider is one step.
QString gestureOf(int tile, const std::string& key) {
  return QStringLiteral("tiles[%1].%2").arg(tile).arg(QString::fromStdString(key));
}

void setOption(Store& store, int tile, const ParamSpec& spec, const Value& value) {
  Presentation p = store.presentation();
  // The other term of a difference stays what it is, this one is now what was chosen.
  tileOf(p, tile).options.erase(schemeKey(spec.key));
  if (value == spec.default_value)
    tileOf(p, tile).options.erase(spec.key);
  else
    tileOf(p, tile).options[spec.key] = value;
  store.setPresentation(std::move(p), gestureOf(tile, spec.key));
}

QIcon squareOf(const QColor& colour) {
  QPixmap pixmap(12, 12);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawRoundedRect(pixmap.rect(), 3, 3);
  painter.end();
  return QIcon(pixmap);
}

}  // namespace

void openOptionsPopup(Store& store, int tile, QWidget* parent, const QPoint& corner) {
  const TileState& state = store.presentation().tiles[static_cast<std::size_t>(tile)];
  const ViewKind* view = findView(state.view);
  if (!view) return;
  QFrame* popup = makePopup(parent);
  auto* title = new QLabel(currentStyle().text(view->title), popup);
  title->setProperty("role", "title");
  popup->layout()->addWidget(title);
  auto* form = new ParamForm(popup);
  form->setLanguage(store.presentation().language);
  form->setSpecs(view->id, withSchemeNames(view->options, store.experiment()));
  form->setValues(withPresentPlaces(state, store.experiment()).options);
  popup->layout()->addWidget(form);
  // As wide as its rows need, up to the width of the tile; the same whichever rows are shown.
  const QMargins margins = popup->layout()->contentsMargins();
  const int beside = margins.left() + margins.right() + 2;
  const int least = popup_width - beside;
  popup->setFixedWidth(beside + std::max(least, form->keepWhole(std::max(least, parent->width() - beside))));
  QObject::connect(form, &ParamForm::changed, popup, [&store, tile, view](const std::string& key, const Value& value) {
    if (const ParamSpec* spec = findParam(view->options, key)) setOption(store, tile, *spec, value);
  });
  QObject::connect(form, &ParamForm::finished, &store, &Store::endGesture);
  QObject::connect(form, &ParamForm::resetWanted, popup, [&store, tile, view](const std::string& key) {
    if (const ParamSpec* spec = findParam(view->options, key)) setOption(store, tile, *spec, spec->default_value);
  });
  QObject::connect(&store, &Store::presentationChanged, popup, [&store, tile, form, popup] {
    const TileState& now = store.presentation().tiles[static_cast<std::size_t>(tile)];
    form->setValues(withPresentPlaces(now, store.experiment()).options);
    popup->adjustSize();  // rows come and go with what they depend on
  });
  showAt(popup, corner - QPoint(popup->width(), 0));
  if (!view->options.empty())
    if (QWidget* first = form->row(view->options.front().key)->firstControl()) first->setFocus();
}

void openHeadPopup(Store& store, QWidget* parent, const QPoint& corner) {
  ParamSpec spec;
  spec.key = "head";
  spec.label = {"head", "头"};
  spec.help = {"The attention head shown, from 0.", "所显示的注意力头，从 0 开始。"};
  spec.kind = ParamKind::integer;
  spec.maximum = spec.slider_maximum = static_cast<double>(store.experiment().shape.num_heads - 1);
  spec.default_value = 0.0;
  QFrame* popup = makePopup(parent);
  auto* row = new ParamRow("head", spec, popup);
  row->setLanguage(store.presentation().language);
  row->setValue(static_cast<double>(store.presentation().head));
  popup->layout()->addWidget(row);
  const auto set = [&store](double head) {
    Presentation p = store.presentation();
    p.head = static_cast<int>(head);
    store.setPresentation(std::move(p), QStringLiteral("head"));
  };
  QObject::connect(row, &ParamRow::changed, popup,
                   [set](const std::string&, const Value& v) { set(std::get<double>(v)); });
  QObject::connect(row, &ParamRow::finished, &store, &Store::endGesture);
  QObject::connect(row, &ParamRow::resetWanted, popup, [set] { set(0); });
  QObject::connect(&store, &Store::presentationChanged, row,
                   [&store, row] { row->setValue(static_cast<double>(store.presentation().head)); });
  showAt(popup, corner);
  row->firstControl()->setFocus();
}

void openSchemeMenu(Store& store, QWidget* parent, const QPoint& corner) {
  auto* menu = new QMenu(parent);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  int index = 0;
  const std::vector<SchemeChoice>& schemes = store.experiment().schemes;
  for (const SchemeChoice& choice : schemes) {
    const QString name = currentStyle().text(displayName(choice, schemes));
    menu->addAction(squareOf(schemeColour(choice.colour)), name, menu, [&store, index] {
      Presentation p = store.presentation();
      p.selected = index;
      store.setPresentation(std::move(p));
    });
    ++index;
  }
  menu->popup(corner);
}

}  // namespace posiscope::ui
