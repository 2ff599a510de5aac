#!/bin/sh
# SPDX-FileCopyrightText: Posiscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Sets up, configures and builds into build/. Called by run.sh beside it and by tests/run.sh. Arguments go to
# cmake --build: who only wants the program need not wait for the tests.
set -eu
cd "$(dirname "$0")/.."

[ -n "${POSISCOPE_SKIP_SETUP:-}" ] || sh app/setup.sh
strict=OFF
[ "${CI:-}" = true ] && strict=ON
cmake --preset release -DPOSISCOPE_WERROR=$strict >build.log 2>&1 || { cat build.log; exit 1; }
rm -f build.log
cmake --build --preset release "$@"
