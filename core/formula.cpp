// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula.h"

#include "core/compiled_formula.h"
#include "core/files/refusal.h"
#include "core/parallel.h"
#include "core/screen_number.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

namespace posiscope {
namespace {

constexpr std::int64_t block_points = 4096;

/// 1 for the first character; bytes that continue a character do not count.
std::int64_t columnOf(std::string_view text, std::size_t byte) {
  return 1 + std::ranges::count_if(text.substr(0, std::min(byte, text.size())),
                                   [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; });
}

std::string knownNames(const Formula& formula) {
  std::string names;
  for (const std::string& name : formula.variables) names += (names.empty() ? "" : ", ") + name;
  for (const auto& [name, value] : formula.constants) names += ", " + name;
  return names;
}

/// The unknown word or sign alone: the parser gives all that follows a sign of which it has not heard.
std::string firstUnknown(const std::string& text) {
  const auto is_of_word = [](char c) {
    return (static_cast<unsigned char>(c) & 0x80u) != 0 || std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  const auto end = std::ranges::find_if_not(text, is_of_word);
  return text.substr(0, std::max<std::size_t>(1, static_cast<std::size_t>(end - text.begin())));
}

Text explain(const mu::ParserError& error, const Formula& formula) {
  std::string token = error.GetToken();  // at times with blanks behind it
  token.erase(token.find_last_not_of(" \t\r\n") + 1);
  if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN) token = firstUnknown(token);
  token = files::escaped(token, 40);  // what was typed may be anything
  switch (error.GetCode()) {
    case mu::ecUNASSIGNABLE_TOKEN:
      return {join("'", token, "' is not known; names here: ", knownNames(formula), ", pi and functions such as sin"),
              join("不认识“", token, "”；可用的名称：", knownNames(formula), "、pi，以及 sin 等函数")};
    case mu::ecUNEXPECTED_EOF: return {"the formula ends too early", "公式没有写完"};
    case mu::ecMISSING_PARENS: return {"a closing parenthesis is missing", "缺少右括号"};
    case mu::ecUNEXPECTED_PARENS: return {"this parenthesis has no counterpart", "此括号没有配对"};
    case mu::ecTOO_MANY_PARAMS: return {join("too many arguments of ", token), join(token, " 的参数过多")};
    case mu::ecTOO_FEW_PARAMS: return {join("too few arguments of ", token), join(token, " 的参数过少")};
    case mu::ecMISSING_ELSE_CLAUSE: return {"'?' needs a ':' part", "“?”需要对应的“:”部分"};
    case mu::ecUNTERMINATED_STRING:
    case mu::ecSTRING_EXPECTED:
    case mu::ecOPRT_TYPE_CONFLICT:
    case mu::ecSTR_RESULT: return {"texts cannot be computed with", "文本不能参与计算"};
    case mu::ecINTERNAL_ERROR: token.clear(); break;  // no token, but a word of the parser to its makers
    default: break;
  }
  if (token.empty()) return {"this is not a formula", "这不是合法的公式"};
  return {join("'", token, "' cannot stand here"), join("“", token, "”不能出现在这里")};
}

/// The byte where the parser gave up, which may stand anywhere behind a text; 0 when it does not say.
std::size_t placeOf(const mu::ParserError& error, std::string_view text) {
  // It reports texts only when they are over: what is wrong is their first quote.
  const bool is_text = error.GetCode() == mu::ecUNTERMINATED_STRING || error.GetCode() == mu::ecSTRING_EXPECTED ||
                       error.GetCode() == mu::ecOPRT_TYPE_CONFLICT || error.GetCode() == mu::ecSTR_RESULT;
  if (const std::size_t quote = text.find('"'); is_text && quote != std::string_view::npos) return quote;
  return error.GetPos() < 0 ? 0 : std::min(static_cast<std::size_t>(error.GetPos()), text.size());
}

/// Where a single '=' stands, which would assign; npos when nowhere.
std::size_t assignment(std::string_view text) {
  for (std::size_t at = text.find('='); at != std::string_view::npos; at = text.find('=', at + 1)) {
    if (at + 1 < text.size() && text[at + 1] == '=') {
      ++at;
      continue;
    }
    if (at == 0 || std::string_view("<>!").find(text[at - 1]) == std::string_view::npos) return at;
  }
  return std::string_view::npos;
}

/// Where a number stands that no double holds, such as 1e400, and how long it is.
std::optional<std::string_view> tooLargeNumber(std::string_view text) {
  const auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (isDigit(text[at]) || text[at] == '.') {
      double value = 0;
      const auto [stop, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
      end = std::max(end, static_cast<std::size_t>(stop - text.data()));
      // A number too small is out of range as well, but it reads as 0 and is nothing to refuse.
      const std::string_view number = text.substr(at, end - at);
      if (error == std::errc::result_out_of_range && std::isinf(std::strtod(std::string(number).c_str(), nullptr)))
        return number;
    } else if (isWord(text[at])) {
      while (end < text.size() && isWord(text[end])) ++end;
    }
    at = end;
  }
  return std::nullopt;
}

}  // namespace

Error formulaMistake(std::string_view owner, std::string_view text, std::size_t byte, const Text& what) {
  const std::int64_t column = columnOf(text, byte);
  return {
      ErrorCode::bad_value,
      {join(owner, ": formula, column ", column, ": ", what.en), join(owner, "：公式第 ", column, " 列：", what.zh)}};
}

Error formulaTooLong(std::string_view owner, std::int64_t count) {
  const std::string times = screenNumber(static_cast<double>(count));
  return {ErrorCode::too_large,
          {join(owner, ": the formula takes too long: it would be computed ", times,
                " times, once for each number that is asked for; shorten it or make the shape smaller"),
           join(owner, "：该公式耗时过长：需要计算 ", times, " 次，所求的每个数各一次；请缩短公式或减小形状")}};
}

namespace {

/// The first point, in order, whose value is no number up to `largest`; −1 when there is none.
std::int64_t firstBad(const std::vector<double>& values, double largest) {
  const auto bad = std::ranges::find_if(values, [largest](double v) { return !(std::abs(v) <= largest); });
  return bad == values.end() ? -1 : bad - values.begin();
}

}  // namespace

Error formulaNotFinite(std::string_view owner, const Formula& formula, double value, std::span<const double> point) {
  std::string where;
  for (std::size_t v = 0; v < point.size(); ++v)
    where += join(v == 0 ? "" : ", ", formula.variables[v], " = ", point[v]);
  const std::string most = join(formula.largest);
  const Text found = std::isnan(value)      ? Text{"not a number (NaN)", "非数（NaN）"}
                     : std::isfinite(value) ? Text{join(value, " (single precision ends at ±", most, " here)"),
                                                   join(" ", value, "（此处单精度止于 ±", most, "）")}
                     : value > 0            ? Text{"infinity", "无穷大"}
                                            : Text{"minus infinity", "负无穷大"};
  return {ErrorCode::not_defined,
          {join(owner, ": the formula must give finite numbers, got ", found.en, " at ", where),
           join(owner, "：公式必须给出有限的数，在 ", where, " 处得到", found.zh)}};
}

bool mentions(std::string_view text, std::string_view name) {
  const auto partOfWord = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
    if ((at == 0 || !partOfWord(at - 1)) && !partOfWord(at + name.size())) return true;
  return false;
}

Outcome checkFormula(std::string_view owner, const Formula& formula, std::int64_t count) {
  const std::string& text = formula.text;
  if (text.size() > Formula::longest)
    return fail(ErrorCode::bad_value,
                join(owner, ": the formula must have at most ", Formula::longest, " bytes, got ", text.size()),
                join(owner, "：公式至多 ", Formula::longest, " 字节，得到 ", text.size()));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return fail(formulaMistake(owner, text, 0, {"the formula is empty", "公式为空"}));
  if (const std::size_t odd = text.find('\0'); odd != std::string::npos)
    return fail(formulaMistake(owner, text, odd, {"a formula is plain text", "公式必须是纯文本"}));
  if (const std::size_t at = assignment(text); at != std::string::npos)
    return fail(formulaMistake(owner, text, at, {"'=' would assign; compare with '=='", "“=”是赋值；比较请用“==”"}));
  if (const auto number = tooLargeNumber(text)) {
    const std::string shown = files::escaped(*number, 40);
    return fail(formulaMistake(owner, text, static_cast<std::size_t>(number->data() - text.data()),
                               {join("the number ", shown, " is too large; numbers reach up to 1.8e308"),
                                join("数 ", shown, " 过大；最大约为 1.8e308")}));
  }
  try {
    CompiledFormula compiled(formula);
    std::ranges::fill(compiled.variables(), 1.0);
    compiled.value();
    if (compiled.results() != 1)
      return fail(formulaMistake(owner, text, text.find(','),
                                 {"one value is wanted, not several", "只能有一个值，而不是多个"}));
  } catch (const mu::ParserError& error) {
    return fail(formulaMistake(owner, text, placeOf(error, text), explain(error, formula)));
  }
  if (static_cast<double>(count) * static_cast<double>(text.size()) > Formula::most_characters)
    return fail(formulaTooLong(owner, count));
  return {};
}

Expected<std::vector<double>> evaluateFormula(std::string_view owner, const Formula& formula, std::int64_t count,
                                              const std::function<void(std::int64_t, std::span<double>)>& point) {
  if (Outcome ok = checkFormula(owner, formula, count); !ok) return fail(ok.error());
  std::vector<double> values(static_cast<std::size_t>(count));
  const Job job;
  const auto end_time = std::chrono::steady_clock::now() + Formula::longest_time;
  const bool finished = parallelBlocks(count, block_points, job, [&](std::int64_t begin, std::int64_t end) {
    CompiledFormula compiled(formula);
    for (std::int64_t n = begin; n < end; ++n) {
      point(n, compiled.variables());
      values[static_cast<std::size_t>(n)] = compiled.value();
    }
    if (std::chrono::steady_clock::now() > end_time) job.stop();
  });
  if (!finished) return fail(formulaTooLong(owner, count));
  const std::int64_t bad = firstBad(values, formula.largest);
  if (bad < 0) return values;
  std::vector<double> where(formula.variables.size());
  point(bad, where);
  return fail(formulaNotFinite(owner, formula, values[static_cast<std::size_t>(bad)], where));
}

}  // namespace posiscope
