// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sanitized.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <string>

namespace posiscope::ui {
namespace {

struct Message {
  QString id;  ///< context and source
  QStringList translations;
  QString type;  ///< of the translation: empty when it is finished, else unfinished, vanished or obsolete
  bool plural = false;
};

QList<Message> messagesIn(const QByteArray& text) {
  QXmlStreamReader xml(text);
  QList<Message> messages;
  QString context;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    if (xml.name() == QLatin1String("name")) context = xml.readElementText();
    if (xml.name() == QLatin1String("message")) {
      messages.append(Message{});
      messages.last().plural = xml.attributes().value(QLatin1String("numerus")) == QLatin1String("yes");
    }
    if (xml.name() == QLatin1String("source"))
      messages.last().id = context + QLatin1String(" | ") + xml.readElementText();
    if (xml.name() == QLatin1String("translation")) {
      messages.last().type = xml.attributes().value(QLatin1String("type")).toString();
      if (!messages.last().plural) messages.last().translations.append(xml.readElementText());
    }
    if (xml.name() == QLatin1String("numerusform")) messages.last().translations.append(xml.readElementText());
  }
  EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
  return messages;
}

QList<Message> messagesOf(const QString& path) {
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
  return messagesIn(file.readAll());
}

QString committed(const char* language) {
  return QStringLiteral(POSISCOPE_SOURCE_DIR "/resources/translations/posiscope_%1.ts").arg(QLatin1String(language));
}

/// A finished text in every form that the language has, and in use.
bool isTranslated(const Message& message) {
  return message.type.isEmpty() && !message.translations.isEmpty() &&
         std::ranges::none_of(message.translations, [](const QString& text) { return text.trimmed().isEmpty(); });
}

TEST(Translations, everyChineseTextIsThere) {
  const QList<Message> messages = messagesOf(committed("zh_CN"));
  EXPECT_GT(messages.size(), 100);
  for (const Message& message : messages) EXPECT_TRUE(isTranslated(message)) << message.id.toStdString();
}

TEST(Translations, whatIsMissingIsNoticed) {
  const auto translated = [](const char* translation, const char* plural = "") {
    const QList<Message> messages = messagesIn(QByteArray("<TS><context><name>C</name><message") + plural +
                                               "><source>Open</source>" + translation + "</message></context></TS>");
    return messages.size() == 1 && messages.front().id == QLatin1String("C | Open") && isTranslated(messages.front());
  };
  EXPECT_TRUE(translated("<translation>打开</translation>"));
  EXPECT_FALSE(translated(""));
  EXPECT_FALSE(translated("<translation/>"));
  EXPECT_FALSE(translated("<translation> </translation>"));
  for (const char* type : {"unfinished", "vanished", "obsolete"})
    EXPECT_FALSE(translated(("<translation type=\"" + std::string(type) + "\">打开</translation>").c_str())) << type;
  const char* plural = " numerus=\"yes\"";
  EXPECT_TRUE(translated("<translation><numerusform>%n 行</numerusform></translation>", plural));
  EXPECT_FALSE(translated("<translation></translation>", plural));
  EXPECT_FALSE(translated("<translation><numerusform></numerusform></translation>", plural));
}

TEST(Translations, everyEnglishPluralIsThere) {
  int plurals = 0;
  for (const Message& message : messagesOf(committed("en"))) {
    if (!message.plural) continue;
    ++plurals;
    EXPECT_EQ(message.translations.size(), 2) << message.id.toStdString();
    for (const QString& text : message.translations) EXPECT_FALSE(text.isEmpty()) << message.id.toStdString();
  }
  EXPECT_GT(plurals, 0);
}

TEST(Translations, chineseSentencesUseTheirOwnPunctuation) {
  for (const Message& message : messagesOf(committed("zh_CN")))
    for (const QString& text : message.translations) {
      const bool chinese = text.contains(QRegularExpression(QStringLiteral("[\u4e00-\u9fff]")));
      EXPECT_FALSE(chinese && text.contains(QRegularExpression(QStringLiteral("[\u4e00-\u9fff][,;!?]"))))
          << text.toStdString();
    }
}

/// lupdate over the sources finds no text that the committed file does not have, and the file has no leftovers.
TEST(Translations, theFileHasExactlyTheTextsOfTheSources) {
  if (qEnvironmentVariable("CI") == QLatin1String("true")) {
    ASSERT_TRUE(QFile::exists(QStringLiteral(POSISCOPE_LUPDATE))) << "lupdate is not installed";
  }
  if (!QFile::exists(QStringLiteral(POSISCOPE_LUPDATE))) GTEST_SKIP() << "lupdate is not installed: " POSISCOPE_LUPDATE;
  if (test::isThreadSanitized()) GTEST_SKIP() << test::no_programs;
  QStringList sources;
  for (const char* folder : {"ui", "app"}) {
    QDirIterator files(QStringLiteral(POSISCOPE_SOURCE_DIR "/%1").arg(QLatin1String(folder)),
                       {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) sources.append(files.next());
  }
  QTemporaryDir folder;
  const QString fresh = folder.filePath(QStringLiteral("fresh_zh_CN.ts"));
  QFile list(folder.filePath(QStringLiteral("sources.lst")));
  ASSERT_TRUE(list.open(QIODevice::WriteOnly));
  list.write(sources.join(QLatin1Char('\n')).toUtf8());
  list.close();
  QProcess lupdate;
  lupdate.start(QStringLiteral(POSISCOPE_LUPDATE),
                {QStringLiteral("-silent"), QStringLiteral("-I"), QStringLiteral(POSISCOPE_SOURCE_DIR),
                 QStringLiteral("@") + list.fileName(), QStringLiteral("-ts"), fresh});
  ASSERT_TRUE(lupdate.waitForFinished(120000));
  ASSERT_EQ(lupdate.exitCode(), 0) << lupdate.readAllStandardError().toStdString();
  const auto ids = [](const QList<Message>& messages) {
    QSet<QString> all;
    for (const Message& message : messages) all.insert(message.id);
    return all;
  };
  for (const char* language : {"zh_CN", "en"}) {
    const QSet<QString> now = ids(messagesOf(fresh));
    const QSet<QString> then = ids(messagesOf(committed(language)));
    if (QLatin1String(language) == QLatin1String("zh_CN")) {
      for (const QString& id : now - then) ADD_FAILURE() << "not translated yet: " << id.toStdString();
    }
    for (const QString& id : then - now)
      ADD_FAILURE() << language << ": no longer in the sources: " << id.toStdString();
  }
}

}  // namespace
}  // namespace posiscope::ui
