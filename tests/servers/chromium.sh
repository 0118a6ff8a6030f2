#!/usr/bin/env bash
# Prints the path of a Chromium for tests; installs Debian's where there is none (as root on Debian/Ubuntu).
set -euo pipefail

if ! command -v chromium >/dev/null; then
  echo "chromium.sh: installing chromium" >&2
  # shellcheck source=tests/servers/install.sh
  . "$(dirname "${BASH_SOURCE[0]}")/install.sh"
  apt_install chromium
fi
command -v chromium
