// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/content_panel.h"

#include "ui/panels/param_form.h"
#include "ui/panels/section.h"
#include "ui/state/edits.h"

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace posiscope::ui {
namespace {

constexpr std::int64_t start_window = 128;

std::vector<ParamSpec> makeMaskSpecs() {
  ParamSpec rule;
  rule.key = "mask";
  rule.label = {"mask", "掩码"};
  rule.help = {"Which keys a query may look at.", "每个查询可以看到哪些键。"};
  rule.kind = ParamKind::choice;
  rule.choices = {{"none", {"none", "无"}},
                  {"causal", {"causal", "因果"}},
                  {"window", {"sliding window", "滑动窗口"}},
                  {"both", {"window, both sides", "双侧窗口"}}};
  rule.default_value = std::string("none");
  ParamSpec window;
  window.key = "window";
  window.label = {"window", "窗口"};
  window.help = {"Keys at most this many tokens away are seen.", "只看到距离不超过该词元数的键。"};
  window.unit = "tokens";
  window.kind = ParamKind::integer;
  window.minimum = 0;
  window.maximum = 1 << 24;
  window.slider_minimum = 1;
  window.slider_maximum = 1 << 17;
  window.logarithmic = true;
  window.default_value = static_cast<double>(start_window);
  window.depends_on = "mask";
  window.depends_values = {"window", "both"};
  ParamSpec trained;
  trained.key = "train_length";
  trained.label = {"training length", "训练长度"};
  trained.help = {"How many tokens the model was trained on; 0 means not known.", "模型训练时的词元数；0 表示未知。"};
  trained.unit = "tokens";
  trained.kind = ParamKind::integer;
  trained.minimum = 0;
  trained.maximum = 1 << 24;
  trained.slider_minimum = 1;
  trained.slider_maximum = 1 << 20;
  trained.logarithmic = true;
  trained.default_value = 0.0;
  return {rule, window, trained};
}

}  // namespace

const std::vector<ParamSpec>& maskSpecs() {
  static const std::vector<ParamSpec> specs = makeMaskSpecs();
  return specs;
}

ParamValues maskValues(const Mask& mask, double train_length) {
  const std::string rule = mask.window >= 0 ? (mask.causal ? "window" : "both") : (mask.causal ? "causal" : "none");
  return {{"mask", rule},
          {"window", static_cast<double>(mask.window >= 0 ? mask.window : start_window)},
          {"train_length", train_length}};
}

Experiment withMaskValue(Experiment e, const std::string& key, const Value& value) {
  if (key == "train_length") e.train_length = std::get<double>(value);
  if (key == "window") e.mask.window = static_cast<std::int64_t>(std::get<double>(value));
  if (key == "mask") {
    const std::string& rule = std::get<std::string>(value);
    e.mask.causal = rule == "causal" || rule == "window";
    const bool windowed = rule == "window" || rule == "both";
    if (windowed && e.mask.window < 0) e.mask.window = std::min(start_window, std::max<std::int64_t>(1, e.shape.seq_len / 4));
    if (!windowed) e.mask.window = -1;
  }
  return e;
}

ContentPanel::ContentPanel(Store& store, QWidget* parent)
    : QWidget(parent), store_(store), section_(new Section(this)), content_(new ParamForm(this)), mask_(new ParamForm(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(section_);
  content_->setSpecs("content", contentTable().specs());
  mask_->setSpecs("mask", maskSpecs());
  section_->body()->addWidget(content_);
  section_->body()->addWidget(mask_);
  connect(content_, &ParamForm::changed, this, [this](const std::string& key, const Value& value) {
    store_.setExperiment(withContentValue(store_.experiment(), key, value),
                         QStringLiteral("content ") + QString::fromStdString(key));
  });
  connect(mask_, &ParamForm::changed, this, [this](const std::string& key, const Value& value) {
    store_.setExperiment(withMaskValue(store_.experiment(), key, value),
                         QStringLiteral("mask ") + QString::fromStdString(key));
  });
  connect(content_, &ParamForm::resetWanted, this, [this](const std::string& key) {
    if (const ParamSpec* spec = findParam(contentTable().specs(), key))
      store_.setExperiment(withContentValue(store_.experiment(), key, spec->default_value));
  });
  connect(mask_, &ParamForm::resetWanted, this, [this](const std::string& key) {
    if (const ParamSpec* spec = findParam(maskSpecs(), key))
      store_.setExperiment(withMaskValue(store_.experiment(), key, spec->default_value));
  });
  for (ParamForm* form : {content_, mask_}) connect(form, &ParamForm::finished, &store_, &Store::endGesture);
  connect(content_, &ParamForm::fileWanted, this, &ContentPanel::fileWanted);
  connect(&store_, &Store::experimentChanged, this, &ContentPanel::refresh);
  retranslate();
}

void ContentPanel::retranslate() {
  section_->setTitle(tr("Content"));
  content_->setLanguage(store_.presentation().language);
  mask_->setLanguage(store_.presentation().language);
  refresh();
}

void ContentPanel::refresh() {
  const Experiment& e = store_.experiment();
  content_->setValues(contentTable().values(e.content));
  mask_->setValues(maskValues(e.mask, e.train_length));
}

void ContentPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace posiscope::ui
