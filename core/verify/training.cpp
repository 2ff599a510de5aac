// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/training.h"

#include "core/steps.h"
#include "core/verify/training_case.h"

#include <filesystem>

namespace posiscope::verify {
namespace {

using nlohmann::json;

/// Runs one part of the manifest; what is wrong with it fails that part and no other.
template <class Part>
void judgePart(TrainingJudge& judge, const Part& part) {
  try {
    const Outcome ok = part();
    if (ok) return;
    if (ok.error().code == ErrorCode::not_supported)
      judge.unsupported("case", ok.error().message.en);
    else
      judge.failed("case", ok.error().message.en);
  } catch (const json::exception& problem) {
    judge.failed("case", join("the manifest's entry is not as expected: ", problem.what()));
  }
}

std::string wordOf(const json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : "";
}

}  // namespace

bool isTrainingManifest(const json& root) { return wordOf(root, "suite") == "training"; }

Expected<Report> runTraining(const json& root, const std::string& path, const Options& options, const Job& job,
                             const std::function<void(const CaseReport&)>& each) {
  TrainingJudge judge(root, std::filesystem::path(path).parent_path().string(), options.precision, each);
  const json none = json::array();
  const json& cases = root.contains("cases") && root["cases"].is_array() ? root["cases"] : none;
  Steps steps(job, cases.size() + 1);
  const Job first = steps.next();
  if (options.schemes.empty()) judgePart(judge, [&] { return judgeGenerators(judge, root); });
  first.setProgress(1);
  for (const json& c : cases) {
    const Job step = steps.next();
    const json pe =
        c.is_object() && c.contains("config") && c["config"].is_object() ? c["config"].value("pe", json()) : json();
    const std::string kind = wordOf(pe, "kind");
    if (!isChosen(kind, options.schemes)) continue;
    judge.about(wordOf(c, "id"), kind);
    judgePart(judge, [&] {
      return judge.inDouble() ? judgeModel<double>(judge, root, c, step) : judgeModel<float>(judge, root, c, step);
    });
    if (job.stopped()) return fail(ErrorCode::cancelled, "verify: cancelled", "核对：已取消");
    step.setProgress(1);
  }
  return judge.report();
}

}  // namespace posiscope::verify
