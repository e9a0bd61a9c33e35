#!/usr/bin/env bash
# Runs the check: annotations on stdout, the step summary, SARIF if asked for, and the outputs.
# The binary is called itself and not through cargo, which an alias of the workspace could redirect.
set -uo pipefail

refuse() { printf '::error::%s\n' "$1"; exit 2; }

arguments=(--manifest-path "${LEASE_GUARD_MANIFEST_PATH:-Cargo.toml}")
[ -n "${LEASE_GUARD_RULES:-}" ] && arguments+=(--rules "$LEASE_GUARD_RULES")
while IFS= read -r lease; do
  [ -n "$lease" ] && arguments+=(--lease "$lease")
done <<<"${LEASE_GUARD_LEASE:-}"
case ${LEASE_GUARD_NO_DEPS:-false} in
  true) arguments+=(--no-deps) ;;
  false | '') ;;
  *) refuse 'the input `no-deps` is neither true nor false' ;;
esac
case ${LEASE_GUARD_FAIL_ON:-deny} in
  deny | never) ;;
  *) refuse 'the input `fail-on` is neither deny nor never' ;;
esac

"$LEASE_GUARD_BINARY" check "${arguments[@]}" --format github
status=$?
case $status in
  0) verdict=clean ;;
  1) verdict=offends ;;
  *) verdict=cannot-check ;;
esac

"$LEASE_GUARD_BINARY" check "${arguments[@]}" --format markdown >>"$GITHUB_STEP_SUMMARY" 2>/dev/null
sarif=${LEASE_GUARD_SARIF:-}
# Every finding of the JSON report has one line with its level.
findings=$("$LEASE_GUARD_BINARY" check "${arguments[@]}" --format json 2>/dev/null | grep -c '^ *"level": ')
if [ -n "$sarif" ]; then
  "$LEASE_GUARD_BINARY" check "${arguments[@]}" --format sarif >"$sarif" 2>/dev/null
fi
{
  printf 'verdict=%s\n' "$verdict"
  printf 'findings=%s\n' "$findings"
  # An output is one line: a path with a line break in it is no path that anyone meant.
  printf 'sarif=%s\n' "${sarif//[$'\n\r']/}"
} >>"$GITHUB_OUTPUT"

if [ "$status" -eq 1 ] && [ "${LEASE_GUARD_FAIL_ON:-deny}" = never ]; then
  exit 0
fi
exit "$status"
