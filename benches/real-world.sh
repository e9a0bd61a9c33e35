#!/usr/bin/env bash
# Judges a public repository and takes the time of it beside that of `cargo metadata`.
#
#   cargo build --release
#   benches/real-world.sh tests/data/real-world/NAME.toml FOLDER
#
# FOLDER is a clone of the repository, at the commit that the head of the rules file names. Best of five
# rounds, in seconds: the clock's, and in brackets those of all processors together.
set -euo pipefail

rules=${1:?the rules file} folder=${2:?the clone}
binary=${LEASE_GUARD:-$(dirname "${BASH_SOURCE[0]}")/../target/release/cargo-lease-guard}
report=$(mktemp)
trap 'rm -f "$report"' EXIT

field() { sed -n "s/^# $1: //p" "$rules"; }

commit=$(field commit)
here=$(git -C "$folder" rev-parse HEAD 2>/dev/null || true)
[ "$here" = "$commit" ] || echo "note: $folder is at ${here:-no commit that git knows}; the rules are for $commit" >&2
read -ra flags <<<"$(field flags)"

# Best of five: the clock's seconds and the processors'.
best() {
  local TIMEFORMAT='%R %U %S'
  for _ in 1 2 3 4 5; do
    { time "$@" >"$report" 2>/dev/null || true; } 2>&1
  done | awk '{ cpu = $2 + $3 } NR == 1 || $1 < real { real = $1 } NR == 1 || cpu < least { least = cpu }
    END { printf "%.2f (%.2f)", real, least }'
}

of_cargo=(--format-version=1 --manifest-path "$folder/Cargo.toml" "${flags[@]}")
[[ " ${flags[*]} " == *" --no-deps "* ]] || of_cargo+=(--locked)
metadata=$(best cargo metadata "${of_cargo[@]}")
check=$(best "$binary" lease-guard --manifest-path "$folder/Cargo.toml" --rules "$rules" --format json "${flags[@]}")

sum() { local total=0 n; for n in $(grep -oE "\"$1\": ?[0-9]+" "$report" | grep -oE '[0-9]+$'); do total=$((total + n)); done; echo "$total"; }
count() { grep -oE "$1" "$report" | wc -l; }

verdict=$(grep -oE '"verdict": ?"[a-z-]+"' "$report" | head -1 | cut -d'"' -f4)
wanted=$(field verdict)
echo "verdict          $verdict$([ "$verdict" = "$wanted" ] || echo ", but $wanted was expected")"
echo "findings         $(count '"level": ?"deny"') denied, $(count '"level": ?"warn"') warned of"
echo "files parsed     $(sum files_parsed)"
echo "items reached    $(sum reached_items), $(sum items) of them selected"
echo "hops by name     $(count '"certainty": ?"by-name"') of $(count '"certainty": ?"')"
echo "cargo metadata   $metadata"
echo "the whole check  $check"
[ "$verdict" = "$wanted" ]
