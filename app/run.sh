#!/bin/sh
# SPDX-FileCopyrightText: Posiscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and opens the window; without a display it renders the start-up session's
# views into figures/. Arguments go to the program.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
sh "$here/app/build.sh" --target posiscope
program="$here/build/app/posiscope"

[ $# -eq 0 ] || exec "$program" "$@"
if [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; then
  code=0
  "$program" || code=$?
  # 2: nobody answers at the display that is named: in a container, or after a lost connection.
  [ $code -eq 2 ] || exit $code
fi

echo "There is no display that answers: rendering the start-up session's views."
mkdir -p "$here/figures"
views=$("$program" views --start)
echo "$views" | while read -r view title; do
  echo "$title"
  "$program" figure "$view" --start --out "$here/figures/$view.png"
done
echo "The figures are in $here/figures"
