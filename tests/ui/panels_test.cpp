// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/list.h"
#include "ui/controls/choice_box.h"
#include "ui/controls/finder.h"
#include "ui/controls/switch.h"
#include "ui/controls/theme.h"
#include "ui/controls/value_field.h"
#include "ui/controls/value_slider.h"
#include "ui/panels/content_panel.h"
#include "ui/panels/formula_box.h"
#include "ui/panels/param_form.h"
#include "ui/panels/param_row.h"
#include "ui/panels/param_scale.h"
#include "ui/panels/scheme_list.h"
#include "ui/panels/scheme_panel.h"
#include "ui/panels/shape_panel.h"
#include "ui/state/edits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

namespace posiscope::ui {
namespace {

ParamSpec lengthSpec() { return *findParam(shapeTable().specs(), "seq_len"); }

Experiment ropeAndAlibi() {
  Experiment e;
  e.schemes = {{"rope", {}, "", 0, true}, {"alibi", {}, "", 1, true}};
  return e;
}

class Panels : public ::testing::Test {
 protected:
  Panels() { store.reset(ropeAndAlibi(), startPresentation()); }
  double base() const {
    return std::get<double>(
        valueOf(*findParam(schemes::find("rope")->params, "base"), store.experiment().schemes[0].values));
  }
  Store store;
};

TEST(ParamScale, placesAndValuesAreInverse) {
  for (const Scheme& scheme : schemes::catalogue())
    for (const ParamSpec& spec : scheme.params) {
      if (spec.kind != ParamKind::real && spec.kind != ParamKind::integer) continue;
      EXPECT_EQ(valueAtPosition(spec, 0), spec.slider_minimum) << scheme.id() << ' ' << spec.key;
      EXPECT_EQ(valueAtPosition(spec, 1), spec.slider_maximum) << scheme.id() << ' ' << spec.key;
      for (const double t : {0.2, 0.5, 0.9}) {
        const double value = valueAtPosition(spec, t);
        EXPECT_TRUE(checkValue("", spec, value)) << scheme.id() << ' ' << spec.key << ' ' << value;
        // A whole number stands for all places nearer to it than to its neighbours.
        const double neighbour = spec.kind == ParamKind::integer ? 1 : 0;
        EXPECT_LE(sliderPosition(spec, value - neighbour) - 0.01, t) << scheme.id() << ' ' << spec.key;
        EXPECT_GE(sliderPosition(spec, value + neighbour) + 0.01, t) << scheme.id() << ' ' << spec.key;
      }
    }
}

TEST(ParamScale, stepsStayLegalAndMove) {
  const ParamSpec spec = lengthSpec();
  EXPECT_EQ(steppedValue(spec, 512, 1, StepSize::fine), 513);
  EXPECT_EQ(steppedValue(spec, 512, 1, StepSize::coarse), 1024);
  EXPECT_EQ(steppedValue(spec, 512, -1, StepSize::coarse), 256);
  EXPECT_GT(steppedValue(spec, 512, 1, StepSize::normal), 512);
  EXPECT_EQ(steppedValue(spec, 1, -1, StepSize::normal), 1);
  EXPECT_EQ(steppedValue(spec, spec.maximum, 1, StepSize::coarse), spec.maximum);
}

TEST(ParamScale, readsWhatPeopleType) {
  EXPECT_EQ(typedNumber(QStringLiteral("131072")), 131072);
  EXPECT_EQ(typedNumber(QStringLiteral("131 072")), 131072);
  EXPECT_EQ(typedNumber(exactText(131072)), 131072);
  EXPECT_EQ(typedNumber(exactText(-0.0001)), -0.0001);
  EXPECT_EQ(typedNumber(exactText(0.1 + 0.2)), 0.1 + 0.2);
  EXPECT_EQ(typedNumber(QStringLiteral("8k")), 8000);
  EXPECT_EQ(typedNumber(QStringLiteral("1M")), 1e6);
  EXPECT_FALSE(typedNumber(QStringLiteral("many")));
  EXPECT_FALSE(typedNumber({}));
  EXPECT_EQ(exactText(500000), QStringLiteral("500\u202f000"));
}

TEST(ParamRow, escapeTakesTheProblemAwayWithWhatWasTyped) {
  ParamRow row("shape", lengthSpec());
  row.setValue(512.0);
  auto* field = row.findChild<ValueField*>();
  ASSERT_NE(field, nullptr);
  field->selectAll();
  QTest::keyClicks(field, QStringLiteral("abc"));
  QTest::keyClick(field, Qt::Key_Return);
  const auto problem = [&row] {
    for (const QLabel* label : row.findChildren<QLabel*>())
      if (label->property("role") == QStringLiteral("error")) return label->text();
    return QString();
  };
  EXPECT_TRUE(problem().contains(QStringLiteral("abc"))) << problem().toStdString();
  QTest::keyClick(field, Qt::Key_Escape);
  EXPECT_TRUE(problem().isEmpty()) << problem().toStdString();
  EXPECT_EQ(field->text(), QStringLiteral("512"));
}

TEST(ParamRow, explainsAnIllegalValueAndDoesNotEmitIt) {
  ParamRow row("shape", lengthSpec());
  row.setValue(512.0);
  QSignalSpy changed(&row, &ParamRow::changed);
  auto* field = row.findChild<ValueField*>();
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, QStringLiteral("0"));
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_EQ(changed.size(), 0);
  bool explained = false;
  for (const QLabel* label : row.findChildren<QLabel*>())
    explained |= label->property("role") == QLatin1String("error") && label->text().contains(QStringLiteral("seq_len"));
  EXPECT_TRUE(explained);
  field->selectAll();
  QTest::keyClicks(field, QStringLiteral("1024"));
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_EQ(changed.size(), 1);
}

TEST(ParamRow, aValueThatMeansARuleIsShownAsTheRule) {
  const Scheme& rope = *schemes::find("rope");
  ParamRow width("rope", *findParam(rope.params, "rotary_dim"));
  auto* field = width.findChild<ValueField*>();
  EXPECT_EQ(field->text(), QString());
  EXPECT_EQ(field->placeholderText(), QStringLiteral("by share"));
  width.setLanguage(Language::chinese);
  EXPECT_EQ(field->placeholderText(), QStringLiteral("按比例"));
  width.setValue(64.0);
  EXPECT_EQ(field->text(), QStringLiteral("64"));
  QSignalSpy changed(&width, &ParamRow::changed);
  field->selectAll();
  QTest::keyClick(field, Qt::Key_Delete);
  QTest::keyClick(field, Qt::Key_Return);
  ASSERT_EQ(changed.size(), 1) << "an empty field is the rule again";
  EXPECT_EQ(changed.front().at(1).value<Value>(), Value(0.0));

  ParamRow bases("rope", *findParam(rope.params, "bases"));
  EXPECT_EQ(bases.findChild<ValueField*>()->text(), QString());
  EXPECT_EQ(bases.findChild<ValueField*>()->placeholderText(), QStringLiteral("one for all"));
  ParamRow base("rope", *findParam(rope.params, "base"));
  EXPECT_TRUE(base.findChild<ValueField*>()->placeholderText().isEmpty()) << "each of its values is a number";
}

TEST_F(Panels, theRotatedWidthEndsAtTheHeadWidth) {
  SchemePanel panel(store);
  auto* row = panel.findChild<ParamForm*>()->row("rotary_dim");
  for (const std::int64_t head_dim : {64, 128, 8}) {
    Experiment e = store.experiment();
    e.shape.head_dim = head_dim;
    store.setExperiment(e);
    const auto most = static_cast<double>(head_dim);
    EXPECT_EQ(row->spec().slider_maximum, most);
    EXPECT_EQ(valueAtPosition(row->spec(), 1), most);
    EXPECT_EQ(steppedValue(row->spec(), most, 1, StepSize::coarse), most);
  }
}

TEST_F(Panels, anIllegalValueIsExplainedUnderItsRow) {
  SchemePanel panel(store);
  panel.show();
  Experiment e = store.experiment();
  e.schemes.front().values["bases"] = std::vector<double>{10, 20, 30};  // there are 32 heads
  store.setExperiment(e);
  const auto explanations = [](const QWidget& within) {
    QStringList shown;
    for (const QLabel* label : within.findChildren<QLabel*>())
      if (label->property("role") == QStringLiteral("error") && label->isVisible()) shown << label->text();
    return shown;
  };
  const ParamForm* form = panel.findChild<ParamForm*>();
  ASSERT_EQ(explanations(panel).size(), 1) << "once";
  EXPECT_TRUE(explanations(panel).front().contains(QStringLiteral("bases")));
  EXPECT_EQ(explanations(*form->row("bases")), explanations(panel));
  e.schemes.front().values.erase("bases");
  store.setExperiment(e);
  EXPECT_EQ(explanations(panel), QStringList());
}

TEST(ParamRow, theWheelChangesAValueOnlyWithFocus) {
  ParamRow row("shape", lengthSpec());
  row.setValue(512.0);
  row.show();
  row.activateWindow();  // without a window manager nobody else does
  ASSERT_TRUE(QTest::qWaitForWindowActive(&row));
  QSignalSpy changed(&row, &ParamRow::changed);
  auto* slider = row.findChild<ValueSlider*>();
  const auto turn = [slider] {
    QWheelEvent event(QPointF(5, 5), slider->mapToGlobal(QPointF(5, 5)), {}, QPoint(0, 120), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(slider, &event);
  };
  row.findChild<ValueField*>()->setFocus();
  turn();
  EXPECT_EQ(changed.size(), 0);
  slider->setFocus();
  ASSERT_TRUE(QTest::qWaitFor([slider] { return slider->hasFocus(); }));
  turn();
  EXPECT_EQ(changed.size(), 1);
}

TEST_F(Panels, oneDragIsOneUndoStep) {
  SchemePanel panel(store);
  panel.resize(304, 800);
  panel.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel));
  const double before = base();
  auto* slider = panel.findChild<ParamForm*>()->row("base")->findChild<ValueSlider*>();
  QTest::mousePress(slider, Qt::LeftButton, {}, QPoint(20, 10));
  for (int x = 30; x < 200; x += 10) QTest::mouseMove(slider, QPoint(x, 10));
  QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(200, 10));
  EXPECT_NE(base(), before);
  store.undo();
  EXPECT_EQ(base(), before);
  EXPECT_FALSE(store.canUndo());
}

TEST_F(Panels, keysStepAndDoubleClickResets) {
  SchemePanel panel(store);
  panel.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel));
  const double before = base();
  auto* slider = panel.findChild<ParamForm*>()->row("base")->findChild<ValueSlider*>();
  QTest::keyClick(slider, Qt::Key_Right);
  const double small = base();
  EXPECT_GT(small, before);
  QTest::keyClick(slider, Qt::Key_Right, Qt::ShiftModifier);
  EXPECT_GT(base() / small, small / before);
  QTest::mouseDClick(slider, Qt::LeftButton, {}, QPoint(20, 10));
  EXPECT_EQ(base(), before);
}

TEST_F(Panels, onlyRelevantParametersAreShown) {
  SchemePanel panel(store);
  auto* form = panel.findChild<ParamForm*>();
  EXPECT_TRUE(form->row("factor")->isHidden());
  store.setExperiment([&] {
    Experiment e = store.experiment();
    e.schemes[0].values["scaling"] = std::string("yarn");
    return e;
  }());
  EXPECT_FALSE(form->row("factor")->isHidden());
}

TEST_F(Panels, aCombinationThatIsIllegalIsExplainedAndNotTaken) {
  SchemePanel panel(store);
  const Experiment before = store.experiment();
  auto* row = panel.findChild<ParamForm*>()->row("rotary_dim");
  ASSERT_NE(row, nullptr);
  emit row->changed("rotary_dim", 7.0);  // odd
  EXPECT_EQ(store.experiment(), before);
  bool explained = false;
  for (const QLabel* label : row->findChildren<QLabel*>())
    explained |=
        label->property("role") == QLatin1String("error") && label->text().contains(QStringLiteral("rotary_dim"));
  EXPECT_TRUE(explained);
}

TEST_F(Panels, everyControlHasAName) {
  SchemePanel schemes_panel(store);
  ShapePanel shape(store);
  ContentPanel content(store);
  for (QWidget* panel : std::initializer_list<QWidget*>{&schemes_panel, &shape, &content})
    for (const QWidget* control : panel->findChildren<QWidget*>())
      if (control->focusPolicy() != Qt::NoFocus && !control->isHidden() && !qobject_cast<const QLabel*>(control)) {
        EXPECT_FALSE(control->accessibleName().isEmpty()) << control->metaObject()->className();
      }
}

TEST_F(Panels, theListIsWorkedWithTheKeyboard) {
  SchemePanel panel(store);
  panel.show();
  auto* list = panel.findChild<SchemeList*>();
  list->setFocus();
  QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
  EXPECT_EQ(store.experiment().schemes[1].id, "rope");
  EXPECT_EQ(store.presentation().selected, 1);
  QTest::keyClick(list, Qt::Key_Space);
  EXPECT_FALSE(store.experiment().schemes[1].visible);
  QTest::keyClick(list, Qt::Key_D, Qt::ControlModifier);
  EXPECT_EQ(store.experiment().schemes.size(), 3U);
  QTest::keyClick(list, Qt::Key_Delete);
  EXPECT_EQ(store.experiment().schemes.size(), 2U);
}

TEST_F(Panels, thePickerFindsASchemeByItsWords) {
  SchemePanel panel(store);
  panel.show();
  panel.openPicker();
  auto* finder = panel.findChild<Finder*>();
  ASSERT_NE(finder, nullptr);
  EXPECT_EQ(finder->shownTitles().size(), static_cast<qsizetype>(schemes::catalogue().size()));
  QTest::keyClicks(finder->search(), QStringLiteral("sinusoidal"));
  EXPECT_LT(finder->shownTitles().size(), static_cast<qsizetype>(schemes::catalogue().size()));
  QTest::keyClick(finder->search(), Qt::Key_Return);
  ASSERT_EQ(store.experiment().schemes.size(), 3U);
  EXPECT_EQ(store.experiment().schemes[2].id, "sinusoidal");
  EXPECT_EQ(store.presentation().selected, 2);
}

TEST_F(Panels, maskAndItsFormAreInverse) {
  for (const char* rule : {"none", "causal", "window", "both", "shifted"}) {
    const Experiment e = withMaskValue(store.experiment(), "mask", std::string(rule));
    EXPECT_EQ(valueOf(*findParam(maskTable().specs(), "mask"), maskTable().values(rulesOf(e.mask))),
              Value(std::string(rule)));
  }
  const Experiment windowed =
      withMaskValue(withMaskValue(store.experiment(), "mask", std::string("window")), "window", 5.0);
  EXPECT_EQ(windowed.mask.window, 5);
  EXPECT_TRUE(windowed.mask.causal);
}

TEST(FormulaBox, everySchemeHasATypesetFormula) {
  for (const Scheme& scheme : schemes::catalogue())
    EXPECT_FALSE(formulaResource({scheme.id(), {}, "", 0, true}).isEmpty()) << scheme.id();
  const SchemeChoice yarn{"rope", {{"scaling", std::string("yarn")}}, "", 0, true};
  EXPECT_NE(formulaResource(yarn), formulaResource({"rope", {}, "", 0, true}));
}

TEST(FormulaBox, paintsTheFormulaInTheInkOfTheTheme) {
  FormulaBox box;
  box.show({"rope", {}, "", 0, true}, Shape{});
  box.resize(280, box.heightForWidth(280));
  const QImage picture = box.grab().toImage();
  int dark = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) dark += picture.pixelColor(x, y).lightness() < 80;
  EXPECT_GT(dark, 50);
}

TEST(ParamForm, makesRoomForNamesAndChoices) {
  ParamSpec spec;
  spec.key = "reduce";
  spec.kind = ParamKind::choice;
  spec.label = {"many cells in a pixel", "多格合一像素"};
  spec.choices = {{"mean", {"mean", "平均"}}, {"long", {"the difference of two schemes", "两个方案之差"}}};
  spec.default_value = std::string("mean");
  ParamForm form;
  form.setSpecs("view", {spec});
  const int width = form.keepWhole(1000);
  EXPECT_LT(width, 600);
  form.setFixedWidth(width);
  form.show();
  QTest::qWait(10);
  const auto* box = form.findChild<ChoiceBox*>();
  EXPECT_GE(box->width() - 30, box->fontMetrics().horizontalAdvance(QStringLiteral("the difference of two schemes")));
  const auto* label = form.findChild<QLabel*>();
  const QFontMetrics metrics(currentStyle().font(13));
  EXPECT_GE(label->width(), metrics.horizontalAdvance(QStringLiteral("many cells in a pixel")));
  EXPECT_EQ(form.keepWhole(250), 250);
}

TEST(Finder, saysWhatIsNotFound) {
  QWidget parent;
  Finder finder(&parent);
  finder.setEntries({{{}, QStringLiteral("RoPE"), {}, {}, {}, {}}});
  finder.openAt(QPoint(0, 0), QSize(300, 200));
  EXPECT_FALSE(finder.nothing()->isVisible());
  finder.search()->setText(QStringLiteral(" xyz <b>"));
  EXPECT_TRUE(finder.nothing()->isVisible());
  EXPECT_TRUE(finder.nothing()->text().contains(QStringLiteral("“xyz <b>”")));
  finder.search()->setText(QStringLiteral("rope"));
  EXPECT_FALSE(finder.nothing()->isVisible());
  EXPECT_EQ(finder.shownTitles(), QStringList{QStringLiteral("RoPE")});
}

TEST(Finder, arrowsGoRoundAtBothEndsWithAndWithoutGroups) {
  for (const QString& group : {QString(), QStringLiteral("group")}) {
    QWidget parent;
    Finder finder(&parent);
    QString run;
    std::vector<FinderEntry> entries;
    for (const char* title : {"a", "b", "c"})
      entries.push_back(
          {group, QString::fromLatin1(title), {}, {}, {}, [&run, title] { run = QString::fromLatin1(title); }});
    const auto after = [&](Qt::Key key) {
      finder.setEntries(entries);
      QTest::keyClick(finder.search(), key);
      QTest::keyClick(finder.search(), Qt::Key_Return);
      return run;
    };
    EXPECT_EQ(after(Qt::Key_Up), QStringLiteral("c"));
    EXPECT_EQ(after(Qt::Key_Down), QStringLiteral("b"));
  }
}

}  // namespace
}  // namespace posiscope::ui
