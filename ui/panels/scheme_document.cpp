// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/scheme_document.h"

#include "core/schemes/list.h"

#include <QFile>
#include <QStringList>

namespace posiscope::ui {

QString schemeDocument(const std::string& id, Language language) {
  QFile file(QStringLiteral(":/schemes/%1.%2.md")
                 .arg(QString::fromStdString(id), QString::fromLatin1(language == Language::chinese ? "zh" : "en")));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString documentPart(const QString& document, DocumentPart part) {
  const QStringList parts = document.split(QStringLiteral("\n## "));
  const qsizetype index = static_cast<qsizetype>(part) + 1;  // before the first there are the name and the sentence
  if (index >= parts.size()) return {};
  return parts[index].section(QLatin1Char('\n'), 1).trimmed();
}

QString searchWords(const std::string& id, Language language) {
  const QString document = schemeDocument(id, language);
  QString words = documentPart(document, DocumentPart::known_users) + QLatin1Char(' ') +
                  documentPart(document, DocumentPart::reference);
  if (const Scheme* scheme = schemes::find(id))
    for (const ParamSpec& spec : scheme->params)
      for (const Choice& choice : spec.choices)
        words += QString::fromStdString(' ' + choice.label.en + ' ' + choice.label.zh);
  return words;
}

}  // namespace posiscope::ui
