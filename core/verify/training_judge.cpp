// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/training_judge.h"

#include "core/files/reader.h"
#include "core/verify/compare.h"

#include <filesystem>

namespace posiscope::verify {
namespace {

Array arrayOf(std::span<const double> values) {
  return makeArray({static_cast<std::int64_t>(values.size())}, {values.begin(), values.end()});
}

}  // namespace

Tolerance TrainingJudge::tolerance(const char* key) const {
  const nlohmann::json& line_of_key = root_.at("tol").at(line()).at(key);
  return {line_of_key.at("rtol").get<double>(), line_of_key.at("atol").get<double>()};
}

Expected<Array> TrainingJudge::array(const nlohmann::json& name) const {
  return files::readNpy((std::filesystem::path(folder_) / name.get<std::string>()).lexically_normal().string());
}

void TrainingJudge::add(CaseReport c) {
  c.id = id_;
  c.scheme = scheme_;
  c.kernel = inDouble() ? "double" : "float";
  report_.passed += c.state == State::passed;
  report_.failed += c.state == State::failed;
  report_.unsupported += c.state == State::unsupported;
  report_.cases.push_back(std::move(c));
  if (each_) each_(report_.cases.back());
}

void TrainingJudge::failed(const std::string& quantity, std::string note) {
  CaseReport c;
  c.quantity = quantity;
  c.state = State::failed;
  c.note = std::move(note);
  add(std::move(c));
}

void TrainingJudge::unsupported(const std::string& quantity, std::string note) {
  CaseReport c;
  c.quantity = quantity;
  c.note = std::move(note);
  add(std::move(c));
}

void TrainingJudge::compare(const std::string& quantity, const std::vector<Piece>& pieces) {
  CaseReport c;
  c.quantity = quantity;
  c.line = line();
  c.state = State::passed;
  for (const Piece& piece : pieces) {
    const Comparison one = compareArrays(arrayOf(piece.found), arrayOf(piece.right), piece.tolerance, false);
    const bool first_failure = !one.equal && c.state == State::passed;
    if (one.equal && (c.state == State::failed || one.error <= c.largest_error)) continue;
    if (!one.equal && !first_failure) continue;
    c.largest_error = one.error;
    c.tolerance = one.tolerance;
    if (first_failure) {
      c.state = State::failed;
      c.note = (piece.name.empty() ? "" : piece.name + ": ") + one.note;
    }
  }
  add(std::move(c));
}

void TrainingJudge::compare(const std::string& quantity, std::span<const double> found, std::span<const double> right,
                            const Tolerance& tolerance) {
  compare(quantity, {Piece{"", found, right, tolerance}});
}

void TrainingJudge::compareExactly(const std::string& quantity, std::span<const double> found,
                                   std::span<const double> right) {
  const Comparison one = compareArrays(arrayOf(found), arrayOf(right), {}, true);
  CaseReport c;
  c.quantity = quantity;
  c.line = "exact";
  c.state = one.equal ? State::passed : State::failed;
  c.largest_error = one.error;
  c.note = one.note;
  add(std::move(c));
}

void TrainingJudge::compareRefusal(const std::string& quantity, const Outcome& outcome) {
  CaseReport c;
  c.quantity = quantity;
  c.line = "refusal";
  const auto isAboutTheQuestion = [](ErrorCode code) {
    return code == ErrorCode::past_table || code == ErrorCode::bad_shape || code == ErrorCode::out_of_range;
  };
  c.state = !outcome && isAboutTheQuestion(outcome.error().code) ? State::passed : State::failed;
  c.note = outcome ? "the right answer is a refusal, but a result was computed" : outcome.error().message.en;
  add(std::move(c));
}

}  // namespace posiscope::verify
