#!/bin/sh
# SPDX-FileCopyrightText: Posiscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what building, running and testing Posiscope needs and is not there yet (Debian and its children).
set -eu

packages="g++ cmake ninja-build
qt6-base-dev libqt6opengl6-dev qt6-charts-dev qt6-svg-dev qt6-tools-dev qt6-tools-dev-tools
qt6-l10n-tools qt6-translations-l10n
libeigen3-dev nlohmann-json3-dev libexpected-dev libmuparser-dev zlib1g-dev libcli11-dev libgtest-dev libbenchmark-dev
fonts-dejavu-core fonts-wqy-microhei
xvfb xauth poppler-utils librsvg2-bin"

if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
  echo "setup.sh installs packages with apt-get, which this system does not have." >&2
  echo "Please install the counterparts of these Debian packages (README.md lists some by system), then run again" >&2
  echo "with POSISCOPE_SKIP_SETUP=1:" >&2
  echo $packages >&2
  exit 1
fi

missing=""
for package in $packages; do
  case "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" in
    installed) ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo >/dev/null 2>&1; then
  as_root="sudo"
else
  echo "setup.sh must install packages but is neither root nor is sudo there. Please ask for these packages:" >&2
  echo $missing >&2
  exit 1
fi

echo "Installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get -o DPkg::Lock::Timeout=580 update -qq
$as_root apt-get -o DPkg::Lock::Timeout=580 install -y -qq --no-install-recommends $missing
