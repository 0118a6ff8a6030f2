#!/usr/bin/env bash
# Prints the path of a Chromium for tests; installs Debian's where there is none (as root on Debian/Ubuntu).
set -euo pipefail

if ! command -v chromium >/dev/null; then
  [ "$(id -u)" != 0 ] || echo "chromium.sh: installing chromium" >&2
  # shellcheck source=tests/servers/install.sh
  . "$(dirname "${BASH_SOURCE[0]}")/install.sh"
  if ! apt_install chromium; then
    echo "Chromium is not installed, and only root can install it where there is a network: run 'apt-get install chromium' as root" >&2
    exit 1
  fi
fi
command -v chromium
