// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How attention changes with the length: what a bias alone makes of it, and the entropy on given queries and keys.
#include "core/aliases.h"
#include "core/attention/length_figures.h"
#include "core/heads/metrics.h"
#include "core/verify/encode.h"

#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

namespace posiscope::verify {
namespace {

constexpr std::int64_t most_tokens = 1 << 20;

/// A scheme inside a case about lengths, whose own `scheme` is the measure.
struct SchemeOfLengths {
  std::string id;
  ParamValues values;
  std::int64_t heads = 1;
  std::int64_t head = 0;
};

SchemeOfLengths resolved(CaseReader& in, std::string_view name) {
  const Expected<ResolvedScheme> scheme = resolveScheme(name);
  if (scheme) return {scheme->id, scheme->values};
  in.notSupported(join("the scheme '", name, "'"));
  return {"none", {}};
}

/// The same slope in every head: KERPLE's power 1. Without a slope nothing is left.
void setSlope(SchemeOfLengths& s, double slope) {
  if (slope == 0) {
    s.id = "none";
    s.values = {};
    return;
  }
  s.id = "kerple";
  s.values = {{"form", std::string("power")}, {"r1", std::vector{slope}}, {"r2", std::vector{1.0}}};
}

const char* const scheme_params =
    "num_buckets max_distance bidirectional sign bar_d base reading form max_bias alibi_bias_max "
    "c L_threshold threshold_length eps epsilon mlp_width width layout pairing rotary_pct rotary_dim";
const char* const scheme_inputs = "table W1 b1 W2 b2 r1 r2";

SchemeOfLengths readScheme(CaseReader& in) {
  SchemeOfLengths s = resolved(in, in.word("scheme", "none"));
  for (const auto& [key, value] : schemeValues(in, s.id, scheme_params)) s.values[key] = value;
  for (const char* rate : {"r1", "r2"})
    if (in.has(rate))
      s.values[rate] = in.reference().params[rate].is_array() ? in.list(rate) : std::vector{in.number(rate)};
    else if (in.hasInput(rate))
      s.values[rate] = valuesAs<double>(in.array(rate, {-1}));
  if (in.has("slope")) setSlope(s, in.number("slope"));
  for (const auto& [theirs, ours] : {std::pair{"table", "table"}, std::pair{"W1", "w1"}, std::pair{"b1", "b1"},
                                     std::pair{"W2", "w2"}, std::pair{"b2", "b2"}})
    if (in.hasInput(theirs)) s.values[ours] = in.array(theirs);
  if (const Array table = in.hasInput("table") ? in.array("table", {-1, -1}) : Array{}; table.rank() == 2)
    s.heads = table.shape[1];
  if (const Array w2 = in.hasInput("W2") ? in.array("W2", {-1, -1}) : Array{}; w2.rank() == 2) s.heads = w2.shape[0];
  if (const auto rates = s.values.find("r1"); rates != s.values.end())
    s.heads = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::get<std::vector<double>>(rates->second).size()));
  s.heads = in.integer("num_heads", 1, 1024, s.heads);
  s.head = in.integer("head", 0, s.heads - 1, 0);
  return s;
}

/// b(δ) of the last of `length` queries, in the kernel's scalar.
template <class T>
Expected<std::vector<double>> biasByDistance(const SchemeOfLengths& s, std::int64_t length) {
  Shape shape;
  shape.seq_len = length;
  shape.num_heads = s.heads;
  const Expected<Encoding<T>> encoding = encodeCase<T>(s.id, s.values, shape);
  if (!encoding) return fail(encoding.error());
  if (encoding->rotation || encoding->input.hasTable() || encoding->input.transform || encoding->logits.score.prepare)
    return fail(ErrorCode::not_supported, join(s.id, ": weights without content are not supported"),
                join(s.id, "：不支持无内容的权重"));
  std::vector<T> row(static_cast<std::size_t>(length));
  if (const auto* pairs = std::get_if<PairBias<T>>(&encoding->logits.bias)) pairs->fill(s.head, length - 1, row);
  if (const auto* offsets = std::get_if<OffsetBias<T>>(&encoding->logits.bias))
    for (std::int64_t j = 0; j < length; ++j) row[static_cast<std::size_t>(j)] = offsets->at(s.head, length - 1 - j);
  return std::vector<double>(row.rbegin(), row.rend());
}

std::vector<std::int64_t> readLengths(CaseReader& in) {
  std::vector<std::int64_t> lengths;
  for (const double length : in.list("lengths")) {
    if (length != std::floor(length) || length < 1 || length > most_tokens)
      in.wrong(rangeError("length_metrics", "lengths", 1, most_tokens, length));
    lengths.push_back(in.problem() ? 1 : static_cast<std::int64_t>(length));
  }
  return lengths;
}

/// A row of the manifests' `length_fields` for each length.
template <class T>
Expected<Answer> lengthTable(CaseReader& in) {
  const SchemeOfLengths scheme = readScheme(in);
  const std::vector<std::int64_t> lengths = readLengths(in);
  const double share = in.number("p", 0.9);
  if (share <= 0 || share > 1) in.wrong(rangeError("length_metrics", "p", 0, 1, share));
  if (in.problem()) return fail(*in.problem());
  std::vector<double> rows;
  for (const std::int64_t length : lengths) {
    const auto bias = biasByDistance<T>(scheme, length);
    if (!bias) return fail(bias.error());
    const attention::LengthFigures f = attention::lengthFigures(*bias, share);
    for (const double field : {f.entropy, f.entropy_norm, f.perplexity, f.expected_distance, f.effective_range})
      rows.push_back(field);
  }
  return answer<T>({static_cast<std::int64_t>(lengths.size()), 5}, rows);
}

std::optional<double> numberIn(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "0.5", "2^-4" or "log(100)".
double written(CaseReader& in, std::string_view text) {
  if (const auto plain = numberIn(text)) return *plain;
  if (const std::size_t power = text.find('^'); power != std::string_view::npos) {
    const auto base = numberIn(text.substr(0, power)), exponent = numberIn(text.substr(power + 1));
    if (base && exponent) return std::pow(*base, *exponent);
  }
  if (text.starts_with("log(") && text.ends_with(")"))
    if (const auto argument = numberIn(text.substr(4, text.size() - 5))) return std::log(*argument);
  in.notSupported(join("the number '", text, "'"));
  return 1;
}

/// "alibi 2^-4", "kerple_log r1=2 r2=0.7", "nope".
SchemeOfLengths schemeIn(CaseReader& in, const std::string& line) {
  const std::vector<std::string> parts = words(line);
  if (parts.empty()) {
    in.notSupported("a row without a scheme");
    return {"none", {}};
  }
  SchemeOfLengths s = resolved(in, parts.front());
  for (auto part = parts.begin() + 1; part != parts.end(); ++part) {
    const std::size_t equals = part->find('=');
    if (equals == std::string::npos && s.id == "alibi")
      setSlope(s, written(in, *part));
    else if (equals != std::string::npos)
      s.values[resolveParam(s.id, part->substr(0, equals))] = std::vector{written(in, part->substr(equals + 1))};
    else
      in.notSupported(join("'", *part, "' in '", line, "'"));
  }
  return s;
}

template <class T>
Expected<Answer> attenuationDistances(CaseReader& in) {
  const std::int64_t longest = in.integer("L_max", 1, most_tokens);
  const nlohmann::json& params = in.reference().params;
  const bool named = params.contains("tau") && params["tau"].is_string();
  const double tau = named ? written(in, params["tau"].get<std::string>()) : in.number("tau");
  std::vector<SchemeOfLengths> schemes;
  for (const nlohmann::json& row : params.value("rows", nlohmann::json::array()))
    schemes.push_back(schemeIn(in, row.is_string() ? row.get<std::string>() : row.dump()));
  if (in.problem()) return fail(*in.problem());
  std::vector<std::int64_t> distances;
  for (const SchemeOfLengths& scheme : schemes) {
    // Where the bias of a float would only just miss the fall, it is a whole distance that differs.
    const auto bias = biasByDistance<double>(scheme, longest);
    if (!bias) return fail(bias.error());
    distances.push_back(attention::attenuationDistance(*bias, tau));
  }
  return answer<T>({static_cast<std::int64_t>(distances.size())}, distances);
}

/// The first `length` rows of each of `heads`.
template <class T>
std::vector<T> firstRows(const Array& array, std::int64_t length) {
  const std::int64_t width = array.shape[2];
  std::vector<T> values;
  for (std::int64_t h = 0; h < array.shape[0]; ++h) {
    const double* head = array.data() + h * array.shape[1] * width;
    values.insert(values.end(), head, head + length * width);
  }
  return values;
}

/// Mean entropy over all heads and queries of the first `shape.seq_len` tokens.
template <class T>
Expected<double> meanEntropy(const SchemeOfLengths& scheme, const Array& q, const Array& k, const Shape& shape,
                             const Mask& mask, const Job& job) {
  const Expected<Encoding<T>> encoding = encodeCase<T>(scheme.id, scheme.values, shape);
  if (!encoding) return fail(encoding.error());
  Content<T> content;
  content.q = firstRows<T>(q, shape.seq_len);
  content.k = firstRows<T>(k, shape.seq_len);
  const auto result = attention::attend<T>(*encoding, content, mask, shape, {}, job);
  if (!result) return fail(result.error());
  double sum = 0;
  for (std::int64_t h = 0; h < shape.num_heads; ++h) {
    const Rows<T> weights{result->weights.data() + h * shape.keys() * shape.keys(), shape.keys(), shape.keys()};
    sum += heads::headMetrics(weights, mask, shape, {}).entropy_mean;
  }
  return sum / static_cast<double>(shape.num_heads);
}

template <class T>
Expected<Answer> entropyByLength(CaseReader& in, const Job& job) {
  const std::vector<std::int64_t> lengths = readLengths(in);
  const std::int64_t longest = lengths.empty() ? 1 : *std::ranges::max_element(lengths);
  SchemeOfLengths scheme = readScheme(in);
  Mask mask;
  mask.causal = in.boolean("causal", true);
  Shape shape;
  shape.num_heads = scheme.heads;
  shape.head_dim = in.size("head_dim", {"head_dim"});
  if (in.has("num_kv_heads")) shape.num_kv_heads = in.size("num_kv_heads", {"num_kv_heads"});
  if (Outcome ok = checkShape(shape); !ok) in.wrong(ok.error());
  const Array q = in.array("Q", {shape.num_heads, -1, shape.head_dim});
  const Array k = in.array("K", {shape.kvHeads(), -1, shape.head_dim});
  if (in.problem()) return fail(*in.problem());
  if (const std::int64_t given = std::min(q.shape[1], k.shape[1]); given < longest)
    return fail(ErrorCode::bad_shape, join("inputs.Q and inputs.K must have ", longest, " tokens, got ", given),
                join("inputs.Q 和 inputs.K 必须有 ", longest, " 个词元，得到 ", given));
  std::vector<double> entropies;
  for (const std::int64_t length : lengths) {
    shape.seq_len = length;
    const auto entropy = meanEntropy<T>(scheme, q, k, shape, mask, job);
    if (!entropy) return fail(entropy.error());
    entropies.push_back(*entropy);
  }
  return product<T>({static_cast<std::int64_t>(lengths.size())}, entropies);
}

}  // namespace

void addLengths(std::vector<Quantity>& list) {
  const std::string params = join("scheme lengths num_heads head note slope r1 r2 ", scheme_params);
  list.push_back(quantity("length_metrics", "table", params + " p", scheme_inputs,
                          []<class T>(CaseReader& in, const Job&) { return lengthTable<T>(in); }));
  list.push_back(quantity("length_metrics", "distance", "tau L_max rows", "",
                          []<class T>(CaseReader& in, const Job&) { return attenuationDistances<T>(in); }));
  list.push_back(quantity("length_metrics", "entropy", params + " head_dim num_kv_heads causal",
                          join("Q K ", scheme_inputs),
                          []<class T>(CaseReader& in, const Job& job) { return entropyByLength<T>(in, job); }));
}

}  // namespace posiscope::verify
