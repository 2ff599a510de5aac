// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ctrl+K as the person in front of the window types into it.
#include "tests/ui/open_window.h"

#include "ui/controls/finder.h"
#include "ui/window/commands.h"

#include <QCoreApplication>
#include <QLineEdit>

namespace posiscope::ui {
namespace {

class FindEverything : public OpenWindow {
 protected:
  ~FindEverything() override {
    if (finder) finder->close();
    speak(Language::english);
  }
  void speak(Language language) {
    Presentation p = window->store().presentation();
    p.language = language;
    window->store().setPresentation(p);
    QCoreApplication::processEvents();  // the change of the language is posted
  }
  void open() {
    window->commands().find->trigger();
    for (Finder* candidate : window->findChildren<Finder*>())
      if (candidate->isVisible()) finder = candidate;
    ASSERT_NE(finder, nullptr);
  }
  QStringList found(const char* words) {
    finder->search()->setText(QString::fromUtf8(words));
    return finder->shownTitles();
  }

  Finder* finder = nullptr;
};

TEST_F(FindEverything, commandsByTheirEnglishNamesInChinese) {
  speak(Language::chinese);
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_TRUE(found("dark").contains(QStringLiteral("深色主题"))) << found("dark").join('\n').toStdString();
  EXPECT_TRUE(found("pin the present").contains(window->commands().pin->text()));
  EXPECT_TRUE(found("深色").contains(QStringLiteral("深色主题")));
}

TEST_F(FindEverything, commandsByTheirChineseNamesInEnglish) {
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_TRUE(found("深色").contains(QStringLiteral("Dark theme"))) << found("深色").join('\n').toStdString();
}

TEST_F(FindEverything, schemesByWhatTheirParametersCanBeSetTo) {
  ASSERT_NO_FATAL_FAILURE(open());
  for (const char* words : {"interpolation", "线性插值", "NTK-aware"})
    EXPECT_TRUE(found(words).contains(QStringLiteral("RoPE"))) << words << found(words).join('\n').toStdString();
}

TEST_F(FindEverything, enterTakesTheSchemeOfThisIdInBothLanguages) {
  for (const Language language : {Language::english, Language::chinese})
    for (const char* id : {"none", "learned", "shaw", "dynamic", "t5_log", "rope_2d"}) {
      speak(language);
      ASSERT_NO_FATAL_FAILURE(open());
      EXPECT_FALSE(found(id).isEmpty());
      QTest::keyClick(finder->search(), Qt::Key_Return);
      const std::vector<SchemeChoice>& schemes = window->store().experiment().schemes;
      EXPECT_EQ(schemes.back().id, id);
      window->store().undo();
    }
}

TEST_F(FindEverything, theSentenceAsContent) {
  ASSERT_NO_FATAL_FAILURE(open());
  const qsizetype place = found("sentence tokens").indexOf(QStringLiteral("a sentence"));
  ASSERT_GE(place, 0) << found("sentence").join('\n').toStdString();
  found("a sentence tokens");
  QTest::keyClick(finder->search(), Qt::Key_Return);
  EXPECT_EQ(window->store().experiment().content.source, ContentSource::tokens);
}

TEST_F(FindEverything, trainedExamplesInBothLanguages) {
  ASSERT_NO_FATAL_FAILURE(open());
  const QStringList english = found("trained-rope");
  ASSERT_FALSE(english.isEmpty());
  finder->close();
  speak(Language::chinese);
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_EQ(found(english.front().toUtf8().constData()).size(), english.size());
}

TEST_F(FindEverything, itsKeyAgainSelectsWhatWasTyped) {
  ASSERT_NO_FATAL_FAILURE(open());
  QTest::keyClicks(finder->search(), QStringLiteral("norm"));
  QTest::keyClick(finder->search(), Qt::Key_K, Qt::ControlModifier);
  EXPECT_TRUE(finder->isVisible());
  EXPECT_EQ(finder->search()->selectedText(), QStringLiteral("norm"));
  QTest::keyClicks(finder->search(), QStringLiteral("kv"));
  EXPECT_EQ(finder->search()->text(), QStringLiteral("kv"));
}

}  // namespace
}  // namespace posiscope::ui
