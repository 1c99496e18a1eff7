#!/usr/bin/env bash
# Runs the Windows program under Wine and says how many of the checks hold.
# Argument: a program that is built already. The dashboard is not among them: the
# console of Wine 8 prints sequences of terminals instead of obeying them.
# As root it installs the Debian packages that are missing.
set -euo pipefail
cd "$(dirname "$0")/.."
missing=()
[ -x /usr/lib/wine/wine64 ] || missing+=(wine wine64)
command -v Xvfb >/dev/null || missing+=(xvfb)
command -v curl >/dev/null || missing+=(curl)
command -v x86_64-w64-mingw32-ld >/dev/null || missing+=(binutils-mingw-w64-x86-64)
if [ "${#missing[@]}" -gt 0 ]; then
  [ "$(id -u)" -eq 0 ] || { echo "install first: ${missing[*]}" >&2; exit 1; }
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

work=$(mktemp -d)
started=()
finish() {
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  WINEPREFIX=$work/prefix /usr/lib/wine/wineserver64 -k 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
umask 077 # Wine makes access lists of it.
exe=${1:-}
if [ -z "$exe" ]; then
  exe=$work/cardtop.exe
  GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o "$exe" .
fi

Xvfb -displayfd 3 -screen 0 1024x768x24 3>"$work/display" >/dev/null 2>&1 &
started+=($!)
for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
export DISPLAY=:$(cat "$work/display") WINEPREFIX=$work/prefix WINEDEBUG=-all
timeout 300 /usr/lib/wine/wine64 wineboot -i >/dev/null 2>&1
# Go asks this library for random numbers, and Wine 8 does not have it: it is made
# of the function that Wine has.
printf 'LIBRARY bcryptprimitives.dll\nEXPORTS\nProcessPrng = ADVAPI32.SystemFunction036\n' >"$work/random.def"
printf '.globl DllMain\nDllMain: mov $1,%%eax\nret\n' >"$work/entry.s"
x86_64-w64-mingw32-as "$work/entry.s" -o "$work/entry.o"
x86_64-w64-mingw32-ld -shared --entry DllMain -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" "$work/entry.o" "$work/random.def"

held=0
all=0
check() { # A name, then a command.
  all=$((all + 1))
  if timeout 120 "${@:2}" >"$work/out" 2>&1; then
    held=$((held + 1))
  else
    echo "fails: $1"
    tail -n 5 "$work/out"
  fi
}
top() { timeout 100 /usr/lib/wine/wine64 "$exe" "$@" </dev/null; }
shows() { top "${@:2}" 2>&1 | tr -d '\r' | tee /dev/stderr | grep -E "$1" >/dev/null; }
fails() { local rc=0; top "${@:2}" || rc=$?; [ "$rc" -eq "$1" ]; }
export -f top shows fails
export exe
run() { check "$1" bash -c 'set -o pipefail; "$@"' run "${@:2}"; }

run "the version" shows '^cardtop version' --version
run "doctor, without an account" shows '^ok +API +embedded sandbox' doctor
run "doctor, folders are private" shows '^ok +permissions' doctor
run "doctor, the clipboard of Windows" shows 'clipboard +compare \(Windows clipboard\)' doctor
run "doctor, the keyring of Windows" shows '^ok +keyring' doctor
run "an unknown command is a fault of use" fails 2 nonsense

port=$((20000 + RANDOM % 20000))
/usr/lib/wine/wine64 "$exe" sandbox --addr "127.0.0.1:$port" >"$work/sandbox" 2>&1 &
started+=($!)
for _ in $(seq 200); do grep -q '^sandbox on' "$work/sandbox" && break; sleep 0.2; done
run "the sandbox answers from outside of Wine" curl -sf -H 'Authorization: Bearer sk_test_demo' "http://127.0.0.1:$port/v1/cards?limit=1"
export CARDTOP_BASE_URL=http://127.0.0.1:$port/v1 CARDTOP_API_KEY=sk_test_demo
run "doctor, with an account" shows "^ok +API +http://127.0.0.1:$port" doctor
run "cards" shows '^card_[a-z0-9]+ .*active' cards list
run "cards as JSON" shows '"last4"' cards list --json
run "the wallet" shows 'USD|[Bb]alance' wallet
run "the next code" shows '^[0-9]{4,8}$' otp --wait --timeout 60s
card=$(top cards list --status active --json 2>/dev/null | grep -oE 'card_[a-z0-9]+' | head -n 1 || true)
run "a card is frozen" shows . cards freeze "$card" --yes
run "and is seen frozen" shows '"frozen"' cards show "$card" --json
run "the history has it" shows '[Ff]reeze' history
run "a manual page" shows '^\.TH' man
home=$WINEPREFIX/drive_c/users/$(id -un)/AppData/Local
run "files lie in the folder of the user" test -s "$home/cardtop/cardtop.log"
run "no key is in what was written" bash -c "! grep -r sk_test_demo '$home/cardtop' '$home/cache/cardtop'"
chmod -R o+rx "$home/cardtop"
run "doctor, a folder that others may read" shows '^warn +permissions +others may use .*Everyone' doctor

echo "$held of $all checks under $(/usr/lib/wine/wine64 --version) hold"
[ "$held" -eq "$all" ]
