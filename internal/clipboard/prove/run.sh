#!/bin/sh
# Proves what the clipboard guard promises, on real displays.
#   run.sh [-n RUNS] [-d xclip|xsel|wl-copy|wl-copy-owner] [-t TEST]
# RUNS is how often each thing is done: 10 unless told, 100 for the full proof.
# Debian packages that are missing are installed when this runs as root.
set -eu
runs=10 desk= only=.
while getopts n:d:t: opt; do
	case $opt in
	n) runs=$OPTARG ;;
	d) desk=$OPTARG ;;
	t) only=$OPTARG ;;
	*) exit 2 ;;
	esac
done
# One kind of kill is SIGHUP, which nohup has everything below it ignore.
if grep -qs '^SigIgn:.*[13579bdf]$' /proc/$$/status; then
	echo "SIGHUP is ignored here: start this without nohup" >&2
	exit 1
fi
missing=
need() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
need Xvfb xvfb
need xclip xclip
need xsel xsel
need wl-copy wl-clipboard
need sway sway
need tmux tmux
if [ -n "$missing" ]; then
	if [ "$(id -u)" -ne 0 ]; then
		echo "install first:$missing" >&2
		exit 1
	fi
	apt-get update -qq
	# shellcheck disable=SC2086 # a list of packages
	apt-get install -y -qq --no-install-recommends $missing
fi
cd "$(dirname "$0")"
out=$(mktemp)
trap 'rm -f "$out"' EXIT
status=0
CARDTOP_PROVE=$runs CARDTOP_PROVE_DESK=$desk \
	go test -count=1 -v -timeout 4h -run "$only" . >"$out" 2>&1 || status=$?
grep -v -e '^=== ' -e '--- PASS' "$out" | sed 's/^ *[a-z_]*\.go:[0-9]*: //'
exit $status
