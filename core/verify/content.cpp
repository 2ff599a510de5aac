// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Positions that the content decides, and networks: CoPE, the dynamic table, Swin V2.
#include "core/schemes/cope.h"
#include "core/schemes/dynamic.h"
#include "core/schemes/swin_v2.h"
#include "core/verify/attention_case.h"
#include "core/verify/bias_case.h"

namespace posiscope::verify {
namespace {

ParamValues copeValues(CaseReader& in, const Shape& shape) {
  in.expect("gate", {"sigmoid(q.k/sqrt(d))"});
  const std::int64_t rows = in.integer("npos_max", 1, 1 << 20);
  return {{"npos", static_cast<double>(rows)}, {"position_table", in.array("pos_emb", {rows, shape.head_dim})}};
}

/// Gates, positions or the added term, row by row, from the logits of plain attention.
template <class T>
Expected<Answer> copeStep(CaseReader& in, const std::string& key, const Job& job) {
  const Situation s = readSituation(in, true);
  const Content<T> content = readContent<T>(in, s.shape);
  const ParamValues values = copeValues(in, s.shape);
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> plain = encodeCase<T>("none", {}, s.shape);
  if (!plain) return fail(plain.error());
  attention::Wanted wanted;
  wanted.logits = true;
  wanted.weights = false;
  Expected<attention::Attention<T>> result = attention::attend<T>(*plain, content, s.mask, s.shape, wanted, job);
  if (!result) return fail(result.error());
  const auto npos = static_cast<std::int64_t>(std::get<double>(values.at("npos")));
  const std::vector<T> table = valuesAs<T>(std::get<Array>(values.at("position_table")));
  const auto width = static_cast<std::size_t>(s.shape.keys());
  std::vector<T> step(width);
  for (std::int64_t row = 0; row < s.shape.num_heads * s.shape.queries(); ++row) {
    const std::span<T> line(result->logits.data() + static_cast<std::size_t>(row) * width, width);
    schemes::copeGates<T>(line, s.mask, s.shape, row % s.shape.queries(), step);
    if (key != "gates") schemes::copePositions<T>(step, npos, step);
    const std::span<const T> q(content.q.data() + row * s.shape.head_dim, static_cast<std::size_t>(s.shape.head_dim));
    if (key == "term") schemes::copeTerm<T>(q, {table.data(), npos, s.shape.head_dim}, step, line);
    if (key != "term") std::ranges::copy(step, line.begin());
  }
  return product<T>({s.shape.num_heads, s.shape.queries(), s.shape.keys()}, result->logits);
}

/// Everything of a dynamic table: its parameters and x.
struct DynamicCase {
  Shape shape;
  ParamValues values;
  Array x;
};

DynamicCase readDynamic(CaseReader& in, bool with_weights) {
  in.expect("activation", {"GELU (erf form)"});
  DynamicCase d;
  d.shape.seq_len = in.size("seq_len", {"seq_len"});
  d.shape.d_model = in.size("d_model", {"d_model"});
  d.values = schemeValues(in, "dynamic", "context_window hidden");
  d.x = in.array("x", {d.shape.seq_len, d.shape.d_model});
  if (with_weights)
    for (const auto& [theirs, ours] : {std::pair{"base", "base_table"}, std::pair{"W1", "w1"}, std::pair{"b1", "b1"},
                                       std::pair{"W2", "w2"}, std::pair{"b2", "b2"}})
      d.values[ours] = in.array(theirs);
  return d;
}

template <class T>
Expected<Answer> dynamicOutput(CaseReader& in) {
  const DynamicCase d = readDynamic(in, true);
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> encoding = encodeCase<T>("dynamic", d.values, d.shape);
  if (!encoding) return fail(encoding.error());
  const std::vector<T> x = valuesAs<T>(d.x);
  return product<T>(d.x.shape,
                    attention::applyInput<T>(encoding->input, {x.data(), d.shape.seq_len, d.shape.d_model}).values);
}

template <class T>
Expected<Answer> dynamicStep(CaseReader& in, bool windows_only) {
  const DynamicCase d = readDynamic(in, !windows_only);
  schemes::DynamicParams p;
  p.context_window = in.integer("context_window", 0, 1024);
  if (in.problem()) return fail(*in.problem());
  // The encoding checks the weights and the memory.
  const Expected<Encoding<T>> encoding = encodeCase<T>("dynamic", d.values, d.shape);
  if (!encoding) return fail(encoding.error());
  const std::vector<T> x = valuesAs<T>(d.x);
  const Table<T> windows = schemes::dynamicWindows<T>({x.data(), d.shape.seq_len, d.shape.d_model}, p.context_window);
  if (windows_only) return answer<T>({windows.rows, windows.cols}, windows.values);
  p.hidden = in.integer("hidden", 0, 1 << 16, 0);
  p.base_table = std::get<Array>(d.values.at("base_table"));
  p.w1 = std::get<Array>(d.values.at("w1"));
  p.b1 = std::get<Array>(d.values.at("b1"));
  p.w2 = std::get<Array>(d.values.at("w2"));
  p.b2 = std::get<Array>(d.values.at("b2"));
  return product<T>(d.x.shape,
                    schemes::dynamicAdjustment<T>(schemes::dynamicWeights<T>(p, d.shape), rowsOf(windows)).values);
}

struct SwinCase {
  Situation situation;
  schemes::SwinV2Params params;
};

SwinCase readSwin(CaseReader& in) {
  SwinCase c;
  const auto [height, width] = readGrid(in, "window", 1);
  Shape& s = c.situation.shape;
  s.grid_height = height;
  s.grid_width = width;
  s.seq_len = height * width;
  s.num_heads = in.has("num_heads") ? in.size("num_heads", {"num_heads"}) : 1;
  if (in.has("head_dim")) s.head_dim = in.size("head_dim", {"head_dim"});
  if (in.has("pretrained_window")) {
    const Grid pretrained = readGrid(in, "pretrained_window", 0);
    c.params.pretrained_height = pretrained.height;
    c.params.pretrained_width = pretrained.width;
  }
  return c;
}

ParamValues swinValues(CaseReader& in, const SwinCase& c) {
  const Array w1 = in.array("W1", {in.integer("hidden", 1, 1 << 16, -1), 2});
  ParamValues values{{"pretrained_height", static_cast<double>(c.params.pretrained_height)},
                     {"pretrained_width", static_cast<double>(c.params.pretrained_width)},
                     {"w1", w1},
                     {"b1", in.array("b1")},
                     {"w2", in.array("W2")}};
  if (w1.rank() == 2) values["hidden"] = static_cast<double>(w1.shape[0]);
  if (in.hasInput("logit_scale")) {
    Array scale = in.array("logit_scale");
    scale.shape = {scale.size()};  // some files keep (heads, 1, 1)
    values["logit_scale"] = std::move(scale);
  }
  return values;
}

template <class T>
Expected<Answer> swinCoordinates(CaseReader& in) {
  const SwinCase c = readSwin(in);
  if (in.problem()) return fail(*in.problem());
  const std::int64_t height = c.situation.shape.grid_height, width = c.situation.shape.grid_width;
  return answer<T>({2 * height - 1, 2 * width - 1, 2}, schemes::swinV2Coordinates(c.params, height, width));
}

template <class T>
Expected<Answer> swinBias(CaseReader& in) {
  const SwinCase c = readSwin(in);
  const ParamValues values = swinValues(in, c);
  if (in.problem()) return fail(*in.problem());
  const Shape& s = c.situation.shape;
  const double cells = static_cast<double>(s.num_heads) * static_cast<double>(s.keys()) * static_cast<double>(s.keys());
  if (Outcome ok = checkMemory("the bias", cells * sizeof(double)); !ok) return fail(ok.error());
  const Expected<Encoding<T>> encoding = encodeCase<T>("swin_v2", values, s);
  if (!encoding) return fail(encoding.error());
  std::vector<T> bias(static_cast<std::size_t>(cells));
  const auto length = static_cast<std::size_t>(s.keys());
  for (std::int64_t row = 0; row < s.num_heads * s.keys(); ++row)
    std::get<PairBias<T>>(encoding->logits.bias)
        .fill(row / s.keys(), row % s.keys(), {bias.data() + static_cast<std::size_t>(row) * length, length});
  return product<T>({s.num_heads, s.keys(), s.keys()}, bias);
}

}  // namespace

void addContent(std::vector<Quantity>& list) {
  const std::string cope_params = "npos_max gate";
  addAttentionCases(list, {"cope", "cope", cope_params, "pos_emb", copeValues});
  for (const std::string key : {"gates", "pos", "term"})
    list.push_back(quantity("cope", key, join(situation_params, " window ", cope_params), "Q K pos_emb",
                            [key]<class T>(CaseReader& in, const Job& job) { return copeStep<T>(in, key, job); }));
  const std::string dynamic_params = "seq_len d_model context_window hidden activation";
  list.push_back(quantity("dynamic", "out", dynamic_params, "x base W1 b1 W2 b2",
                          []<class T>(CaseReader& in, const Job&) { return dynamicOutput<T>(in); }));
  list.push_back(quantity("dynamic", "adj", dynamic_params, "x base W1 b1 W2 b2",
                          []<class T>(CaseReader& in, const Job&) { return dynamicStep<T>(in, false); }));
  list.push_back(quantity("dynamic", "windows", dynamic_params, "x",
                          []<class T>(CaseReader& in, const Job&) { return dynamicStep<T>(in, true); }));
  list.push_back(quantity("swin_v2", "coords", "window pretrained_window", "",
                          []<class T>(CaseReader& in, const Job&) { return swinCoordinates<T>(in); }));
  list.push_back(quantity("swin_v2", "bias", "window pretrained_window num_heads hidden", "W1 b1 W2",
                          []<class T>(CaseReader& in, const Job&) { return swinBias<T>(in); }));
  for (const std::string key : {"logits", "attn", "out"})
    list.push_back(quantity("swin_v2", key, "window pretrained_window num_heads hidden head_dim",
                            "W1 b1 W2 Q K V logit_scale",
                            [key]<class T>(CaseReader& in, const Job& job) -> Expected<Answer> {
                              const SwinCase c = readSwin(in);
                              AttentionScheme scheme{"swin_v2", "swin_v2", "", "", {}};
                              scheme.values = [&c](CaseReader& reader, const Shape&) { return swinValues(reader, c); };
                              return attentionAnswer<T>(in, scheme, c.situation, key, job);
                            }));
}

}  // namespace posiscope::verify
