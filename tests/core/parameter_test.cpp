// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameter.h"

#include "core/param_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace posiscope {
namespace {

enum class Shade { light, dark };

struct Lamp {
  double brightness = 0.5;
  std::int64_t count = 3;
  bool on = true;
  Shade shade = Shade::dark;
  std::vector<double> hours;
  Array table;
};

ParamTable<Lamp> lampTable() {
  ParamTable<Lamp> t;
  t.real("brightness", &Lamp::brightness, {0.1, 10, 0.2, 5, true},
         {{"brightness", "亮度"}, {"How bright.", "有多亮。"}});
  t.integer("count", &Lamp::count, {1, 9, 1, 9, false}, {{"count", "数量"}, {"How many.", "有几盏。"}});
  t.boolean("on", &Lamp::on, {{"on", "开"}, {"Whether lit.", "是否点亮。"}});
  t.choice("shade", &Lamp::shade, {{"light", {"light", "浅"}}, {"dark", {"dark", "深"}}},
           {{"shade", "灯罩"}, {"Which shade.", "哪种灯罩。"}})
      .when("on", {"true"});
  t.list("hours", &Lamp::hours, {{"hours", "时段"}, {"When.", "何时。"}}).when("shade", {"light"});
  t.array("table", &Lamp::table, {{"table", "表"}, {"Numbers.", "数值。"}});
  return t;
}

const ParamSpec& spec(const ParamTable<Lamp>& t, std::string_view key) { return *findParam(t.specs(), key); }

TEST(ParamTable, takesDefaultsFromTheStruct) {
  const ParamTable<Lamp> t = lampTable();
  EXPECT_EQ(spec(t, "brightness").default_value, Value(0.5));
  EXPECT_EQ(spec(t, "count").default_value, Value(3.0));
  EXPECT_EQ(spec(t, "on").default_value, Value(true));
  EXPECT_EQ(spec(t, "shade").default_value, Value(std::string("dark")));
  const Expected<Lamp> lamp = t.read("lamp", {});
  ASSERT_TRUE(lamp);
  EXPECT_EQ(lamp->shade, Shade::dark);
}

TEST(ParamTable, fillsEveryMember) {
  const Array table = makeArray({2}, {1, 2});
  const Expected<Lamp> lamp = lampTable().read("lamp", {{"brightness", 2.0},
                                                        {"count", 4.0},
                                                        {"on", false},
                                                        {"shade", std::string("light")},
                                                        {"hours", std::vector<double>{7, 8}},
                                                        {"table", table}});
  ASSERT_TRUE(lamp) << lamp.error().message.en;
  EXPECT_EQ(lamp->brightness, 2);
  EXPECT_EQ(lamp->count, 4);
  EXPECT_FALSE(lamp->on);
  EXPECT_EQ(lamp->shade, Shade::light);
  EXPECT_EQ(lamp->hours, (std::vector<double>{7, 8}));
  EXPECT_EQ(lamp->table, table);
}

TEST(ParamTable, namesWhatIsKnownWhenAKeyIsNot) {
  const Expected<Lamp> lamp = lampTable().read("lamp", {{"colour", 1.0}});
  ASSERT_FALSE(lamp);
  EXPECT_EQ(lamp.error().code, ErrorCode::unknown_name);
  EXPECT_EQ(lamp.error().message.en,
            "lamp: there is no parameter 'colour'; known: brightness, count, on, shade, hours, table");
}

TEST(Parameter, limitsAreInclusiveAndNamed) {
  const ParamTable<Lamp> t = lampTable();
  EXPECT_TRUE(checkValue("lamp", spec(t, "brightness"), 0.1));
  EXPECT_TRUE(checkValue("lamp", spec(t, "brightness"), 10.0));
  const Outcome low = checkValue("lamp", spec(t, "brightness"), 0.0);
  ASSERT_FALSE(low);
  EXPECT_EQ(low.error().code, ErrorCode::out_of_range);
  EXPECT_EQ(low.error().message.en, "lamp: brightness must be 0.1 to 10, got 0");
  EXPECT_EQ(low.error().message.zh, "lamp：brightness 必须在 0.1 到 10 之间，得到 0");
  EXPECT_FALSE(checkValue("lamp", spec(t, "count"), 10.0));
}

TEST(Parameter, wrongKindsAreNamed) {
  const ParamTable<Lamp> t = lampTable();
  EXPECT_EQ(checkValue("lamp", spec(t, "count"), 2.5).error().message.en,
            "lamp: count must be a whole number, got '2.5'");
  EXPECT_EQ(checkValue("lamp", spec(t, "on"), 1.0).error().code, ErrorCode::bad_value);
  EXPECT_EQ(checkValue("lamp", spec(t, "brightness"), true).error().code, ErrorCode::bad_value);
  EXPECT_EQ(checkValue("lamp", spec(t, "brightness"), std::nan("")).error().code, ErrorCode::bad_value);
  EXPECT_FALSE(checkValue("lamp", spec(t, "brightness"), std::numeric_limits<double>::infinity()));
  EXPECT_EQ(checkValue("lamp", spec(t, "shade"), std::string("green")).error().message.en,
            "lamp: shade must be one of light, dark, got 'green'");
  EXPECT_FALSE(checkValue("lamp", spec(t, "hours"), 1.0));
  EXPECT_FALSE(checkValue("lamp", spec(t, "table"), 1.0));
}

TEST(Parameter, textBecomesAValueAndBack) {
  const ParamTable<Lamp> t = lampTable();
  const auto round_trip = [&](std::string_view key, std::string_view text) {
    const Expected<Value> value = parseValue("lamp", spec(t, key), text);
    return value ? valueText(*value) : value.error().message.en;
  };
  EXPECT_EQ(round_trip("brightness", "0.25"), "0.25");
  EXPECT_EQ(round_trip("brightness", "1e0"), "1");
  EXPECT_EQ(round_trip("count", "7"), "7");
  EXPECT_EQ(round_trip("on", "0"), "false");
  EXPECT_EQ(round_trip("shade", "light"), "light");
  EXPECT_EQ(round_trip("hours", "[1, 2.5,3]"), "[1,2.5,3]");
  EXPECT_EQ(round_trip("hours", "[]"), "[]");
  EXPECT_EQ(round_trip("brightness", "bright"), "lamp: brightness must be a number, got 'bright'");
  EXPECT_EQ(round_trip("brightness", "1,5"), "lamp: brightness must be a number, got '1,5'");
  EXPECT_EQ(round_trip("brightness", "nan"), "lamp: brightness must be a number, got 'nan'");
  EXPECT_EQ(round_trip("hours", "1,2"), "lamp: hours must be a list of numbers such as [1,2], got '1,2'");
}

TEST(Parameter, aTextIsTakenAsItIsUpToItsLength) {
  struct Sign {
    std::string words = "open";
  };
  ParamTable<Sign> t;
  t.text("words", &Sign::words, 12, {{"words", "文字"}, {"What it says.", "所写的内容。"}});
  const ParamSpec& words = t.specs().front();
  EXPECT_EQ(words.default_value, Value(std::string("open")));
  EXPECT_EQ(parseValue("sign", words, "max(a, b)").value(), Value(std::string("max(a, b)")));
  EXPECT_EQ(t.read("sign", {{"words", std::string("shut")}})->words, "shut");
  EXPECT_EQ(parseValue("sign", words, "thirteen long").error().message.en,
            "sign: words must be a text of at most 12 bytes, got '13 bytes'");
  EXPECT_EQ(checkValue("sign", words, 3.0).error().code, ErrorCode::bad_value);
}

TEST(Parameter, relevanceFollowsTheChain) {
  const ParamTable<Lamp> t = lampTable();
  const auto relevant = [&](std::string_view key, const ParamValues& values) {
    return isRelevant(spec(t, key), t.specs(), values);
  };
  EXPECT_TRUE(relevant("shade", {}));
  EXPECT_FALSE(relevant("hours", {}));
  EXPECT_TRUE(relevant("hours", {{"shade", std::string("light")}}));
  EXPECT_FALSE(relevant("hours", {{"shade", std::string("light")}, {"on", false}}));
}

}  // namespace
}  // namespace posiscope
