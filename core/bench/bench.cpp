// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/bench.h"

#include "core/bench/cases.h"
#include "core/parallel.h"

#include <array>

namespace posiscope::bench {
namespace {

struct Part {
  Text what;
  Case measure;
};

const std::array<Part, 4>& parts() {
  static const std::array<Part, 4> list{{{{"tables", "表"}, tableFigures},
                                         {{"attention", "注意力"}, attentionFigures},
                                         {{"offsets", "偏移"}, offsetFigures},
                                         {{"windows of large maps", "大图的窗口"}, windowFigures}}};
  return list;
}

}  // namespace

Report run(Size size, const Job& job, const std::function<void(const Text&)>& tell) {
  Report report;
  report.size = size;
  report.machine.threads = threads();
  double done = 0;
  for (const Part& part : parts()) {
    if (job.stopped()) break;
    if (tell) tell(part.what);
    for (Figure& figure : part.measure({size, report.machine, job})) {
      // The targets are those of the full sizes. A wrong answer stays one.
      if (size == Size::tiny && figure.missing.en.empty()) figure.met.reset();
      report.figures.push_back(std::move(figure));
    }
    job.setProgress(++done / static_cast<double>(parts().size()));
  }
  return report;
}

}  // namespace posiscope::bench
