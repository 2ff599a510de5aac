// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/language.h"

#include <memory>
#include <QCoreApplication>
#include <QLibraryInfo>
#include <QTranslator>

namespace posiscope::ui {
namespace {

QString ownFile() { return QStringLiteral("posiscope_zh_CN"); }
QString ownFolder() { return QStringLiteral(":/i18n"); }

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
  install(own, chinese ? ownFile() : QStringLiteral("posiscope_en"), ownFolder());
  install(qt, chinese ? QStringLiteral("qtbase_zh_CN") : QStringLiteral("none"),
          QLibraryInfo::path(QLibraryInfo::TranslationsPath));
}

QString chineseOf(const char* context, const char* source) {
  static const std::unique_ptr<const QTranslator> chinese = [] {
    auto translator = std::make_unique<QTranslator>();
    return translator->load(ownFile(), ownFolder()) ? std::move(translator) : nullptr;
  }();
  return chinese ? chinese->translate(context, source) : QString();
}

}  // namespace posiscope::ui
