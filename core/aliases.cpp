// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/aliases.h"

#include "core/brought_values.h"
#include "core/media_segments.h"
#include "core/near_names.h"
#include "core/schemes/list.h"
#include "core/schemes/own_formula.h"
#include "core/shape.h"

#include <algorithm>
#include <set>
#include <vector>

namespace posiscope {
namespace {

struct SchemeAlias {
  std::string_view other;
  std::string_view id;
  ParamValues values;
};

const std::vector<SchemeAlias>& schemeAliases() {
  const ParamValues half{{"pairing", std::string("half")}};
  static const std::vector<SchemeAlias> list{
      {"nope", "none", {}},
      {"sin", "sinusoidal", {}},
      {"absolute", "learned", {}},
      {"rotary", "rope", {}},
      {"rope_interleaved", "rope", {{"pairing", std::string("interleaved")}}},
      {"rope_half", "rope", half},
      {"rope_partial", "rope", half},
      {"rope_scaled", "rope", half},
      {"rope_multi", "rope", {}},
      {"rope_dual", "rope", {{"dual", true}}},
      {"rope_proportional", "rope", {{"pairing", std::string("half")}, {"scaling", std::string("proportional")}}},
      {"t5", "t5_log", {}},
      {"txl", "transformer_xl", {}},
      {"rope2d", "rope_2d", {}},
      {"mla", "rope_decoupled", {}},
      {"sincos2d", "sinusoidal_2d", {}},
      {"sin2d", "sinusoidal_2d", {}},
      {"sincos_nd", "sinusoidal_nd", {}},
      {"learned2d", "learned_2d", {}},
      {"kerple_log", "kerple", {{"form", std::string("log")}}},
      {"kerple_power", "kerple", {{"form", std::string("power")}}},
      {"peg", "conditional", {}},
      {"cpe", "conditional", {}},
  };
  return list;
}

/// Holds in every scheme that has the parameter.
struct ParamAlias {
  std::string_view other;
  std::string_view key;
};

constexpr ParamAlias param_aliases[] = {
    {"layout", "columns"},
    {"freq", "frequencies"},
    {"temperature", "base"},
    {"n_positions", "max_positions"},
    {"max_position_embeddings", "max_positions"},
    {"dist", "initial"},
    {"initializer_range", "std"},
    {"pos_start", "start"},
    {"shape", "sizes"},
    {"layout", "pairing"},
    {"pair_layout", "pairing"},
    {"rope_theta", "base"},
    {"theta", "base"},
    {"rotary_emb_base", "base"},
    {"rope_interleaved", "pairing"},
    {"rotary_pct", "rotary_share"},
    {"partial_rotary_factor", "rotary_share"},
    {"share", "rotary_share"},
    {"rope_type", "scaling"},
    {"type", "scaling"},
    {"original_max_position", "original_length"},
    {"original_max_position_embeddings", "original_length"},
    {"max_position", "max_length"},
    {"max_position_embeddings", "max_length"},
    {"past_length", "offset"},
    {"max_positions", "range"},
    {"max_position_embeddings", "range"},
    {"max_relative_position", "max_distance"},
    {"max_relative_distance", "max_distance"},
    {"relative_attention_max_distance", "max_distance"},
    {"att_span", "max_distance"},
    {"relative_attention_num_buckets", "num_buckets"},
    {"alibi_bias_max", "max_bias"},
    {"group_size", "group"},
    {"mask", "padding"},
    {"attention_mask", "padding"},
    {"seq_length", "train_length"},
    {"L_threshold", "threshold_length"},
    {"eps", "epsilon"},
    {"ln_eps", "layer_norm_eps"},
    {"mlp_width", "width"},
    {"pos_att_type", "position_terms"},
    {"window_size", "window"},
    {"window", "context_window"},
    {"npos_max", "npos"},
    {"shift_size", "shift"},
    {"mrope_section", "sections"},
    {"no_rope_layers", "rope_layers"},
    {"no_rope_layer_interval", "interval"},
    {"sliding_window_pattern", "pattern"},
    {"attention_chunk_size", "chunk_size"},
    {"qk_rope_head_dim", "rotary_dim"},
    {"xpos_scale_base", "scale_base"},
    {"local_base_freq", "local_base"},
    {"rope_local_base_freq", "local_base"},
    {"local_rope_theta", "local_base"},
    {"global_rope_theta", "base"},
};

struct WordAlias {
  std::string_view key;
  std::string_view other;
  std::string_view word;
};

constexpr WordAlias word_aliases[] = {
    {"columns", "concat", "concatenated"},
    {"frequencies", "vaswani", "paper"},
    {"pairing", "adjacent", "interleaved"},
    {"pairing", "gptj", "interleaved"},
    {"pairing", "half_split", "half"},
    {"pairing", "rotate_half", "half"},
    {"pairing", "neox", "half"},
    {"pairing", "true", "interleaved"},  // rope_interleaved=true
    {"pairing", "false", "half"},
    {"scaling", "default", "none"},
    {"scaling", "su", "longrope"},
    {"sign", "i_minus_j", "i-j"},
    {"sign", "j_minus_i", "j-i"},
    {"token_order", "col_major", "column_major"},
    {"order", "col_first", "column_first"},
    {"order", "sin_cos", "code"},
    {"mode", "concat", "concatenated"},
    {"mode", "add", "added"},
    {"position_terms", "c2p|p2c", "c2p_p2c"},
};

/// Behind the quote that ends the value in quotes at `i`, 'pos,i'; `i` itself where there is none.
std::size_t behindQuoted(std::string_view text, std::size_t i) {
  const char quote = i < text.size() ? text[i] : ' ';
  if ((quote != '\'' && quote != '"') || i == 0 || text[i - 1] != '=') return i;
  for (std::size_t end = text.find(quote, i + 1); end != std::string_view::npos; end = text.find(quote, end + 1))
    if (end + 1 == text.size() || text[end + 1] == ',') return end + 1;
  return i;
}

/// The text cut at commas outside brackets and quotes.
std::vector<std::string_view> splitItems(std::string_view text) {
  std::vector<std::string_view> items;
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    i = behindQuoted(text, i);
    const char c = i < text.size() ? text[i] : ',';
    if (c == '[' || c == '{' || c == '(') ++depth;
    if (c == ']' || c == '}' || c == ')') --depth;
    if ((c == ',' && depth <= 0) || i == text.size()) {
      items.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  return items;
}

/// The words and quotes a shell may have left around a list: '[1,2]'.
std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

Expected<Value> readValue(const Scheme& scheme, const ParamSpec& spec, std::string_view text, const ArrayLoader& load) {
  const bool from_file = text.starts_with('@') && (spec.kind == ParamKind::array || spec.kind == ParamKind::list);
  if (!from_file && spec.key == "segments")
    if (const auto triples = segmentTriples(unquoted(text))) return Value(*triples);
  if (!from_file) return parseValue(scheme.id(), spec, resolveWord(scheme.id(), spec.key, unquoted(text)));
  Expected<Array> array = load(std::string(text.substr(1)));
  if (!array) return fail(array.error());
  if (spec.kind == ParamKind::array) return Value(*std::move(array));
  return Value(std::vector<double>(array->data(), array->data() + array->size()));
}

Error unknownParam(const Scheme& scheme, std::string_view key, const ParamValues& values) {
  std::vector<std::string> keys;
  for (const ParamSpec& s : schemes::paramsOf(scheme, values)) keys.push_back(s.key);
  const Text known = knownNames(key, keys);
  return {ErrorCode::unknown_name,
          {join(scheme.id(), ": there is no parameter '", key, "'", known.en),
           join(scheme.id(), "：没有参数“", key, "”", known.zh)}};
}

}  // namespace

Expected<ResolvedScheme> resolveScheme(std::string_view name) {
  ResolvedScheme resolved{std::string(name), {}};
  const auto alias = std::ranges::find(schemeAliases(), name, &SchemeAlias::other);
  if (alias != schemeAliases().end()) resolved = {std::string(alias->id), alias->values};
  bringAlong(resolved.id, {}, resolved.values);
  if (schemes::find(resolved.id)) return resolved;
  std::vector<std::string> ids;
  for (const Scheme& s : schemes::catalogue()) ids.push_back(s.id());
  const Text known = knownNames(name, ids);
  return fail(ErrorCode::unknown_name, join("there is no scheme '", name, "'", known.en),
              join("没有名为“", name, "”的位置编码", known.zh));
}

std::string resolveParam(std::string_view scheme_id, std::string_view key) {
  const Scheme* scheme = schemes::find(scheme_id);
  if (!scheme || findParam(scheme->params, key)) return std::string(key);
  for (const ParamAlias& alias : param_aliases)
    if (alias.other == key && findParam(scheme->params, alias.key)) return std::string(alias.key);
  return std::string(key);
}

std::string resolveShapeParam(std::string_view key) {
  if (key == "heads") return "num_heads";
  for (const ParamSpec& spec : shapeTable().specs())
    if (!spec.alias.empty() && spec.alias == key) return spec.key;
  return std::string(key);
}

std::string resolveWord(std::string_view scheme_id, std::string_view key, std::string_view word) {
  const Scheme* scheme = schemes::find(scheme_id);
  const ParamSpec* spec = scheme ? findParam(scheme->params, key) : nullptr;
  if (!spec || spec->kind != ParamKind::choice ||
      std::ranges::find(spec->choices, word, &Choice::key) != spec->choices.end())
    return std::string(word);
  for (const WordAlias& alias : word_aliases)
    if (alias.key == key && alias.other == word) return std::string(alias.word);
  return std::string(word);
}

namespace {

/// Reads key=value items into a choice, one after the other.
class ItemReader {
 public:
  ItemReader(const Scheme& scheme, SchemeChoice& choice, const ArrayLoader& load)
      : scheme_(scheme), choice_(choice), load_(load) {}

  /// Is the item about one of the parameters that the scheme always has?
  bool isFixed(std::string_view item) const { return findParam(scheme_.params, keyOf(item)) != nullptr; }
  Outcome read(std::string_view item) {
    const std::string key = keyOf(item);
    const std::vector<ParamSpec> specs = schemes::paramsOf(scheme_, choice_.values);
    const ParamSpec* spec = findParam(specs, key);
    if (!spec) return fail(unknownParam(scheme_, key, choice_.values));
    if (!given_.insert(key).second)
      return fail(ErrorCode::bad_value,
                  join(scheme_.id(), ": ", key, " is given twice, the second time as '", item, "'"),
                  join(scheme_.id(), "：", key, " 给出了两次，第二次为“", item, "”"));
    Expected<Value> value = readValue(scheme_, *spec, item.substr(item.find('=') + 1), load_);
    if (!value) return fail(value.error());
    const ParamValues before = choice_.values;
    choice_.values[key] = *std::move(value);
    bringAlong(choice_.id, before, choice_.values);
    return {};
  }

 private:
  std::string keyOf(std::string_view item) const { return resolveParam(scheme_.id(), item.substr(0, item.find('='))); }

  const Scheme& scheme_;
  SchemeChoice& choice_;
  const ArrayLoader& load_;
  std::set<std::string> given_;
};

}  // namespace

Expected<SchemeChoice> parseScheme(std::string_view text, const ArrayLoader& load) {
  std::vector<std::string_view> items = splitItems(text);
  Expected<ResolvedScheme> resolved = resolveScheme(items.front());
  if (!resolved) return fail(resolved.error());
  const Scheme& scheme = *schemes::find(resolved->id);
  SchemeChoice choice;
  choice.id = resolved->id;
  choice.values = std::move(resolved->values);
  items.erase(items.begin());
  for (const std::string_view item : items)
    if (item.find('=') == std::string_view::npos)
      return fail(ErrorCode::bad_value, join(scheme.id(), ": expected key=value, got '", item, "'"),
                  join(scheme.id(), "：应为 key=value，得到“", item, "”"));
  ItemReader reader(scheme, choice, load);
  // A formula says which numbers there are, wherever it stands among them.
  std::ranges::stable_sort(items, {}, [&](std::string_view item) { return !reader.isFixed(item); });
  for (const std::string_view item : items)
    if (Outcome ok = reader.read(item); !ok) return fail(std::move(ok.error()));
  return choice;
}

}  // namespace posiscope
