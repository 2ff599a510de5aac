// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/time_text.h"

#include <cmath>

namespace posiscope::ui {

QString timeText(double seconds, const Style& style) {
  constexpr double minute = 60, hour = 3600, short_time = 90;
  if (seconds < short_time) return style.text({"%1 s", "%1 秒"}).arg(static_cast<int>(std::ceil(seconds)));
  if (seconds < hour) return style.text({"%1 min", "%1 分钟"}).arg(static_cast<int>(std::lround(seconds / minute)));
  const auto minutes = static_cast<qint64>(std::lround(seconds / minute));
  return style.text({"%1 h %2 min", "%1 小时 %2 分钟"}).arg(minutes / 60).arg(minutes % 60);
}

}  // namespace posiscope::ui
