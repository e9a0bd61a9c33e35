# shellcheck shell=bash
# What this machine is and how it takes a digest. Read by the other scripts, from Bash 3.2 on.

# The target whose binary runs here, if there is a prebuilt one for it.
target() {
  case ${RUNNER_OS:-$(uname -s)}/${RUNNER_ARCH:-$(uname -m)} in
    Linux/X64 | Linux/x86_64) echo x86_64-unknown-linux-musl ;;
    Linux/ARM64 | Linux/aarch64) echo aarch64-unknown-linux-musl ;;
    macOS/X64 | Darwin/x86_64) echo x86_64-apple-darwin ;;
    macOS/ARM64 | Darwin/arm64) echo aarch64-apple-darwin ;;
    Windows/X64) echo x86_64-pc-windows-msvc ;;
    *) return 1 ;;
  esac
}

# The SHA-256 of standard input, in hexadecimal.
digest() {
  if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

# The digest that this action's release gives an archive. release.txt is part of the commit that is tagged (see
# release.sh), so that who pins the action by a hash has pinned the binary too.
promised() {
  sed -n "s/^\([0-9a-f]\{64\}\)  $1\$/\1/p" "$GITHUB_ACTION_PATH/action/release.txt"
}
