# What .ci/run and .ci/nightly share.

export PATH="$(go env GOPATH)/bin:$PATH"
# As releases are built, so that all parts but the race detector share what is compiled.
export CGO_ENABLED=0
# Most of a run is compiling and linking: a seventh of the one and a third of the other write what a debugger needs.
export GOFLAGS="${GOFLAGS:-} -ldflags=-s -gcflags=all=-dwarf=false"
lint_version=v2.15.0
actionlint_version=v1.7.12
failures=$(mktemp)
trap 'rm -f "$failures"' EXIT

# retry is for what comes over the network, and for nothing else.
retry() {
  local n
  for n in 1 2 3; do
    if "$@"; then return 0; fi
    echo "try $n of 3 failed: $*" >&2
    sleep 2
  done
  return 1
}

# debian installs the packages of commands that are missing: debian COMMAND[=PACKAGE]...
debian() {
  local one missing=()
  for one; do command -v "${one%=*}" >/dev/null || missing+=("${one#*=}"); done
  [ ${#missing[@]} = 0 ] || { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}"; }
}

install_linter() {
  [[ $(golangci-lint version 2>/dev/null) == *"${lint_version#v}"* ]] ||
    retry go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$lint_version"
}

# tagged prints the packages whose tests a build tag changes: the others are tested without it.
tagged() {
  tagged_files "$1" | xargs -n1 dirname | sort -u | sed 's|^|./|'
}

tagged_files() {
  git grep -lE "^//go:build .*\\b$1\\b" -- '*.go' ':!bench/targets'
}

# added prints a pattern of the tests that a build tag adds, and of those in files that use what it changes: what a file
# for runs without it declares.
added() {
  local all file name
  all=$( (tagged_files "$1"
    for file in $(git grep -lE "^//go:build .*!$1\\b" -- '*_test.go'); do
      for name in $(sed -nE 's/^(var|func|const) ([A-Za-z0-9_]+).*/\2/p' "$file"); do
        git grep -lw "$name" -- "$(dirname "$file")/*_test.go"
      done
    done) | sort -u | xargs -d '\n' git grep -hoE '^func Test[A-Za-z0-9_]+' -- | cut -c6- | sort -u)
  [ -n "$all" ] || { echo "no test is added by the tag $1" >&2; return 1; }
  echo "^($(echo $all | tr ' ' '|'))\$"
}

# speak runs go test and, when it fails, remembers which tests did and how to run each alone.
speak() {
  local log status=0
  log=$(mktemp)
  "$@" 2>&1 | tee "$log" || status=$?
  [ "$status" = 0 ] || awk -v flags="$(printf '%s\n' "$@" | awk '/^-race$/ { printf "-race " } tags { printf "-tags %s ", $0 } { tags = /^-tags$/ }')" '
    /^--- FAIL: / { name[++n] = $3 }
    /^(panic: |fatal error|WARNING: DATA RACE)/ { why = $0 }
    hangs && /^\t+Test/ { split($1, whole, "/"); name[++n] = whole[1] }
    { hangs = /^\trunning tests:/ || hangs && /^\t+Test/ }
    /^FAIL\t/ && NF > 1 {
      if (why) print "  " $2 ": " why
      if (!n) print "  no test is named: go test " flags $2
      for (i = 1; i <= n; i++) if (!said[name[i]]++) print "  go test " flags "-count=1 -run \x27^" name[i] "$\x27 " $2
      n = 0; why = ""; split("", said)
    }' "$log" >>"$failures"
  rm -f "$log"
  return "$status"
}

# known fails for a name that is not a part.
known() {
  [[ " ${all[*]} " == *" $1 "* ]] || { echo "no part is called $1; the parts: ${all[*]}" >&2; exit 2; }
}

# run_parts runs parts until one fails, and ends with how long each took.
run_parts() {
  local part began status table=
  [ $# -gt 0 ] || set -- "${all[@]}"
  for part; do known "$part"; done
  for part; do
    printf '\n== %s\n' "$part"
    began=$SECONDS
    status=0
    # A part in a condition would go on after a failure within it.
    set +e
    (set -e; "$part")
    status=$?
    set -e
    table+=$(printf '%6d s  %s%s' $((SECONDS - began)) "$part" "$([ "$status" = 0 ] || echo ': failed')")$'\n'
    [ "$status" = 0 ] || break
  done
  printf '\n%s%6d s  in all\n' "$table" "$SECONDS"
  if [ "$status" != 0 ]; then
    printf '\n%s failed; again with: .ci/run %s\n' "$part" "$part"
    if [ -s "$failures" ]; then echo "what failed, each alone:"; cat "$failures"; fi
    exit 1
  fi
}

# run_all runs every part, whatever fails, keeps what each printed, and ends with a table.
run_all() {
  local part began passed=0 skipped=0 failed=0 table= dir=${NIGHTLY:-dist/nightly}
  [ $# -gt 0 ] || { set -- "${all[@]}"; rm -rf "$dir"; }
  for part; do known "$part"; done
  mkdir -p "$dir"
  for part; do
    began=$SECONDS
    if timeout 90m .ci/nightly --alone "$part" >"$dir/$part.txt" 2>&1; then
      if grep -q '^SKIPPED' "$dir/$part.txt"; then # A tool is missing.
        skipped=$((skipped + 1)) word=skipped
      else
        passed=$((passed + 1)) word=passed
      fi
    else
      failed=$((failed + 1)) word=FAILED
      grep -vE '^(ok  |\?   )' "$dir/$part.txt" | tail -n 40 | sed "s/^/$part: /"
    fi
    table+=$(printf '%6d s  %-7s %s' $((SECONDS - began)) "$word" "$part")$'\n'
    echo "$part: $word after $((SECONDS - began)) s"
  done
  printf '\n%s\nwhat each printed: %s\n%d passed, %d skipped, %d failed\n' "$table" "$dir" "$passed" "$skipped" "$failed" | tee "$dir/table.txt"
  [ "$failed" = 0 ]
}
