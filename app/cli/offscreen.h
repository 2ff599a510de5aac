// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text.h"

#include <memory>

class QApplication;

namespace posiscope::cli {

/// The application that drawing text and charts needs, on Qt's offscreen platform: no display is asked for. Uses the
/// running application where there is one (tests).
class Offscreen {
 public:
  explicit Offscreen(Language language);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

 private:
  std::unique_ptr<QApplication> application_;
};

}  // namespace posiscope::cli
