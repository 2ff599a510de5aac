// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/error.h"

namespace posiscope {

Text describe(ErrorCode code) {
  switch (code) {
    case ErrorCode::unknown_name: return {"Unknown name", "未知名称"};
    case ErrorCode::bad_value: return {"Value of the wrong kind", "值的类型不对"};
    case ErrorCode::out_of_range: return {"Value out of range", "值超出范围"};
    case ErrorCode::bad_shape: return {"Sizes do not fit", "尺寸不匹配"};
    case ErrorCode::too_large: return {"Too large", "规模过大"};
    case ErrorCode::not_defined: return {"Not defined", "无定义"};
    case ErrorCode::past_table: return {"Position past the table", "位置超出位置表"};
    case ErrorCode::file_missing: return {"File cannot be read", "无法读取文件"};
    case ErrorCode::file_format: return {"File is damaged or of another kind", "文件损坏或格式不符"};
    case ErrorCode::file_type: return {"Content not supported", "不支持的内容"};
    case ErrorCode::file_write: return {"File cannot be written", "无法写入文件"};
    case ErrorCode::cancelled: return {"Cancelled", "已取消"};
    case ErrorCode::not_supported: return {"Not supported", "不支持"};
  }
  return {"Error", "错误"};
}

}  // namespace posiscope
