// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/relative_key.h"

namespace posiscope::schemes {

Scheme relativeKeyQuery() {
  const RelativeKey formula("relative_key_query", true);
  return makeScheme({.id = "relative_key_query",
                     .name = {"Relative key and query", "相对键与查询（relative_key_query）"},
                     .family = Family::bias,
                     .year = 2020,
                     .reference = "Huang et al. 2020, arXiv:2009.13658 (method 4); Hugging Face Transformers",
                     .summary = {"Query and key both meet one learned vector of their offset.",
                                 "查询和键都与其偏移的同一个可学习向量相乘。"}},
                    formula.params(), formula);
}

}  // namespace posiscope::schemes
