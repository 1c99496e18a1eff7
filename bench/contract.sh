#!/usr/bin/env bash
# Checks the sandbox, and the hub in front of one, against the OpenAPI document with
# tools of others: a linter for the document, and a validating proxy that every
# contract vector is played through. Installs both in a temporary folder.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=${CARDTOP_TOOLS:-${TMPDIR:-/tmp}/cardtop-contract-tools}
for try in 1 2 3; do
  [ -x "$tools/node_modules/.bin/prism" ] && [ -x "$tools/node_modules/.bin/redocly" ] && break
  mkdir -p "$tools"
  npm install --prefix "$tools" --no-audit --no-fund --silent @redocly/cli@2.77.0 @stoplight/prism-cli@5.16.0 || echo "try $try of 3 failed" >&2
done
"$tools/node_modules/.bin/redocly" lint api/openapi.yaml --config api/redocly.yaml
out=$(mktemp)
CARDTOP_PRISM=$tools/node_modules/.bin/prism go test -count=1 -v -run ValidatingProxy ./api/apitest ./internal/hub >"$out" || { cat "$out"; exit 1; }
passed=$(grep -c -- '^    --- PASS' "$out")
all=$(grep -c -- '^    --- ' "$out")
grep -o '[0-9]* answers went through the proxy' "$out"
echo "$passed of $all vectors without a fault"
