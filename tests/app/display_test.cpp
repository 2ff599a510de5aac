// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include <gtest/gtest.h>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace posiscope {
namespace {

/// Sets variables of the environment (null: away), and as they were at the end.
class Environment {
 public:
  explicit Environment(const std::map<std::string, const char*>& wanted) {
    for (const auto& [name, value] : wanted) {
      const char* before = std::getenv(name.c_str());
      before_[name] = before ? std::optional<std::string>(before) : std::nullopt;
      value ? setenv(name.c_str(), value, 1) : unsetenv(name.c_str());
    }
  }
  ~Environment() {
    for (const auto& [name, value] : before_) value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
  }

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

TEST(Display, WithoutADisplayTheWindowIsRefusedWithWhatWorks) {
  const Environment bare({{"DISPLAY", nullptr}, {"WAYLAND_DISPLAY", nullptr}, {"QT_QPA_PLATFORM", nullptr}});
  const Outcome refused = cli::checkDisplay({});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.en.find("posiscope figure"), std::string::npos);
  EXPECT_NE(refused.error().message.en.find("--screenshot"), std::string::npos);
  cli::WindowRequest picture;
  picture.screenshot = "f.png";
  EXPECT_TRUE(cli::checkDisplay(picture));
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
    const Environment one(std::map<std::string, const char*>{{name, "x"}});
    EXPECT_TRUE(cli::checkDisplay({})) << name;
  }
}

}  // namespace
}  // namespace posiscope
