#!/usr/bin/env bash
# Makes the binary ready as plan.sh chose, and says where it is.
set -euo pipefail
. "$GITHUB_ACTION_PATH/action/platform.sh"

refuse() { printf '::error::%s\n' "$1"; exit 2; }

build() {
  # A cache may have brought it.
  [ -x "$root/bin/cargo-lease-guard" ] || [ -x "$root/bin/cargo-lease-guard.exe" ] && return
  (cd -- "$root" && cargo install --quiet --locked --path "$GITHUB_ACTION_PATH" --root "$root" --target-dir "$(mktemp -d)")
}

download() {
  local archive base
  archive=cargo-lease-guard-$(target).tar.gz
  base=$(sed -n 's/^base //p' "$GITHUB_ACTION_PATH/action/release.txt")
  if ! curl --proto '=https' --proto-redir '=https' --tlsv1.2 --fail --silent --show-error --location --retry 3 \
    --output "$root/$archive" "$base/$archive"; then
    printf '::warning::the prebuilt binary could not be downloaded, so it is built from source\n'
    build
    return
  fi
  # Another archive than the release's is never a reason to go on.
  [ "$(digest <"$root/$archive")" = "$(promised "$archive")" ] ||
    refuse "$archive has not the digest that this action's release gives it"
  mkdir -p -- "$root/bin"
  tar -xzf "$root/$archive" -C "$root/bin"
  rm -- "$root/$archive"
}

root=${LEASE_GUARD_ROOT:?}
case ${LEASE_GUARD_HOW:?} in
  given)
    binary=$LEASE_GUARD_BINARY
    command -v -- "$binary" >/dev/null || refuse 'there is no program at the input `binary`'
    ;;
  build | download)
    mkdir -p -- "$root"
    "$LEASE_GUARD_HOW"
    binary=$root/bin/cargo-lease-guard
    ;;
  *) refuse 'plan.sh chose a way that install.sh does not know' ;;
esac
# An output is one line: a path with a line break in it is no path that anyone meant.
printf 'binary=%s\n' "${binary//[$'\n\r']/}" >>"$GITHUB_OUTPUT"
