// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The line of narrow windows: all values of six schemes, none of them cut.
#include "ui/window/pointer_line.h"

#include "ui/paint/style.h"

#include <gtest/gtest.h>

#include <QFontMetricsF>
#include <QStringList>
#include <QTextDocument>

namespace posiscope::ui {
namespace {

PointerReadout sixSchemes() {
  PointerReadout readout;
  readout.place = {{QStringLiteral("query i"), QStringLiteral("412")},
                   {QStringLiteral("key j"), QStringLiteral("131 072")},
                   {QStringLiteral("weight"), QStringLiteral("0.004573")}};
  readout.term = QStringLiteral("−0.5 · |5|");
  const QStringList names{QStringLiteral("RoPE"),         QStringLiteral("RoPE · Llama-3 scaling"),
                          QStringLiteral("RoPE <b>"),     QStringLiteral("ALiBi"),
                          QStringLiteral("对数分桶偏置"), QStringLiteral("RoPE · dynamic NTK scaling")};
  for (int s = 0; s < names.size(); ++s)
    readout.schemes.push_back({names[s], QStringLiteral("%1.00457").arg(s + 1), s});
  return readout;
}

QString plain(const PointerLine& line) {
  QTextDocument document;
  document.setHtml(line.text);
  return document.toPlainText();
}

class PointerLineFit : public ::testing::Test {
 protected:
  QFontMetricsF metrics{makeStyle(false, Language::english).font()};
  PointerReadout readout = sixSchemes();
};

TEST_F(PointerLineFit, saysEverythingWhereThereIsRoom) {
  const PointerLine line = fitPointerLine(readout, 3000, metrics);
  EXPECT_TRUE(line.whole);
  EXPECT_TRUE(plain(line).contains(readout.term));
  for (const ReadoutRow& row : readout.schemes)
    EXPECT_TRUE(plain(line).contains(QStringLiteral("■ ") + row.name + QLatin1Char(' ') + row.value));
}

TEST_F(PointerLineFit, showsAllValuesOfSixSchemesInTheNarrowestWindow) {
  const QString text = plain(fitPointerLine(readout, 1000, metrics));
  for (const ReadoutRow& row : readout.schemes) EXPECT_TRUE(text.contains(row.value)) << text.toStdString();
  for (const ReadoutRow& row : readout.place) EXPECT_TRUE(text.contains(row.value)) << text.toStdString();
}

TEST_F(PointerLineFit, isNeverWiderThanItsRoomAndCutsNoNumber) {
  QStringList values;
  for (const ReadoutRow& row : readout.schemes) values << row.value;
  for (double room = 260; room < 2000; room += 7) {
    const PointerLine line = fitPointerLine(readout, room, metrics);
    const QString text = plain(line);
    EXPECT_LE(metrics.horizontalAdvance(text), room + 1) << text.toStdString();
    const QStringList parts = text.split(QStringLiteral("■ ")).mid(1);
    for (qsizetype s = 0; s < parts.size(); ++s) EXPECT_TRUE(parts[s].contains(values[s])) << text.toStdString();
    EXPECT_EQ(text.endsWith(QStringLiteral("…")), parts.size() < values.size()) << text.toStdString();
    EXPECT_EQ(line.whole, text == plain(fitPointerLine(readout, 3000, metrics)));
  }
}

TEST_F(PointerLineFit, theTooltipHasAllOfIt) {
  const QString text = plain({pointerTooltip(readout), true});
  for (const ReadoutRow& row : readout.schemes)
    EXPECT_TRUE(text.contains(row.name + QLatin1Char(' ') + row.value)) << text.toStdString();
  EXPECT_TRUE(text.contains(readout.term));
  EXPECT_TRUE(pointerTooltip({}).isEmpty());
}

}  // namespace
}  // namespace posiscope::ui
