// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/weights.h"

#include "core/files/array_notes.h"
#include "core/files/refusal.h"
#include "core/models/config.h"
#include "core/models/positional_tensor.h"
#include "core/models/scheme_values.h"
#include "core/models/window_config.h"

#include <algorithm>

namespace posiscope::models {
namespace {

using files::escaped;

SchemeChoice* findScheme(Inspection& inspection, std::string_view id) {
  const auto found = std::ranges::find(inspection.schemes, id, &SchemeChoice::id);
  return found == inspection.schemes.end() ? nullptr : &*found;
}

bool fits(const Array& array, const ParamSpec* rows, const ParamSpec* columns) {
  const auto within = [](std::int64_t size, const ParamSpec* spec) {
    return size >= 1 && static_cast<double>(size) <= spec->maximum;
  };
  return array.rank() == 2 && within(array.shape[0], rows) && within(array.shape[1], columns);
}

/// Encoder and decoder of T5 have a table each; the encoder's is shown, as in the configuration.
void useBuckets(const Array& table, Inspection& inspection) {
  SchemeChoice* scheme = findScheme(inspection, "t5_log");
  if (!scheme || scheme->values.contains("table")) return;
  const bool right = fits(table, &paramOf("t5_log", "num_buckets"), findParam(shapeTable().specs(), "num_heads"));
  if (!right || table.shape[1] != inspection.shape.num_heads) {
    inspection.notes.push_back({join(escaped(table.source, 4096), ": the bias must be (buckets, num_heads ",
                                     inspection.shape.num_heads, "), got ", shapeText(table.shape)),
                                join(escaped(table.source, 4096), "：偏置的形状必须是（桶数, num_heads ",
                                     inspection.shape.num_heads, "），得到 ", shapeText(table.shape))});
    return;
  }
  scheme->values["num_buckets"] = static_cast<double>(table.shape[0]);
  scheme->values["table"] = table;
  *scheme = choiceOf(scheme->id, scheme->values);
}

/// What cannot be read is refused by the reader, also where only the name is wanted.
Expected<Array> tableOf(const files::Safetensors& file, const files::TensorEntry& tensor, Tables tables) {
  if (tables == Tables::read || !tensor.readable) return file.read(tensor);
  return Array{tensor.shape, nullptr, join(file.path(), "#", tensor.name)};
}

void useTensor(const files::Safetensors& file, const files::TensorEntry& tensor, Tables tables,
               Inspection& inspection) {
  const PositionalTensor* pattern = findPositional(tensor.name);
  if (!pattern) return;
  inspection.positional.push_back(tensor.name);
  const std::string name = escaped(tensor.name);
  inspection.reasons.push_back({join("tensor ", name, " ", shapeText(tensor.shape), ": ", pattern->meaning.en),
                                join("张量 ", name, " ", shapeText(tensor.shape), "：", pattern->meaning.zh)});
  const SchemeChoice* learned = findScheme(inspection, "learned");
  const bool wanted = pattern->role == TensorRole::learned_table ? !(learned && learned->values.contains("table"))
                                                                 : pattern->role != TensorRole::other;
  // A configuration that names another scheme knows better than a tensor's name.
  const bool allowed = inspection.model_type.empty() || pattern->role != TensorRole::learned_table || learned;
  if (!wanted || !allowed) return;
  const Expected<Array> array = tableOf(file, tensor, tables);
  if (!array) return inspection.notes.push_back(array.error().message);
  for (Text& note : files::notesOn(*array)) inspection.notes.push_back(std::move(note));
  if (pattern->role == TensorRole::bucket_bias) return useBuckets(*array, inspection);
  if (pattern->role == TensorRole::window_bias) return useWindowTable(*array, inspection);
  if (inspection.schemes.empty()) inspection.mask.causal = (tensor.name.ends_with("wpe.weight") || tensor.name.ends_with("wpe"));
  useTable(*array, inspection);
}

}  // namespace

void useTable(const Array& table, Inspection& inspection) {
  Shape& shape = inspection.shape;
  const std::string name = escaped(table.source, 4096);
  if (!fits(table, findParam(shapeTable().specs(), "seq_len"), findParam(shapeTable().specs(), "d_model"))) {
    inspection.notes.push_back(
        {join(name, ": a learned table must be (positions, width), got ", shapeText(table.shape)),
         join(name, "：可学习位置表的形状必须是（位置数, 宽度），得到 ", shapeText(table.shape))});
    return;
  }
  SchemeChoice* learned = findScheme(inspection, "learned");
  if (learned && table.shape[1] != shape.d_model)
    inspection.notes.push_back(
        {join(name, ": the table is ", table.shape[1], " wide, the configuration says ", shape.d_model,
              "; the table counts"),
         join(name, "：位置表宽 ", table.shape[1], "，配置写的是 ", shape.d_model, "；以位置表为准")});
  ParamValues values{{"initial", std::string("file")}, {"table", table}};
  std::int64_t usable = table.shape[0];
  if (const auto offset = learned ? learned->values.find("position_offset") : values.end();
      learned && offset != learned->values.end() && std::get<double>(offset->second) < static_cast<double>(usable)) {
    usable -= static_cast<std::int64_t>(std::get<double>(offset->second));
    values.insert(*offset);
    const std::int64_t unused = table.shape[0] - usable;
    inspection.reasons.push_back(
        {join("the table has ", table.shape[0], " rows: the first ", unused, " belong to no token, ", usable,
              " can be used"),
         join("位置表有 ", table.shape[0], " 行：前 ", unused, " 行不属于任何词元，可用 ", usable, " 行")});
  }
  const std::int64_t length = std::min(usable, longest_drawn);
  shape.d_model = table.shape[1];
  shape.seq_len = learned ? std::min(shape.seq_len, length) : length;
  inspection.train_length = static_cast<double>(shape.seq_len);
  SchemeChoice choice = choiceOf("learned", std::move(values));
  if (learned)
    *learned = std::move(choice);
  else
    inspection.schemes.push_back(std::move(choice));
}

bool addWeights(const std::vector<std::string>& paths, Tables tables, Inspection& inspection, const Job& job) {
  bool any = false;
  for (const std::string& path : paths) {
    if (job.stopped()) return any;
    const Expected<files::Safetensors> file = files::Safetensors::open(path, job);
    if (!file) {
      inspection.notes.push_back(file.error().message);
      continue;
    }
    any = true;
    inspection.tensors.insert(inspection.tensors.end(), file->tensors().begin(), file->tensors().end());
    for (const files::TensorEntry& tensor : file->tensors()) useTensor(*file, tensor, tables, inspection);
  }
  return any;
}

}  // namespace posiscope::models
