// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/formula_box.h"

#include "core/schemes/list.h"
#include "ui/controls/icon.h"
#include "ui/controls/theme.h"

#include <QFile>
#include <QLabel>
#include <QPainter>
#include <algorithm>

namespace posiscope::ui {
namespace {

constexpr double em = 15;
constexpr int padding = 12;
constexpr int gap = 6;

QString existing(const std::string& name) {
  const QString resource = QStringLiteral(":/formulas/%1.svg").arg(QString::fromStdString(name));
  return QFile::exists(resource) ? resource : QString();
}

}  // namespace

QString formulaResource(const SchemeChoice& choice) {
  const auto scaling = choice.values.find("scaling");
  if (scaling != choice.values.end()) {
    const std::string name = valueText(scaling->second);
    if (QString own = existing(choice.id + "_" + name); !own.isEmpty()) return own;
    // "yarn_paper" differs from "yarn" only in how the ramp is measured.
    if (QString own = existing(choice.id + "_" + name.substr(0, name.find('_'))); !own.isEmpty()) return own;
  }
  return existing(choice.id);
}

FormulaBox::FormulaBox(QWidget* parent) : QWidget(parent), substitution_(new QLabel(this)) {
  substitution_->setProperty("role", "mute");
  substitution_->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  substitution_->setWordWrap(true);
  substitution_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void FormulaBox::show(const SchemeChoice& choice, const Shape& shape) {
  const QString resource = formulaResource(choice);
  const Scheme* scheme = schemes::find(choice.id);
  const QString values = scheme ? QString::fromStdString(scheme->substitution(choice.values, shape)) : QString();
  if (resource == resource_ && values == substitution_->text()) return;
  resource_ = resource;
  substitution_->setText(values);
  setAccessibleName(values);
  setVisible(!resource_.isEmpty() || !values.isEmpty());
  updateGeometry();
  resizeEvent(nullptr);
  update();
}

QSizeF FormulaBox::drawnSize(int width) const {
  if (resource_.isEmpty()) return {};
  QSizeF size = formulaSize(resource_, em);
  const double room = std::max(40, width - 2 * padding);
  if (size.width() > room) size *= room / size.width();
  return size;
}

int FormulaBox::heightForWidth(int width) const {
  const int formula = qRound(drawnSize(width).height());
  const int text = substitution_->text().isEmpty() ? 0 : substitution_->heightForWidth(std::max(40, width - 16));
  return formula + (formula > 0 && text > 0 ? gap : 0) + text + 2 * padding - 2;
}

void FormulaBox::resizeEvent(QResizeEvent*) {
  const int top = qRound(drawnSize(width()).height()) + padding - 1 + (resource_.isEmpty() ? 0 : gap);
  substitution_->setGeometry(8, top, std::max(0, width() - 16), std::max(0, height() - top - 4));
}

void FormulaBox::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(currentStyle().window);
  painter.drawRoundedRect(rect(), 6, 6);
  const QSizeF size = drawnSize(width());
  if (!size.isEmpty())
    paintSvg(painter, {QPointF((width() - size.width()) / 2, padding - 1), size}, resource_, currentStyle().ink);
}

}  // namespace posiscope::ui
