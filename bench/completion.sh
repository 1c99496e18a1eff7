#!/usr/bin/env bash
# Proves that bash, zsh and fish complete command lines of the built program: commands,
# flags, profiles, fields, filters and cards, also labels that shells read in ways of their
# own, and how long it takes to answer. bash is tried with and without bash-completion.
# PowerShell is not in Debian and not run. -c: cards, -ms: the longest an answer may take, in
# the middle of many. As root it installs what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
cards=10000 ms=30
while [ $# -gt 0 ]; do
  case $1 in
  -c) cards=$2 ;;
  -ms) ms=$2 ;;
  *) echo "unknown option $1" >&2; exit 2 ;;
  esac
  shift 2
done
missing=()
for shell in bash zsh fish; do command -v $shell >/dev/null || missing+=($shell); done
[ -e /usr/share/bash-completion/bash_completion ] || missing+=(bash-completion)
if [ "${#missing[@]}" -gt 0 ]; then
  [ "$(id -u)" -eq 0 ] || { echo "install first: ${missing[*]}" >&2; exit 1; }
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
out=$(mktemp)
trap 'rm -f "$out"' EXIT
PROOF_COMPLETION=$cards,$ms go test -tags long,night -count=1 -timeout 30m -v -run 'TheProgramCompletes|OddLabels' ./internal/cmd/complete >"$out" || { cat "$out"; exit 1; }
sed -nE 's/^ *[a-z_]+\.go:[0-9]+: //p' "$out"
