#!/usr/bin/env bash
# Chooses how to come by the binary: the one that was given, the release's, or one built from this action's sources.
set -euo pipefail
. "$GITHUB_ACTION_PATH/action/platform.sh"

# Outside of the checked workspace, whose cargo configuration must have no say in what is built there.
root=${RUNNER_TEMP:-$(mktemp -d)}/lease-guard
if [ -n "${LEASE_GUARD_BINARY:-}" ]; then
  how=given key=
elif [ -e "$GITHUB_ACTION_PATH/action/release.txt" ] && [ -n "$(promised "cargo-lease-guard-$(target).tar.gz")" ]; then
  how=download key=
else
  how=build
  # What is built depends on these and on nothing else.
  sources=$(cd -- "$GITHUB_ACTION_PATH" && find Cargo.lock Cargo.toml rules src -type f | LC_ALL=C sort)
  key=lease-guard-$(target || uname -sm | tr ' ' -)-$(
    cd -- "$GITHUB_ACTION_PATH"
    { (cd / && rustc -vV) && while IFS= read -r file; do printf '%s\n' "$file" && cat -- "$file"; done <<<"$sources"; } | digest
  )
fi
{
  printf 'how=%s\n' "$how"
  printf 'root=%s\n' "$root"
  printf 'key=%s\n' "$key"
} >>"$GITHUB_OUTPUT"
