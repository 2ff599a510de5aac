// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scheme.h"

namespace posiscope {

Text familyName(Family family) {
  switch (family) {
    case Family::none: return {"No encoding", "无编码"};
    case Family::absolute: return {"Added to the input", "加在输入上"};
    case Family::rotary: return {"Rotation of queries and keys", "旋转查询与键"};
    case Family::bias: return {"Bias on the logits", "注意力分数偏置"};
    case Family::content: return {"Depends on the content", "依赖内容"};
    case Family::combination: return {"Combinations", "组合"};
  }
  return {};
}

}  // namespace posiscope
