#!/usr/bin/env bash
# Runs every proof, and every measurement that has a bar, in full, one after the other, and writes what came of each into
# dist/proofs/PROOFS.md, with the date and the commit. Takes many hours. Proofs that the page has of
# this commit already are not run again, so that an interrupted run goes on. With names, only
# those. What each printed is in dist/proofs. bench/proof-all.sh proof-money soak
set -euo pipefail
cd "$(dirname "$0")/.."
page=dist/proofs/PROOFS.md
all=(proof-sandbox-kills proof-contract proof-clipboard proof-secrets proof-money proof-keys proof-insight proof-rules
  proof-hub proof-hubs proof-ssh proof-screen emulate proof-completion proof-calc fuzz proof-release proof-packages proof-windows bench-sync
  bench-screen bench-hub soak)
[ $# -gt 0 ] || set -- "${all[@]}"
[ -z "$(git status --porcelain --untracked-files=no)" ] || { echo "commit first: the page names a commit" >&2; exit 1; }
commit=$(git log -1 --format=%h)
mkdir -p dist/proofs
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT

# what says what a proof is, from the Makefile.
what() { sed -nE "s/^$1: *## //p" Makefile; }

# figure is the last line of an output that has a result in it.
figure() {
  grep -aE '[0-9] of [0-9,]+|grows by|bars hold|identical|[0-9] faults?|passed [0-9]+ tests' "$1" | tail -1 | sed -E 's/^[ \t]+//; s/^[a-z_]+\.go:[0-9]+: (\[rapid\] )?//; s/\|/·/g' | cut -c1-240 || true
}

# put writes the row of a proof in place of an older one.
put() {
  local row="| \`make $1\` | $(what "$1") | $2 | $3 | $4 | $commit |"
  if ! [ -f $page ]; then
    cat >$page <<'END'
# Proofs

Each proof in full, by `make proof-all`: what it printed last, how it ended, how long it took, when, and of which commit. Figures that
depend on the machine are of one with two cores that others use too.

| Command | What | Result | Ended | Took, day | Commit |
|---|---|---|---|---|---|
END
  fi
  grep -vF "| \`make $1\` |" $page >"$log/page" || true
  printf '%s\n' "$row" >>"$log/page"
  mv "$log/page" $page
}

failed=0
for name; do
  [[ " ${all[*]} " == *" $name "* ]] || { echo "no proof is called $name: ${all[*]}" >&2; exit 2; }
  if [ -f $page ] && grep -F "| \`make $name\` |" $page | grep -qF "| ok |" && grep -F "| \`make $name\` |" $page | grep -qF "| $commit |"; then
    echo "$name has run on $commit"
    continue
  fi
  echo "== $name"
  began=$SECONDS ended=ok
  make "$name" >"$log/$name" 2>&1 || { ended="exit $?"; failed=$((failed + 1)); tail -20 "$log/$name"; }
  took=$((SECONDS - began))
  cp "$log/$name" "dist/proofs/$name.txt"
  put "$name" "$(figure "$log/$name")" "$ended" "$((took / 60)) min $((took % 60)) s, $(date -u +%F)"
  echo "$name: $ended after $took s: $(figure "$log/$name")"
done
echo "$(($# - failed)) of $# proofs hold"
[ "$failed" = 0 ]
