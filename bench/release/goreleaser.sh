#!/usr/bin/env bash
# Runs goreleaser in the version that the release is made with, and installs it
# when it is not there. v2.17 and later need a Go that is newer than go.mod asks for.
set -euo pipefail
version=v2.16.0
tool=$(go env GOPATH)/bin/goreleaser
if [ ! -x "$tool" ] || [ "$(go version -m "$tool" | awk '$1 == "mod" { print $3 }')" != "$version" ]; then
  for n in 1 2 3; do
    (cd / && go install "github.com/goreleaser/goreleaser/v2@$version") && break
    echo "try $n of 3 failed" >&2
  done
fi
COMMIT_TIME=$(git log -1 --format=%ct)
COMMIT_DATE=$(date -u -d "@$COMMIT_TIME" +%Y-%m-%dT%H:%M:%SZ)
export COMMIT_TIME COMMIT_DATE
exec "$tool" "$@"
