// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/theme.h"

#include <QApplication>
#include <QPalette>
#include <QStyle>
#include <QToolTip>

namespace posiscope::ui {
namespace {

Style& mutableStyle() {
  static Style style = makeStyle(false, Language::english);
  return style;
}

QPalette paletteOf(const Style& style) {
  QPalette palette;
  palette.setColor(QPalette::Window, style.panel);
  palette.setColor(QPalette::WindowText, style.ink);
  palette.setColor(QPalette::Base, style.panel);
  palette.setColor(QPalette::AlternateBase, style.window);
  palette.setColor(QPalette::Text, style.ink);
  palette.setColor(QPalette::PlaceholderText, style.mute);
  palette.setColor(QPalette::Button, style.panel);
  palette.setColor(QPalette::ButtonText, style.ink);
  palette.setColor(QPalette::BrightText, style.warn);
  palette.setColor(QPalette::Highlight, style.ink);
  palette.setColor(QPalette::HighlightedText, style.panel);
  palette.setColor(QPalette::ToolTipBase, style.panel);
  palette.setColor(QPalette::ToolTipText, style.ink);
  palette.setColor(QPalette::Link, style.ink);
  palette.setColor(QPalette::Light, style.panel);
  palette.setColor(QPalette::Midlight, style.hover);
  palette.setColor(QPalette::Mid, style.line);
  palette.setColor(QPalette::Dark, style.line);
  palette.setColor(QPalette::Shadow, style.line);
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, style.mute);
  return palette;
}

}  // namespace

const Style& currentStyle() { return mutableStyle(); }

bool systemIsDark() {
  static const bool dark = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
  return dark;
}

QString styleSheetOf(const Style& style) {
  QString sheet = QStringLiteral(
      "QToolTip { background: @panel; color: @ink; border: 1px solid @line; padding: 4px 6px; }"
      "QWidget#window, QWidget#centre, QScrollArea#centre { background: @window; }"
      "QWidget#panel, QScrollArea#panel { background: @panel; border: none; }"
      "QWidget#launch { background: @panel; border: none; border-top: 1px solid @line; }"
      "QLabel { background: transparent; }"
      "QLabel[role=\"section\"] { color: @mute; font-size: 11px; font-weight: bold; letter-spacing: 1px; }"
      "QLabel[role=\"mute\"] { color: @mute; font-size: 11px; }"
      "QLabel[role=\"error\"] { color: @warn; font-size: 11px; }"
      "QLabel[role=\"title\"] { font-weight: bold; }"
      "QLineEdit, QPlainTextEdit { background: @window; border: 1px solid @line; border-radius: 5px; padding: 0 6px;"
      "  selection-background-color: @ink; selection-color: @panel; }"
      "QPlainTextEdit { padding: 0 2px; }"
      "QLineEdit:focus, QPlainTextEdit:focus { border-color: @ink; }"
      "QLineEdit[invalid=\"true\"], QPlainTextEdit[invalid=\"true\"] { border-color: @warn; }"
      "QMenu { background: @panel; border: 1px solid @line; padding: 4px; }"
      "QMenu::item { padding: 5px 24px 5px 22px; border-radius: 4px; }"
      "QMenu::item:selected { background: @hover; color: @ink; }"
      "QMenu::item:disabled { color: @mute; }"
      "QMenu::separator { height: 1px; background: @line; margin: 4px 6px; }"
      "QMenu::icon { left: 4px; }"
      "QListView { background: transparent; border: none; outline: none; }"
      "QComboBox QAbstractItemView { background: @panel; border: 1px solid @line; outline: none; padding: 2px; }"
      "QComboBox QAbstractItemView::item { padding: 4px 6px; }"
      "QComboBox QAbstractItemView::item:selected { background: @hover; color: @ink; }"
      "QHeaderView::section { background: @panel; color: @mute; border: none; border-bottom: 1px solid @line;"
      "  padding: 4px 6px; font-size: 11px; }"
      "QFrame#popup { background: @panel; border: 1px solid @line; border-radius: 8px; }"
      "QFrame#sheet { background: @panel; border: 1px solid @line; }"
      "QFrame#sheet QTextBrowser { background: @panel; }"
      "QSplitter::handle { background: @line; }"
      "QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }"
      "QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }"
      "QScrollBar::handle { background: @missing; border-radius: 3px; margin: 2px; min-height: 24px; min-width: 24px; }"
      "QScrollBar::handle:hover { background: @mute; }"
      "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }"
      "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
      "QProgressBar { background: @grid; border: none; border-radius: 2px; max-height: 4px; }"
      "QProgressBar::chunk { background: @ink; border-radius: 2px; }");
  const std::pair<const char*, QColor> tokens[] = {
      {"@window", style.window}, {"@panel", style.panel}, {"@line", style.line},       {"@ink", style.ink},
      {"@mute", style.mute},     {"@hover", style.hover}, {"@missing", style.missing}, {"@grid", style.grid},
      {"@warn", style.warn}};
  for (const auto& [name, colour] : tokens) sheet.replace(QLatin1String(name), colour.name());
  return sheet;
}

void applyTheme(QApplication& app, ThemeChoice choice, Language language) {
  const bool system_dark = systemIsDark();  // asked before our palette hides the answer
  const bool dark = choice == ThemeChoice::dark || (choice == ThemeChoice::system && system_dark);
  mutableStyle() = makeStyle(dark, language);
  static const bool fusion = QApplication::setStyle(QStringLiteral("Fusion")) != nullptr;
  Q_UNUSED(fusion);
  const QPalette palette = paletteOf(currentStyle());
  QApplication::setPalette(palette);
  QToolTip::setPalette(palette);
  app.setStyleSheet(styleSheetOf(currentStyle()));
}

}  // namespace posiscope::ui
