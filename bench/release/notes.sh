#!/usr/bin/env bash
# Prints the section of a version from CHANGELOG.md. Argument: the tag.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=${1:?the tag is missing}
version=${version#v}
notes=$(awk -v head="## [$version]" 'index($0, head) == 1 { on = 1; next } /^## \[/ { on = 0 } on && !/^\[.*\]: / { print }' CHANGELOG.md)
[ -n "$(tr -d '[:space:]' <<<"$notes")" ] || { echo "CHANGELOG.md has no section of $version" >&2; exit 1; }
sed -e '/./,$!d' <<<"$notes"
