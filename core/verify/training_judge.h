// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/verify.h"
#include "core/verify/manifest.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace posiscope::verify {

/// One piece of an answer with the line it is held to.
struct Piece {
  std::string name;
  std::span<const double> found;
  std::span<const double> right;
  Tolerance tolerance;
};

/// Keeps the score of a training manifest: compares, reports, and reads the arrays beside it.
class TrainingJudge {
 public:
  TrainingJudge(const nlohmann::json& root, std::string folder, Precision precision,
                std::function<void(const CaseReport&)> each)
      : root_(root), folder_(std::move(folder)), precision_(precision), each_(std::move(each)) {}

  /// What is judged from now on.
  void about(std::string id, std::string scheme) {
    id_ = std::move(id);
    scheme_ = std::move(scheme);
  }
  bool inDouble() const { return precision_ == Precision::double_; }
  const char* line() const { return inDouble() ? "f64" : "f32"; }
  /// A number of the tolerances in use: "atol_null".
  double limit(const char* key) const { return root_.at("tol").at(line()).at(key).get<double>(); }
  /// A line of them: "grad".
  Tolerance tolerance(const char* key) const;

  /// An array named by the manifest. Errors: those of the reader.
  Expected<Array> array(const nlohmann::json& name) const;

  void compare(const std::string& quantity, std::span<const double> found, std::span<const double> right,
               const Tolerance& tolerance);
  /// One report for all pieces: the worst of them.
  void compare(const std::string& quantity, const std::vector<Piece>& pieces);
  void compareExactly(const std::string& quantity, std::span<const double> found, std::span<const double> right);
  /// The right answer is a refusal for one of the reasons a question can have.
  void compareRefusal(const std::string& quantity, const Outcome& outcome);
  void failed(const std::string& quantity, std::string note);
  void unsupported(const std::string& quantity, std::string note);

  const Report& report() const { return report_; }

 private:
  void add(CaseReport c);

  const nlohmann::json& root_;
  std::string folder_;
  Precision precision_;
  std::function<void(const CaseReport&)> each_;
  std::string id_, scheme_;
  Report report_;
};

}  // namespace posiscope::verify
