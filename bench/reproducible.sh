#!/usr/bin/env bash
# Proves that a release depends on the commit alone: builds it in two clones, in
# folders of different lengths, with different file times, and compares every
# file of dist. -c: with empty build caches, which takes as long as two builds
# of everything; else the cache of the machine serves what was compiled before.
set -euo pipefail
cd "$(dirname "$0")/.."
cold=
few=
while getopts cq option; do
  case $option in
    c) cold=yes ;;
    q) few=yes ;;
    *) exit 2 ;;
  esac
done
root=$(pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
build() {
  git clone -q --no-hardlinks "$root" "$1"
  git -C "$1" remote set-url origin https://github.com/cardtop/cardtop
  sed "${few:+s/^    goos: .*/    goos: [linux, windows]/; s/^    goarch: .*/    goarch: [amd64]/}" "$1/.goreleaser.yaml" >"$1.yaml"
  [ -z "$cold" ] || export GOCACHE=$1.cache
  (cd "$1" && TZ=$2 LC_ALL=C bench/release/goreleaser.sh release -f "$1.yaml" --snapshot --clean --skip=publish) >"$1.log" 2>&1 || { tail -n 40 "$1.log"; exit 1; }
}
sums() {
  (cd "$1/dist" && find . -type f ! -name artifacts.json ! -name metadata.json ! -name config.yaml -print0 | sort -z | xargs -0 sha256sum)
}
(build "$work/a" UTC)
(umask 077; build "$work/another-folder-with-a-longer-name" Asia/Tokyo)
sums "$work/a" >"$work/1"
sums "$work/another-folder-with-a-longer-name" >"$work/2"
n=$(wc -l <"$work/1")
same=$(comm -12 "$work/1" "$work/2" | wc -l)
diff "$work/1" "$work/2" || true
echo "$same of $n files of two builds are identical"
[ "$n" -gt 8 ] && [ "$same" -eq "$n" ] && [ "$(wc -l <"$work/2")" -eq "$n" ]
