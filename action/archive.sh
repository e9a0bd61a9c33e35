#!/usr/bin/env bash
# Builds the binary of a target and packs it for a release: archive.sh TARGET FOLDER
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

target=$1 folder=$2
cargo build --profile dist --locked --target "$target"
built=${CARGO_TARGET_DIR:-target}/$target/dist/cargo-lease-guard
[ -e "$built" ] || built=$built.exe
stage=$(mktemp -d)
cp -- "$built" "$stage"
cp -- LICENSE-APACHE LICENSE-MIT README.md "$stage"
mkdir -p -- "$folder"
tar -czf "$folder/cargo-lease-guard-$target.tar.gz" -C "$stage" .
