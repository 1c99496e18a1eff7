#!/usr/bin/env bash
# Runs every fuzz target for a time, 30s by default; with folders only those below them. A
# finding is saved as a seed beside the target. An input that reaches new code is made smaller
# in at most 100 tries: where goroutines make that a matter of chance, as at the listeners, the
# default of a minute each would take all the time.
set -euo pipefail
cd "$(dirname "$0")/.."
span=${1:-30s}
shift || true
under=("${@:-.}")
done=0
all=0
while IFS=: read -r file _ line; do
  name=$(sed -E 's/^func (Fuzz[A-Za-z0-9_]*).*/\1/' <<<"$line")
  all=$((all + 1))
  echo "== ${file%/*} $name"
  if said=$(go test -run '^$' -fuzz "^$name\$" -fuzztime "$span" -fuzzminimizetime 100x "./${file%/*}" 2>&1); then
    done=$((done + 1))
    tail -n 2 <<<"$said"
  else
    echo "$said"
  fi
done < <(git grep -n --untracked '^func Fuzz' -- "${under[@]/%//*_test.go}")
echo "$done of $all fuzz targets without a finding"
[ "$done" = "$all" ]
