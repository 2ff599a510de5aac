#!/bin/sh
# SPDX-FileCopyrightText: Posiscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs all tests. Arguments go to ctest.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
sh "$here/app/build.sh"
cd "$here"
exec ctest --preset release "$@"
