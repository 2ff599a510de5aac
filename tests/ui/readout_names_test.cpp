// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compute.h"
#include "ui/panels/inspector.h"
#include "ui/panels/readout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <QLabel>

namespace posiscope::ui {
namespace {

std::shared_ptr<const Result> spectrumOf(const Experiment& experiment) {
  const auto result = compute({experiment, {{"spectrum", {}}}}, Job{});
  EXPECT_TRUE(result) << (result ? "" : result.error().message.en);
  return result ? *result : nullptr;
}

Experiment twoBases() {
  Experiment e;
  e.shape.seq_len = 48;
  e.shape.head_dim = 128;
  e.schemes = {{"rope", {}, "", 0, true}, {"rope", {{"base", 500000.0}}, "", 1, true}};
  return e;
}

TEST(Readout, writesLongWavelengthsOutAndNamesWhoseTheyAre) {
  const auto result = spectrumOf(twoBases());
  ASSERT_NE(result, nullptr);
  Hover hover;
  hover.pair = 52;  // 2π · 500 000^(52/64) = 268 282.9…
  const PointerReadout readout = readPointer(*result, 0, hover, makeStyle(false, Language::chinese));
  ASSERT_EQ(readout.schemes.size(), 2U);
  EXPECT_TRUE(readout.schemes[0].name.endsWith(QStringLiteral("底数 10\u202f000")));
  EXPECT_TRUE(readout.schemes[1].name.endsWith(QStringLiteral("底数 500\u202f000")));
  const double wavelength = 2 * M_PI * std::pow(500000.0, 52.0 / 64);
  EXPECT_EQ(readout.schemes[1].value, numberText(std::round(wavelength / 100) * 100));
  EXPECT_FALSE(readout.schemes[1].value.contains(QLatin1Char('e')));
}

TEST(Readout, saysWhichHeadIsRead) {
  Experiment e = twoBases();
  e.shape.num_heads = 4;
  e.schemes = {{"alibi", {}, "", 0, true}, {"rope", {}, "", 1, true}};
  const auto result = compute({e, {{"relative_decay", {}}}}, Job{});
  ASSERT_TRUE(result);
  Hover hover;
  hover.offset = 7;
  const PointerReadout readout = readPointer(**result, 0, hover, makeStyle(false, Language::english));
  ASSERT_EQ(readout.schemes.size(), 2U);
  EXPECT_EQ(readout.schemes[0].name, QStringLiteral("ALiBi · bias, head 0"));
  EXPECT_EQ(readout.schemes[1].name, QStringLiteral("RoPE"));
}

TEST(ReadoutTable, wrapsNamesThatDoNotFit) {
  ReadoutTable table;
  table.resize(150, 200);
  table.show({{QStringLiteral("turns in training and more"), QStringLiteral("123456")}});
  table.QWidget::show();
  const QList<QLabel*> labels = table.findChildren<QLabel*>();
  ASSERT_EQ(labels.size(), 2);
  EXPECT_TRUE(labels[0]->text().contains(QStringLiteral("turns in training and more")));
  EXPECT_GT(labels[0]->heightForWidth(80), labels[0]->heightForWidth(400));
}

}  // namespace
}  // namespace posiscope::ui
