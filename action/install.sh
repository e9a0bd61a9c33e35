#!/usr/bin/env bash
# Finds the binary that was named, or builds the one of this action, and says where it is.
set -euo pipefail

binary=${LEASE_GUARD_BINARY:-}
if [ -n "$binary" ]; then
  command -v -- "$binary" >/dev/null || { printf '::error::there is no program at the input `binary`\n'; exit 2; }
else
  # Built outside of the checked workspace, whose cargo configuration must not have a say in it.
  root=${RUNNER_TEMP:-$(mktemp -d)}/lease-guard
  mkdir -p -- "$root"
  (cd -- "$root" && cargo install --quiet --locked --path "$GITHUB_ACTION_PATH" --root "$root")
  binary=$root/bin/cargo-lease-guard
fi
printf 'binary=%s\n' "$binary" >>"$GITHUB_OUTPUT"
