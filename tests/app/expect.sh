#!/bin/sh
# SPDX-FileCopyrightText: Posiscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
# expect.sh CODE TEXT PROGRAM [ARGUMENT…]: without a display the program must end with CODE and print a line with TEXT.
code=$1 text=$2
shift 2
unset DISPLAY WAYLAND_DISPLAY
output=$("$@" 2>&1)
found=$?
[ "$found" -eq "$code" ] && printf '%s\n' "$output" | grep -qF -- "$text" && exit 0
printf '%s\n' "$output" | tail -n 20
echo "expected exit code $code and \"$text\", got exit code $found"
exit 1
