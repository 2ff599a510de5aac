// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/bias_case.h"

#include <algorithm>

namespace posiscope::verify {

Outcome roomForPairs(const Shape& s, double layers) {
  return checkMemory("the terms",
                     layers * static_cast<double>(s.queries()) * static_cast<double>(s.keys()) * sizeof(double));
}

template <class T>
Expected<Answer> biasAnswer(const Encoding<T>& encoding, const Shape& s) {
  if (Outcome ok = roomForPairs(s, static_cast<double>(s.num_heads)); !ok) return fail(ok.error());
  std::vector<T> values(static_cast<std::size_t>(s.num_heads * s.queries() * s.keys()));
  const auto* by_offset = std::get_if<OffsetBias<T>>(&encoding.logits.bias);
  const auto* by_pair = std::get_if<PairBias<T>>(&encoding.logits.bias);
  std::size_t row = 0;
  for (std::int64_t h = 0; h < s.num_heads; ++h)
    for (std::int64_t i = 0; i < s.queries(); ++i, row += static_cast<std::size_t>(s.keys())) {
      const std::span<T> out(values.data() + row, static_cast<std::size_t>(s.keys()));
      if (by_pair) by_pair->fill(h, i, out);
      if (by_offset)
        for (std::int64_t j = 0; j < s.keys(); ++j)
          out[static_cast<std::size_t>(j)] = by_offset->at(h, i + s.queryOffset() - j);
    }
  return answer<T>({s.num_heads, s.queries(), s.keys()}, values);
}

template <class T>
Expected<Answer> rowsRead(const RowLookup& lookup, const Shape& s) {
  if (Outcome ok = roomForPairs(s, 1); !ok) return fail(ok.error());
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < s.queries(); ++i)
    for (std::int64_t j = 0; j < s.keys(); ++j) rows.push_back(lookup.row(i, j));
  return answer<T>({s.queries(), s.keys()}, rows);
}

template Expected<Answer> biasAnswer(const Encoding<float>&, const Shape&);
template Expected<Answer> biasAnswer(const Encoding<double>&, const Shape&);
template Expected<Answer> rowsRead<float>(const RowLookup&, const Shape&);
template Expected<Answer> rowsRead<double>(const RowLookup&, const Shape&);

void addBiasCase(std::vector<Quantity>& list, const BiasCase& bias) {
  const std::string sizes = "seq_len seq_len_q seq_len_k num_heads position_start ";
  list.push_back(quantity(bias.names, "bias", sizes + bias.params, bias.inputs,
                          [bias]<class T>(CaseReader& in, const Job&) -> Expected<Answer> {
                            const Situation s = readSituation(in, false);
                            const ParamValues v = bias.values(in, s.shape);
                            // A bias does not know the mask: padding must be the scheme's own.
                            if (in.has("key_padding") && !v.contains("key_padding"))
                              in.notSupported("key_padding in this form");
                            if (in.problem()) return fail(*in.problem());
                            const Expected<Encoding<T>> encoding = encodeCase<T>(bias.id, v, s.shape);
                            if (!encoding) return fail(encoding.error());
                            return biasAnswer<T>(*encoding, s.shape);
                          }));
}

Grid readGrid(CaseReader& in, const char* key, std::int64_t minimum) {
  const auto given = in.reference().params.find(key);
  const bool square = given != in.reference().params.end() && given->is_number();
  const std::vector<double> list = square ? std::vector(2, in.number(key)) : in.list(key);
  Grid grid;
  if (list.size() != 2) {
    in.wrong({ErrorCode::file_format,
              {join("params.", key, " must be [height, width]"), join("params.", key, " 必须是 [高, 宽]")}});
    return grid;
  }
  for (const double side : list)
    if (side != static_cast<double>(static_cast<std::int64_t>(side)) || side < static_cast<double>(minimum) ||
        side > 4096) {
      in.wrong(rangeError(in.reference().scheme, key, static_cast<double>(minimum), 4096, side));
      return grid;
    }
  return {static_cast<std::int64_t>(list[0]), static_cast<std::int64_t>(list[1])};
}

}  // namespace posiscope::verify
