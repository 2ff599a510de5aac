// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text.h"

#include <QColor>
#include <QFont>
#include <QString>

namespace posiscope::ui {

/// The design tokens of one theme, the language and the fonts: everything drawing code may know about looks.
/// All sizes are pixels (point sizes break on high-resolution export devices).
struct Style {
  bool dark = false;
  Language language = Language::english;
  QColor window, panel, line, grid, ink, mute, hover, warn, good, missing;

  QFont font(int pixels = 13, bool bold = false) const;  ///< interface
  QFont digits(int pixels = 13) const;                   ///< tabular monospaced
  QFont serif(int pixels = 15) const;                    ///< formulas
  QString text(const Text& text) const { return QString::fromStdString(text.in(language)); }
};

Style makeStyle(bool dark, Language language);

/// The colours of the compared schemes, in order, colour-blind safe; `index` wraps.
QColor schemeColour(int index);
/// The dash pattern that tells the same schemes apart when printed in grey.
QList<qreal> schemeDashes(int index);

/// The one font family list of the process; set on QApplication before any widget exists.
QStringList fontFamilies();

/// "131 072" with thin spaces, "268 300", "0.7481", "1.2e-05": numbers on screen (never in files). Whole numbers keep all
/// digits; others are rounded to the significant ones.
QString numberText(double value, int significant = 4);
/// "16k", "1M": short tick labels.
QString tickText(double value);

}  // namespace posiscope::ui
