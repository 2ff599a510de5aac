// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/param_row.h"

#include "core/experiment.h"
#include "ui/controls/choice_box.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/switch.h"
#include "ui/controls/text_area.h"
#include "ui/controls/theme.h"
#include "ui/controls/tip.h"
#include "ui/controls/value_field.h"
#include "ui/controls/value_slider.h"
#include "ui/paint/axes.h"
#include "ui/panels/override_note.h"
#include "ui/panels/param_scale.h"

#include <algorithm>
#include <QAbstractItemView>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>

namespace posiscope::ui {
namespace {

StepSize sizeOf(Qt::KeyboardModifiers modifiers) {
  if (modifiers & Qt::ShiftModifier) return StepSize::coarse;
  return modifiers & Qt::AltModifier ? StepSize::fine : StepSize::normal;
}

/// "position i" already says "i".
bool saysAtEnd(const QString& label, const QString& key) {
  if (!label.endsWith(key, Qt::CaseInsensitive)) return false;
  const qsizetype before = label.size() - key.size() - 1;
  // "第i" ends with the word "i", "pi" does not.
  return before < 0 || label[before].unicode() > 127 || !label[before].isLetterOrNumber();
}

/// A value that stands for something else: 0 for "by share".
bool isUnset(const ParamSpec& spec, const Value& value) {
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return list->empty();
  return !spec.unset.en.empty() && value == Value(0.0);
}

/// What the field shows in place of such a value.
QString unsetText(const ParamSpec& spec, Language language) {
  static const Text none{"none", "无"};
  const bool list = spec.kind == ParamKind::list;
  return QString::fromStdString((list && spec.unset.en.empty() ? none : spec.unset).in(language));
}

constexpr int longest_kept_label = 120;  ///< beside a control that gives way

}  // namespace

ParamRow::ParamRow(std::string owner, ParamSpec spec, QWidget* parent)
    : QWidget(parent),
      owner_(std::move(owner)),
      spec_(std::move(spec)),
      hard_maximum_(spec_.maximum),
      usual_maximum_(spec_.slider_maximum),
      value_(spec_.default_value) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* top = new QHBoxLayout;
  top->setSpacing(6);
  column->addLayout(top);
  label_ = new QLabel(this);
  label_->setTextFormat(Qt::RichText);
  label_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  dot_ = new QLabel(QStringLiteral("•"), this);
  dot_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  top->addWidget(label_, 1);
  top->addWidget(dot_);
  switch (spec_.kind) {
    case ParamKind::real:
    case ParamKind::integer: buildNumber(top, column); break;
    case ParamKind::choice: buildChoice(top); break;
    case ParamKind::boolean: buildSwitch(top); break;
    case ParamKind::list: buildList(top, column); break;
    case ParamKind::text: buildText(top, column); break;
    case ParamKind::array: buildFile(top); break;
  }
  problem_ = new QLabel(this);
  problem_->setProperty("role", "error");
  problem_->setTextFormat(Qt::PlainText);
  problem_->setWordWrap(true);
  problem_->setMinimumWidth(1);  // a long path in the sentence must not widen the panel
  problem_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  problem_->hide();
  column->addWidget(problem_);
  setLanguage(language_);
  setValue(value_);
}

void ParamRow::buildNumber(QHBoxLayout* top, QVBoxLayout* column) {
  field_ = new ValueField(this);
  top->addWidget(field_);
  slider_ = new ValueSlider(this);
  column->addWidget(slider_);
  connect(slider_, &ValueSlider::dragged, this, [this](double position) { propose(valueAtPosition(spec_, position)); });
  connect(slider_, &ValueSlider::stepped, this, &ParamRow::step);
  connect(slider_, &ValueSlider::released, this, &ParamRow::finished);
  connect(slider_, &ValueSlider::resetWanted, this, [this] { emit resetWanted(spec_.key); });
  connect(field_, &ValueField::stepped, this, &ParamRow::step);
  connect(field_, &ValueField::released, this, &ParamRow::finished);
  connect(field_, &ValueField::typed, this, &ParamRow::type);
  connect(field_, &ValueField::givenUp, this, [this] { setProblem({}); });
}

void ParamRow::buildChoice(QHBoxLayout* top) {
  choice_ = new ChoiceBox(this);
  choice_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);  // elides its text before the label is cut
  choice_->setMinimumContentsLength(6);
  for (const Choice& c : spec_.choices) choice_->addItem(QString(), QVariant(QString::fromStdString(c.key)));
  top->addWidget(choice_);
  connect(choice_, &QComboBox::activated, this, [this](int index) {
    propose(choice_->itemData(index).toString().toStdString());
    emit finished();
  });
}

void ParamRow::buildSwitch(QHBoxLayout* top) {
  switch_ = new Switch(this);
  top->addWidget(switch_);
  connect(switch_, &QAbstractButton::clicked, this, [this](bool on) {
    propose(on);
    emit finished();
  });
}

void ParamRow::buildList(QHBoxLayout* top, QVBoxLayout* column) {
  field_ = new ValueField(this);
  field_->setAlignment(Qt::AlignLeft);
  field_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  column->addWidget(field_);
  top->addSpacing(0);
  connect(field_, &ValueField::typed, this, &ParamRow::type);
  connect(field_, &ValueField::givenUp, this, [this] { setProblem({}); });
}

void ParamRow::buildText(QHBoxLayout* top, QVBoxLayout* column) {
  take_ = new FlatButton(this);
  take_->setLook(FlatButton::Look::link);
  take_->hide();
  top->addWidget(take_);
  text_ = new TextArea(this);
  column->addWidget(text_);
  connect(take_, &QAbstractButton::clicked, text_, &TextArea::takeExample);
  connect(text_, &TextArea::typed, this, &ParamRow::typeText);
  connect(text_, &TextArea::givenUp, this, [this] { setProblem({}); });
  connect(text_, &TextArea::finished, this, &ParamRow::finished);
  connect(text_, &TextArea::textChanged, this, &ParamRow::showTake);
}

void ParamRow::buildFile(QHBoxLayout* top) {
  file_ = new FlatButton(this);
  file_->setLook(FlatButton::Look::chip);
  file_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);  // names of tensors are long: the chip elides them
  file_->setIconName(QStringLiteral("file"));
  top->addWidget(file_);
  connect(file_, &QAbstractButton::clicked, this, [this] { emit fileWanted(spec_.key); });
  clear_ = new FlatButton(this);
  clear_->setLook(FlatButton::Look::link);
  clear_->setIconName(QStringLiteral("close"));
  top->addWidget(clear_);
  connect(clear_, &QAbstractButton::clicked, this, [this] { emit resetWanted(spec_.key); });
}

void ParamRow::setExample(const QString& example) {
  if (!text_) return;
  text_->setExample(example);
  showTake();
}

void ParamRow::showTake() { take_->setVisible(!text_->example().isEmpty() && text_->toPlainText().isEmpty()); }

void ParamRow::setValue(const Value& value) {
  // A refused formula and the reason stay while something else changes.
  if (text_ && value == value_ && !standing_ && !problem_->text().isEmpty()) return;
  value_ = value;
  setProblem({});
  dot_->setVisible(!(value == spec_.default_value));
  if (slider_ && std::holds_alternative<double>(value)) {
    slider_->setPosition(sliderPosition(spec_, std::get<double>(value)));
    field_->showText(isUnset(spec_, value) ? QString() : exactText(std::get<double>(value)));
  } else if (field_) {
    field_->showText(isUnset(spec_, value) ? QString() : QString::fromStdString(valueText(value)));
  }
  if (text_) text_->showText(QString::fromStdString(valueText(value)));
  if (choice_) choice_->setCurrentIndex(choice_->findData(QString::fromStdString(valueText(value))));
  if (switch_ && std::holds_alternative<bool>(value)) switch_->setChecked(std::get<bool>(value));
  if (file_) {
    const Array* array = std::get_if<Array>(&value);
    const bool given = array && (!array->empty() || isMissing(value));  // also one whose file is asked for
    const QString name = given ? QFileInfo(QString::fromStdString(array->source)).fileName() : QString();
    // Where the table does not say otherwise, a scheme draws the learnable values it is not given; queries and keys
    // that are not given are missing.
    QString absent = unsetText(spec_, language_);
    if (absent.isEmpty()) absent = owner_ == "content" ? tr("no file") : tr("from the seed");
    file_->setText(given ? (name.isEmpty() ? QString::fromStdString(shapeText(array->shape)) : name) : absent);
    file_->setToolTip(given ? literalTip(QString::fromStdString(
                                  array->source + (array->shape.empty() ? "" : " " + shapeText(array->shape))))
                            : tr("Choose a .npy, .npz or .safetensors file"));
    clear_->setVisible(given);
    clear_->setNames(tr("Let go of this file"));
  }
}

void ParamRow::setLanguage(Language language) {
  language_ = language;
  const QString name = QString::fromStdString(spec_.label.in(language));
  showLabel();
  QString help = QString::fromStdString(spec_.help.in(language));
  if (!spec_.unit.empty()) help += tr(" (%1)").arg(unitText(spec_.unit, currentStyle().language));
  help += QLatin1Char('\n') + QString::fromStdString(spec_.key);
  if (!spec_.alias.empty()) help += QLatin1String(" = ") + QString::fromStdString(spec_.alias);
  setToolTip(help);
  if (field_) field_->setPlaceholderText(unsetText(spec_, language));
  if (text_) text_->setUnset(unsetText(spec_, language));
  if (take_) {
    take_->setText(tr("edit the example"));
    take_->setNames(tr("Put the example into the field, to be changed"));
  }
  for (QWidget* control :
       {static_cast<QWidget*>(field_), static_cast<QWidget*>(text_), static_cast<QWidget*>(slider_),
        static_cast<QWidget*>(choice_), static_cast<QWidget*>(switch_), static_cast<QWidget*>(file_)}) {
    if (!control) continue;
    control->setAccessibleName(name);
    control->setAccessibleDescription(help);
  }
  if (override_) override_->retranslate();
  dot_->setToolTip(tr("Changed; a double click on the name or the slider resets it"));
  if (choice_) choice_->view()->setAccessibleName(name);
  if (choice_)
    for (int i = 0; i < choice_->count(); ++i)
      choice_->setItemText(i, QString::fromStdString(spec_.choices[static_cast<std::size_t>(i)].label.in(language)));
  if (file_) setValue(value_);
}

void ParamRow::showLabel() {
  const QString name = QString::fromStdString(spec_.label.in(language_));
  // The name of the command line and of sessions; where it is the label itself, what other programs say.
  const QString key = QString::fromStdString(spec_.key);
  const QString alias = saysAtEnd(name, key) ? QString::fromStdString(spec_.alias) : key;
  const QFontMetrics metrics(currentStyle().font(13));
  if (file_ || choice_) label_->setMinimumWidth(std::min(metrics.horizontalAdvance(name) + 2, longest_kept_label));
  const int room = label_->width();
  const int wanted =
      metrics.horizontalAdvance(name) + QFontMetrics(currentStyle().font(11)).horizontalAdvance(alias) + 6;
  const bool fits = !alias.isEmpty() && wanted <= room;
  QString text = name.toHtmlEscaped();
  if (fits)
    text += QStringLiteral(" <span style='font-size:11px; color:%1'>%2</span>")
                .arg(currentStyle().mute.name(), alias.toHtmlEscaped());
  if (text != label_->text()) label_->setText(text);
}

void ParamRow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layout()->activate();
  showLabel();
}

void ParamRow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) showLabel();
  QWidget::changeEvent(event);
}

void ParamRow::setMost(double most) {
  most = std::clamp(most, spec_.minimum, hard_maximum_);
  if (most == spec_.maximum) return;
  spec_.maximum = most;
  spec_.slider_maximum = std::min(most, usual_maximum_);
  setValue(value_);
}

void ParamRow::setStandingProblem(const QString& sentence) {
  if (!standing_ && !problem_->text().isEmpty()) return;  // a refused text is still to be mended
  setProblem(sentence);
  standing_ = !sentence.isEmpty();
}

void ParamRow::dropRefused() {
  if (!text_) return;
  text_->dropTyped();
  setProblem({});
}

QString ParamRow::refusedText() const {
  return text_ && !standing_ && !problem_->text().isEmpty() ? text_->toPlainText() : QString();
}

void ParamRow::typeAgain(const QString& text) {
  if (text_) text_->typeAgain(text);
}

void ParamRow::setProblem(const QString& sentence) {
  standing_ = false;
  problem_->setText(sentence);
  problem_->setVisible(!sentence.isEmpty());
  if (field_) field_->setInvalid(!sentence.isEmpty());
  if (text_) text_->setInvalid(!sentence.isEmpty());
  // A choice shows what holds, not what was refused; a field keeps it to be mended.
  if (choice_) choice_->setCurrentIndex(choice_->findData(QString::fromStdString(valueText(value_))));
}

void ParamRow::setOverride(const QString& sentence) {
  if (!override_ && !sentence.isEmpty()) {
    override_ = new OverrideNote(this);
    layout()->addWidget(override_);
    connect(override_, &OverrideNote::modelWanted, this, [this] { emit modelWanted(spec_.key); });
  }
  if (override_) override_->setSentence(sentence);
}

QWidget* ParamRow::firstControl() const {
  if (field_) return field_;
  if (text_) return text_;
  if (choice_) return choice_;
  if (switch_) return switch_;
  return file_;
}

int ParamRow::choicesWidth() const {
  if (!choice_) return 0;
  choice_->ensurePolished();
  int width = 0;
  for (int i = 0; i < choice_->count(); ++i)
    width = std::max(width, choice_->fontMetrics().horizontalAdvance(choice_->itemText(i)));
  constexpr int frame = 32;  // and the arrow
  return std::max(choice_->sizeHint().width(), width + frame);
}

int ParamRow::nameWidth() const {
  const QString name = QString::fromStdString(spec_.label.in(language_));
  constexpr int gaps = 2 * 6 + 2;
  return QFontMetrics(currentStyle().font(13)).horizontalAdvance(name) + dot_->sizeHint().width() + gaps;
}

int ParamRow::wholeWidth() const { return nameWidth() + choicesWidth(); }

void ParamRow::keepChoicesWhole(int width) {
  if (!choice_) return;
  choice_->setMinimumWidth(std::clamp(width - nameWidth(), choice_->minimumSizeHint().width(), choicesWidth()));
}

void ParamRow::mouseDoubleClickEvent(QMouseEvent*) { emit resetWanted(spec_.key); }

void ParamRow::step(int direction, Qt::KeyboardModifiers modifiers) {
  if (const double* now = std::get_if<double>(&value_))
    propose(steppedValue(spec_, *now, direction, sizeOf(modifiers)));
}

void ParamRow::type(const QString& text) {
  std::string plain = text.toStdString();
  if (text.trimmed().isEmpty() && !unsetText(spec_, language_).isEmpty())
    plain = valueText(spec_.kind == ParamKind::list ? Value(std::vector<double>()) : Value(0.0));
  if (slider_)
    if (const std::optional<double> number = typedNumber(text)) plain = valueText(*number);
  const Expected<Value> value = parseValue(owner_, spec_, plain);
  if (!value) {
    setProblem(QString::fromStdString(value.error().message.in(language_)));
    return;
  }
  propose(*value);
  emit finished();
}

void ParamRow::typeText(const QString& text) {
  const Expected<Value> value = parseValue(owner_, spec_, text.toStdString());
  if (!value) return setProblem(QString::fromStdString(value.error().message.in(language_)));
  propose(*value);
}

void ParamRow::propose(const Value& value) {
  setProblem({});
  if (value == value_) {
    setValue(value_);  // a field with "0500" shows "500" again
    return;
  }
  emit changed(spec_.key, value);
}

}  // namespace posiscope::ui
