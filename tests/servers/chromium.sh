#!/usr/bin/env bash
# Prints the path of a Chromium for tests; installs Debian's where there is none (as root on Debian/Ubuntu).
set -euo pipefail

if ! command -v chromium >/dev/null; then
  echo "chromium.sh: installing chromium" >&2
  log=$(mktemp)
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends \
    -o DPkg::Lock::Timeout=300 chromium; } >"$log" 2>&1 || { tail -20 "$log" >&2; exit 1; }
  rm -f "$log"
fi
command -v chromium
