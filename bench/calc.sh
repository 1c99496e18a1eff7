#!/usr/bin/env bash
# Proves with LibreOffice that no export is a spreadsheet's formula: exports of hostile labels are read with commas, semicolons
# and tabs between cells, with formulas evaluated, and saved again. It installs nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v soffice >/dev/null || { echo "needs soffice: apt-get install --no-install-recommends libreoffice-calc" >&2; exit 1; }
out=$(mktemp)
trap 'rm -f "$out"' EXIT
go test -tags night -count=1 -v -run TestLibreOfficeFindsNoFormula ./internal/storage/export >"$out" 2>&1 || { cat "$out"; exit 1; }
grep -E '[0-9]+ of [0-9]+' "$out" | sed -E 's/^ *[a-z_]+\.go:[0-9]+: //'
