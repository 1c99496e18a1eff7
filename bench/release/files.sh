#!/usr/bin/env bash
# Writes what goes with the program into a release to .release: manual pages,
# completions, licences, documentation. Arguments: the version, the time of the commit
# in seconds.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=${1:?the version is missing}
time=${2:?the time of the commit is missing}
out=.release

rm -rf "$out"
mkdir -p "$out"/{man,manz,completions,doc/.github,doc/api}
build() { CGO_ENABLED=0 go build -trimpath -o "$@"; }
# The program of this machine prints its pages. No revision: a page has the version.
build "$out/cardtop" -buildvcs=true -ldflags "-X github.com/cardtop/cardtop/internal/app.version=$version" .
build "$out/release" ./bench/release

"$out/cardtop" man --dir "$out/man" >/dev/null
for page in "$out"/man/*.1; do gzip -9nc "$page" >"$out/manz/$(basename "$page").gz"; done
"$out/cardtop" completion bash >"$out/completions/cardtop.bash"
"$out/cardtop" completion zsh >"$out/completions/_cardtop"
"$out/cardtop" completion fish >"$out/completions/cardtop.fish"
"$out/cardtop" completion powershell >"$out/completions/cardtop.ps1"
"$out/release" notices "$out/NOTICES.txt"
{ cat LICENSE; echo; cat "$out/NOTICES.txt"; } >"$out/copyright"
gzip -9nc CHANGELOG.md >"$out/changelog.gz"
# As in the repository, so that what links to another file finds it.
cp -r README.md CHANGELOG.md LICENSE docs packaging "$out/doc/"
cp .github/SECURITY.md "$out/doc/.github/"
cp api/openapi.yaml "$out/doc/api/"
chmod -R u=rwX,go=rX "$out/doc"
"$out/release" links "$out/doc"

find "$out" -exec touch -d "@$time" {} +
