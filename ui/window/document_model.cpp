// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The attention that the weights of the opened model give: which tokens it is of, and what changes for it.
#include "core/model_tokens.h"
#include "ui/state/edits.h"
#include "ui/window/document.h"

#include <algorithm>
#include <QDir>
#include <QFileInfo>

namespace posiscope::ui {
namespace {

/// With the maps of attention in one of the tiles that are shown.
Presentation withAttention(Presentation p) {
  const auto first = p.tiles.begin() + std::max(p.maximised, 0);
  const auto last = p.maximised >= 0 ? first + 1 : first + p.tile_count;
  if (std::any_of(first, last, [](const TileState& tile) { return tile.view == "attention_weights"; })) return p;
  *first = {"attention_weights", {}, {}};
  return p;
}

}  // namespace

void Document::showModelAttention() {
  const Experiment& before = store_.experiment();
  const std::int64_t length = before.shape.seq_len;
  std::vector<Sentence> notes;
  Array tokens;
  if (const std::string file = tokenFileBeside(before.content); !file.empty()) {
    const QString name = QFileInfo(QString::fromStdString(file)).fileName();
    if (const Expected<Array> found = tokensBeside(before.content)) {
      tokens = *found;
      notes.emplace_back([name] { return tr("The tokens are those of %1 in the model's folder.").arg(name); });
    } else {
      notes.emplace_back([this, name, error = found.error()] {
        return tr("The tokens are not those of %1 in the model's folder: %2.").arg(name, sentenceOf(error));
      });
    }
  }
  // Where the tokens are of two texts, their segments say which: nothing else may be taken for them.
  const QFileInfo segments(QFileInfo(QString::fromStdString(tokenFileBeside(before.content))).dir(),
                           QStringLiteral("segments.npy"));
  if (!tokens.empty() && segments.isFile())
    notes.emplace_back([name = segments.fileName()] {
      return tr("%1 in the model's folder is not taken: every token is of segment 0; it can be opened under Content.")
          .arg(name);
    });
  store_.setAll(withModelContent(before, tokens), withAttention(store_.presentation()));
  const std::int64_t shown = store_.experiment().shape.seq_len;
  if (shown != length)
    notes.insert(notes.begin(), [shown, length] {
      return tr("Length %1 of %2: few enough tokens to be had at once; Undo brings %2 back.")
          .arg(QString::number(shown), QString::number(length));
    });
  if (!notes.empty()) emit noteFound(lines(std::move(notes)));
}

}  // namespace posiscope::ui
