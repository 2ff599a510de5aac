// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/background_reader.h"

#include <gtest/gtest.h>

#include <memory>
#include <QSemaphore>
#include <QTest>
#include <QThread>

namespace posiscope::ui {
namespace {

constexpr int patience_ms = 10000;

/// A reader of files that take until they are let go, or stopped.
class ReaderInTheBackground : public ::testing::Test {
 protected:
  ReaderInTheBackground() {
    QObject::connect(&reader, &BackgroundReader::takesLong, [this](const QString& name) { long_ones.append(name); });
    QObject::connect(&reader, &BackgroundReader::ended, [this] { ++ended; });
  }
  void read(const QString& name) {
    reader.read(name, [this, name](const Job& job) {
      while (!job.stopped() && !gate->tryAcquire(1, 5)) continue;
      const bool elsewhere = QThread::currentThread() != QCoreApplication::instance()->thread();
      return [this, name, elsewhere] { taken.append(elsewhere ? name : QStringLiteral("in the window's thread")); };
    });
  }

  std::unique_ptr<QSemaphore> gate = std::make_unique<QSemaphore>();
  QStringList taken;
  QStringList long_ones;
  int ended = 0;
  BackgroundReader reader;  // last: ends before what its files use
};

TEST_F(ReaderInTheBackground, takesOverInTheOrderAskedAndNotBefore) {
  gate->release(3);
  for (const char* name : {"a", "b", "c"}) read(QString::fromLatin1(name));
  EXPECT_TRUE(reader.busy());
  EXPECT_EQ(taken, QStringList()) << "whoever asked goes on first";
  EXPECT_TRUE(reader.wait());
  EXPECT_EQ(taken, (QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")}));
  EXPECT_EQ(ended, 1);
  EXPECT_EQ(long_ones, QStringList()) << "they were quick";
}

TEST_F(ReaderInTheBackground, tellsWhatTakesLong) {
  read(QStringLiteral("slow"));
  read(QStringLiteral("slower"));
  ASSERT_TRUE(QTest::qWaitFor([this] { return !long_ones.isEmpty(); }, patience_ms));
  gate->release();
  ASSERT_TRUE(QTest::qWaitFor([this] { return long_ones.size() == 2; }, patience_ms));
  EXPECT_EQ(long_ones, (QStringList{QStringLiteral("slow"), QStringLiteral("slower")}));
  EXPECT_EQ(ended, 0);
  gate->release();
  ASSERT_TRUE(QTest::qWaitFor([this] { return ended == 1; }, patience_ms));
  EXPECT_EQ(taken.size(), 2);
}

TEST_F(ReaderInTheBackground, takesNothingOverAfterAStop) {
  read(QStringLiteral("a"));
  read(QStringLiteral("b"));
  EXPECT_FALSE(reader.wait(10)) << "they are not let go";
  reader.stop();
  EXPECT_FALSE(reader.busy());
  EXPECT_EQ(ended, 1);
  gate->release(2);  // the file that was being read may take one before it notices
  read(QStringLiteral("c"));
  EXPECT_TRUE(reader.wait());
  EXPECT_EQ(taken, QStringList(QStringLiteral("c")));
}

}  // namespace
}  // namespace posiscope::ui
