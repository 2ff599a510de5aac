#!/bin/sh
# SPDX-FileCopyrightText: Posiscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and opens the window; without a display it renders the start-up session's
# views into figures/. Arguments go to the program.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
sh "$here/app/build.sh"
program="$here/build/app/posiscope"

if [ $# -gt 0 ] || [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; then
  exec "$program" "$@"
fi

echo "There is no display: rendering the start-up session's views."
mkdir -p "$here/figures"
for view in position_table waves rotation spectrum similarity relative_decay norm_ratio attention_weights angle_map turns \
  frequency_ratio aliasing shift_matrix bias_by_offset bias_map; do
  "$program" figure "$view" --out "$here/figures/$view.png"
done
echo "The figures are in $here/figures"
