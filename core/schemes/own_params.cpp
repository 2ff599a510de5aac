// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/own_params.h"

#include "core/formula_names.h"
#include "core/near_names.h"
#include "core/schemes/own_formula.h"

#include <algorithm>

namespace posiscope::schemes {
namespace {

ParamTable<OwnParams> makeTable() {
  using P = OwnParams;
  ParamTable<P> t;
  t.choice("kind", &P::kind,
           {{"table", {"table f(pos, i, d)", "表 f(pos, i, d)"}},
            {"frequency", {"frequency f(pair, d)", "频率 f(pair, d)"}},
            {"bias", {"bias f(offset, head)", "偏置 f(offset, head)"}},
            {"list", {"list of frequencies", "频率列表"}}},
           {{"kind", "类型"},
            {"What the formula gives: an added table, the frequencies of a rotation, or a bias on the logits.",
             "公式给出什么：相加的表、旋转的频率，或注意力分数的偏置。"}});
  t.text("formula", &P::formula, Formula::longest,
         {{"formula", "公式"},
          {"Names by kind: pos, i, d; pair, d; offset, head, heads. Every other name is a number of your own, 1 at "
           "first, with its slider; -a*abs(offset) brings a. Empty means an example.",
           "可用名称随类型而定：pos、i、d；pair、d；offset、head、heads。其他名称都是你自己的数，初值为 1，"
           "并各有一个滑块；-a*abs(offset) 会带来 a。空表示示例。"}})
      .unset({"an example", "示例"})
      .when("kind", {"table", "frequency", "bias"});
  t.list("list", &P::list,
         {{"frequencies", "频率"},
          {"Angle per token of each pair; other dimensions pass through.",
           "各维度对在相邻词元之间转过的角度；其余维度原样通过。"},
          "inv_freq",
          "radians per token"})
      .when("kind", {"list"});
  t.choice("pairing", &P::pairing,
           {{"interleaved", {"interleaved", "相邻配对"}}, {"half", {"half-split", "前后半配对"}}},
           {{"pairing", "配对方式"},
            {"Which two dimensions turn together: neighbours, or p and p + half.",
             "哪两个维度一起旋转：相邻两维，或 p 与 p + 一半。"}})
      .when("kind", {"frequency", "list"});
  return t;
}

/// The parameter that a name in the formula becomes.
ParamSpec specOf(const std::string& name) {
  ParamSpec spec;
  spec.key = name;
  spec.label = {name, name};
  spec.help = {join("The number ", name, " of the formula."), join("公式中的数 ", name, "。")};
  spec.kind = ParamKind::real;
  spec.minimum = -1e9;
  spec.maximum = 1e9;
  spec.slider_minimum = -10;
  spec.slider_maximum = 10;
  spec.default_value = 1.0;
  spec.depends_on = "kind";
  spec.depends_values = {"table", "frequency", "bias"};
  return spec;
}

bool isVariable(std::string_view word, OwnKind kind) {
  const std::vector<std::string> names = variablesOf(kind);
  return std::ranges::find(names, word) != names.end();
}

bool isVariableOfAny(std::string_view word) {
  return isVariable(word, OwnKind::table) || isVariable(word, OwnKind::frequency) || isVariable(word, OwnKind::bias);
}

/// Could it be a number of some formula?
bool isNumber(std::string_view word) {
  return word.size() <= longest_name_of_number && !isVariableOfAny(word) && !findParam(ownTable().specs(), word);
}

/// A word that no formula would take for anything else: also the key of a number that is not named any more.
bool isWholeName(std::string_view key) {
  const std::vector<FormulaName> names = namesIn(key);
  return names.size() == 1 && names.front().word == key && isNumber(key);
}

Text whyNoNumber(std::string_view word, OwnKind kind) {
  if (findParam(ownTable().specs(), word))
    return {join("'", word, "' is another parameter of this scheme; give the number another name"),
            join("“", word, "”是该方案的另一个参数；请给这个数换一个名称")};
  if (isVariableOfAny(word))
    return {join("'", word, "' is not known in a formula of this kind; it has ", listed(variablesOf(kind))),
            join("此类公式中没有“", word, "”；可用的是 ", listed(variablesOf(kind), "、"))};
  return {join("a name has at most ", longest_name_of_number, " letters, this one ", word.size()),
          join("名称至多 ", longest_name_of_number, " 个字母，此名称有 ", word.size(), " 个")};
}

}  // namespace

const ParamTable<OwnParams>& ownTable() {
  static const ParamTable<OwnParams> table = makeTable();
  return table;
}

std::string exampleOf(OwnKind kind) {
  switch (kind) {
    case OwnKind::table: return "b*sin(pos*10000^(-a*2*floor(i/2)/d) + mod(i,2)*pi/2)";
    case OwnKind::frequency: return "b*10000^(-a*2*pair/d)";
    case OwnKind::bias: return "-b*abs(offset)*2^(-8*(head+1)/heads)";
    case OwnKind::list: break;
  }
  return {};
}

std::vector<std::string> variablesOf(OwnKind kind) {
  if (kind == OwnKind::table) return {"pos", "i", "d"};
  if (kind == OwnKind::frequency) return {"pair", "d"};
  return {"offset", "head", "heads"};
}

Formula formulaOf(const OwnParams& p) {
  return {p.formula.empty() ? exampleOf(p.kind) : p.formula, variablesOf(p.kind), p.numbers};
}

std::vector<std::string> numbersOf(std::string_view formula) {
  std::vector<std::string> numbers;
  for (const FormulaName& name : namesIn(formula))
    if (isNumber(name.word) && numbers.size() < most_numbers_of_formula) numbers.emplace_back(name.word);
  return numbers;
}

Outcome checkNumbers(const OwnParams& p) {
  const std::string text = formulaOf(p).text;
  std::size_t count = 0;
  for (const FormulaName& name : namesIn(text)) {
    if (isVariable(name.word, p.kind)) continue;
    if (!isNumber(name.word)) return fail(formulaMistake("own", text, name.byte, whyNoNumber(name.word, p.kind)));
    if (++count > most_numbers_of_formula)
      return fail(
          formulaMistake("own", text, name.byte,
                         {join("a formula has at most ", most_numbers_of_formula, " numbers of its own; '", name.word,
                               "' is one more"),
                          join("公式至多有 ", most_numbers_of_formula, " 个自己的数；“", name.word, "”超出了")}));
  }
  return {};
}

Expected<OwnParams> readOwn(const ParamValues& values) {
  ParamValues fixed, numbers;
  for (const auto& [key, value] : values) (findParam(ownTable().specs(), key) ? fixed : numbers).emplace(key, value);
  Expected<OwnParams> p = ownTable().read("own", fixed);
  if (!p) return p;
  const std::vector<std::string> names = numbersOf(formulaOf(*p).text);
  for (const auto& [key, value] : numbers) {
    if (!isWholeName(key)) {
      std::vector<std::string> keys = names;
      for (const ParamSpec& spec : ownTable().specs()) keys.push_back(spec.key);
      const Text known = knownNames(key, keys);
      return fail(ErrorCode::unknown_name, join("own: there is no parameter '", key, "'", known.en),
                  join("own：没有参数“", key, "”", known.zh));
    }
    if (Outcome ok = checkValue("own", specOf(key), value); !ok) return fail(ok.error());
  }
  for (const std::string& name : names) {
    const auto given = numbers.find(name);
    p->numbers.emplace_back(name, given == numbers.end() ? 1.0 : std::get<double>(given->second));
  }
  return p;
}

std::string exampleFormula(std::string_view scheme, std::string_view key, const ParamValues& values) {
  if (scheme != "own" || key != "formula") return {};
  const Expected<OwnParams> p = readOwn(values);
  return p ? exampleOf(p->kind) : std::string();
}

std::vector<ParamSpec> paramsOf(const Scheme& scheme, const ParamValues& values) {
  std::vector<ParamSpec> specs = scheme.params;
  if (scheme.id() != "own") return specs;
  ParamValues fixed;
  for (const ParamSpec& spec : scheme.params)
    if (const auto found = values.find(spec.key); found != values.end() && checkValue("own", spec, found->second))
      fixed.insert(*found);
  const Expected<OwnParams> p = ownTable().read("own", fixed);
  for (const std::string& name : numbersOf(formulaOf(*p).text)) specs.push_back(specOf(name));
  return specs;
}

ParamValues withoutIdle(const Scheme& scheme, ParamValues values) {
  if (scheme.id() != "own") return values;
  const std::vector<ParamSpec> specs = paramsOf(scheme, values);
  std::erase_if(values, [&specs](const auto& value) { return !findParam(specs, value.first); });
  return values;
}

}  // namespace posiscope::schemes
