#!/usr/bin/env bash
# Writes release.txt, which pins the release's archives by their digests: release.sh BASE-URL SHA256SUMS
set -euo pipefail

base=$1 sums=$2
grep -q '^https://[^[:space:]]*$' <<<"$base" || { echo "$base is no https URL" >&2; exit 1; }
if [ ! -s "$sums" ] || grep -Evq '^[0-9a-f]{64}  cargo-lease-guard-[0-9a-z_-]+\.tar\.gz$' "$sums"; then
  echo "$sums is not what sha256sum writes of the archives" >&2
  exit 1
fi
{
  printf 'base %s\n' "$base"
  cat -- "$sums"
} >"$(dirname -- "${BASH_SOURCE[0]}")/release.txt"
