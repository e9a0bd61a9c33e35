#!/usr/bin/env bash
# Builds the binary of a target and packs it for a release: archive.sh TARGET FOLDER
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

target=$1 folder=$2
cargo build --release --locked --target "$target"
stage=$(mktemp -d)
for name in cargo-lease-guard cargo-lease-guard.exe; do
  [ -e "${CARGO_TARGET_DIR:-target}/$target/release/$name" ] && cp -- "${CARGO_TARGET_DIR:-target}/$target/release/$name" "$stage"
done
cp -- LICENSE-APACHE LICENSE-MIT README.md "$stage"
mkdir -p -- "$folder"
tar -czf "$folder/cargo-lease-guard-$target.tar.gz" -C "$stage" .
