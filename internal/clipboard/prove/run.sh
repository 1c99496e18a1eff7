#!/bin/sh
# Proves what the clipboard guard promises, on real displays, side by side.
#   run.sh [-n RUNS] [-d xclip|xsel|wl-copy|wl-copy-owner|terminal] [-t TEST]
# RUNS is how often each thing is done: 10 unless told, 100 for the full proof.
# Debian packages that are missing are installed when this runs as root.
set -eu
runs=10 desks="xclip xsel wl-copy wl-copy-owner terminal" only=.
while getopts n:d:t: opt; do
	case $opt in
	n) runs=$OPTARG ;;
	d) desks=$OPTARG ;;
	t) only=$OPTARG ;;
	*) exit 2 ;;
	esac
done
# One kind of kill is SIGHUP, which nohup has everything below it ignore.
if grep -qs '^SigIgn:.*[13579bdf]$' /proc/$$/status; then
	exec env --default-signal=HUP "$0" -n "$runs" -d "$desks" -t "$only"
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
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go test -c -o "$dir/prove" .

# Runs tests of one display, but those that match $2.
cat >"$dir/prove.sh" <<'END'
terminals=Terminal
[ "$1" != terminal ] || terminals='^$'
CARDTOP_PROVE_DESK=$1 "$dir/prove" -test.v -test.timeout 4h -test.run "$only" -test.skip "$2|$terminals" >>"$dir/$1.out" 2>&1 ||
	touch "$dir/$1.failed"
END
export dir only CARDTOP_PROVE="$runs"
# All displays at once. What races within milliseconds comes when the rest is done.
for skip in ForeignCopy 'Started|Killed|Frozen|Scan|Terminal'; do
	# shellcheck disable=SC2086 # a list of displays
	printf '%s\n' $desks | xargs -P 0 -I DESK sh "$dir/prove.sh" DESK "$skip"
done
all=0 held=0
for desk in $desks; do
	all=$((all + 1))
	# Where no test was of that name, nothing holds.
	if [ ! -e "$dir/$desk.failed" ] && grep -q '[0-9] of [0-9]' "$dir/$desk.out"; then held=$((held + 1)); fi
	grep -v -e '^=== ' -e '--- PASS' -e '^PASS$' "$dir/$desk.out" | sed 's/^ *[a-z_]*\.go:[0-9]*: //' || true
done
echo "$held of $all displays hold, each thing done $runs times: $desks"
[ "$held" = "$all" ]
