// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QTranslator>
#include <memory>

namespace posiscope::ui {
namespace {

void install(std::unique_ptr<QTranslator>& slot, const QString& file, const QString& folder) {
  if (slot) QCoreApplication::removeTranslator(slot.get());
  slot.reset();
  auto translator = std::make_unique<QTranslator>();
  if (!translator->load(file, folder)) return;
  QCoreApplication::installTranslator(translator.get());
  slot = std::move(translator);
}

}  // namespace

void applyLanguage(Language language) {
  static std::unique_ptr<QTranslator> own;
  static std::unique_ptr<QTranslator> qt;
  const bool chinese = language == Language::chinese;
  // The English file holds the plurals only; Qt's own texts are English without a translation.
  install(own, chinese ? QStringLiteral("posiscope_zh_CN") : QStringLiteral("posiscope_en"), QStringLiteral(":/i18n"));
  install(qt, chinese ? QStringLiteral("qtbase_zh_CN") : QStringLiteral("none"),
          QLibraryInfo::path(QLibraryInfo::TranslationsPath));
}

}  // namespace posiscope::ui
