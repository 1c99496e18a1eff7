#!/usr/bin/env bash
# Proves the dashboard over SSH with the stock OpenSSH client in tmux: size, colour, resize,
# mouse, OSC 52, a killed client, and what is refused. -n: how often a client is killed and
# comes back.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=5
while getopts n: option; do
  case $option in
    n) rounds=$OPTARG ;;
    *) exit 2 ;;
  esac
done
for tool in ssh ssh-keygen tmux; do
  command -v "$tool" >/dev/null || { echo "SKIPPED: the proof of SSH needs $tool, and it is not installed"; exit 0; }
done

dir=$(mktemp -d)
bin=$dir/cardtop
go build -o "$bin" .
tmux_name=cardtop-ssh-$$
T=(tmux -L "$tmux_name" -f /dev/null)
# on COMMAND...: a command of tmux on the terminal that is shown.
on() { "${T[@]}" "$1" -t view "${@:2}"; }
started=()
finish() {
  "${T[@]}" kill-server 2>/dev/null || true
  for p in ${started[@]+"${started[@]}"}; do kill "$p" 2>/dev/null || true; done
  rm -rf "$dir"
}
trap finish EXIT

done=0
all=0
# step TEXT COMMAND...: counts what holds.
step() {
  local text=$1
  shift
  all=$((all + 1))
  reason=
  if "$@"; then done=$((done + 1)); else echo "FAILED: $text${reason:+: $reason}, on the screen:"; on capture-pane -p || true; fi
}
# soon COMMAND...: tries for 20 seconds.
soon() {
  for _ in $(seq 200); do
    "$@" && return 0
    sleep 0.1
  done
  return 1
}

# The programs have a home of their own, the proofs below the user's.
home=(env "HOME=$dir/home" "XDG_STATE_HOME=$dir/home/state" "XDG_CONFIG_HOME=$dir/home/config" "XDG_CACHE_HOME=$dir/home/cache")
mkdir -m 700 "$dir/home"
key=sk_test_ssh_proof_4417
"${home[@]}" "$bin" sandbox --addr 127.0.0.1:0 --api-key $key --cards 60 --no-limits --quiet >"$dir/sandbox.log" 2>&1 &
started+=($!)
soon grep -q '^sandbox on ' "$dir/sandbox.log"
base=$(sed -n 's/^sandbox on //p' "$dir/sandbox.log")
where=${base#http://}
where=${where%/v1}
hub() { "${home[@]}" CARDTOP_BASE_URL="$base" CARDTOP_API_KEY=$key "$bin" hub "$@"; }
for name in ann bob vic; do ssh-keygen -q -t ed25519 -N '' -C "$name" -f "$dir/$name"; done
ssh-keygen -q -t ed25519 -N '' -f "$dir/eve"
cp "$dir/ann.pub" "$dir/other.pub" # And no private key beside it.
hub add ann --role lead --labels '*' --ssh-key "$(cat "$dir/ann.pub")" >/dev/null
hub add bob --role buyer --labels '*' >/dev/null
hub keys add bob "$(cat "$dir/bob.pub")" >/dev/null
hub add vic --role viewer --labels '*' --ssh-key "$(cat "$dir/vic.pub")" >/dev/null
"${home[@]}" CARDTOP_BASE_URL="$base" CARDTOP_API_KEY=$key "$bin" hub --listen 127.0.0.1:0 --ssh 127.0.0.1:0 >"$dir/hub.log" 2>&1 & # No function: that would be another process.
started+=($!)
soon grep -q '^host key ' "$dir/hub.log" || { cat "$dir/hub.log"; exit 1; }
port=$(sed -n 's/^ssh on .*://p' "$dir/hub.log")

cat >"$dir/ssh_config" <<EOF
Host *
  Port $port
  User anybody
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile $dir/known
  StrictHostKeyChecking accept-new
  LogLevel ERROR
EOF
S=(ssh -F "$dir/ssh_config")
remote() { "${S[@]}" -i "$dir/$1" 127.0.0.1 "${@:2}" </dev/null; }
# code WANT COMMAND...: the exit code is that.
code() {
  local got=0
  "${@:2}" >"$dir/out" 2>"$dir/err" || got=$?
  [ "$got" = "$1" ] && return
  # A reason is shown with the step that fails.
  reason="it ended with $got, not $1: $(cat "$dir/err")"
  return 1
}
shows() { on capture-pane -p | grep -q -- "$1"; }
# show NAME WIDTH HEIGHT [OPTION...]: opens the dashboard in a new terminal.
show() {
  on kill-session 2>/dev/null || true
  "${T[@]}" new-session -d -s view -x "$2" -y "$3" "${SETTING:-true}; ${S[*]} -i $dir/$1 ${*:4} 127.0.0.1; echo EXIT \$?; sleep 600"
  soon shows 'Cards  60'
}
client() { pgrep -P "$(on display -p '#{pane_pid}')" -x ssh; } # The one that this script started.

"${T[@]}" new-session -d -s rest 'sleep 3600'
"${T[@]}" set -g set-clipboard on \; set -g status off
remote ann otp --card 0 >/dev/null 2>&1 || true # The host key is known from now on.
step "the host key is the one that was printed" grep -q "$(ssh-keygen -lf "$dir/known" | awk '{print $2}')" "$dir/hub.log"
step "the host key is private" [ "$(stat -c %a "$(find "$dir/home" -name ssh_host_ed25519_key)")" = 600 ]
before=$(cd "$dir/home" && find . -type f | grep -v -e history -e usage -e operations -e claims | sort)

wide() { [ "$(on capture-pane -p | LC_ALL=C.UTF-8 wc -L)" = "$1" ]; }
low() { on capture-pane -p | sed -n "$1p" | grep -q '? help'; }
styled() { on capture-pane -e -p | grep -q -- "$1"; }
lacks() { ! styled "$1"; }
plain() { ! on capture-pane -e -p | grep -qE '\[[0-9;]*(38|48);[25]|\[(3|4|9|10)[0-7]m'; }
step "the dashboard opens" show ann 120 35
step "it is as wide as the terminal" soon wide 120
step "it is as high as the terminal" soon low 35
step "it has 256 colours by TERM" styled '38;5;'
step "its person is in the header" shows ' ann '
on resize-window -x 90 -y 24
step "it follows a new size" soon wide 90
step "and its height" soon low 24
on resize-window -x 120 -y 35
soon wide 120 || true
line() { on capture-pane -p | grep -n '▸' | head -n 1 | cut -d: -f1; }
step "the mouse is the program's" [ "$(on display -p '#{mouse_button_flag}#{mouse_sgr_flag}')" = 11 ]
on send-keys -l $'\e[<0;8;9M\e[<0;8;9m'
at9() { on capture-pane -p | sed -n 9p | grep -q '▸'; }
step "a click moves the cursor" soon at9
on send-keys j
at10() { on capture-pane -p | sed -n 10p | grep -q '▸'; }
step "a key does" soon at10

card=$(curl -fsS -H "Authorization: Bearer $key" "$base/cards?status=active&per_page=1" | sed -E 's/.*"id": ?"([^"]+)".*/\1/')
"${home[@]}" "$bin" sandbox trigger --addr "$where" challenge --card-id "$card" --merchant Acme --amount 25 --otp 482913 >/dev/null
step "a code comes" soon shows '482 913'
on send-keys 2
on send-keys o
step "copying says how: OSC 52" soon shows 'OSC 52'
copied() { [ "$("${T[@]}" show-buffer 2>/dev/null)" = 482913 ]; }
step "and the terminal has it" soon copied
on send-keys q
if ! soon shows 'EXIT 0'; then # Seen once, with a busy machine: what it shows tells why.
  echo "q is pressed again, on the screen:"
  on capture-pane -p
  on send-keys q
fi
step "q ends it" soon shows 'EXIT 0'
step "the terminal is restored" [ "$(on display -p '#{alternate_on}#{mouse_button_flag}#{cursor_flag}')" = 001 ]
blanked() { [ "$("${T[@]}" show-buffer 2>/dev/null)" != 482913 ]; }
step "and what was copied is blanked" soon blanked

SETTING='export TERM=xterm' step "it opens on a terminal of 16 colours" show ann 120 35
step "it has those" styled '\[3[0-7]m'
step "and no others" lacks '38;5;'
SETTING='export NO_COLOR=1' step "it opens with NO_COLOR" show ann 120 35 -o SendEnv=NO_COLOR
step "it has no colour by NO_COLOR" plain

for n in $(seq "$rounds"); do
  kill -9 "$(client)"
  soon shows EXIT || true
  step "round $n: who was cut off comes back" show ann 120 35
done
step "a public key of another opens nothing" show bob 120 35 -i "$dir/other.pub"
step "who shows it is who proves it" shows ' bob '

step "a stranger's key is refused" code 255 "${S[@]}" -i "$dir/eve" 127.0.0.1 otp
step "so is a password" code 255 "${S[@]}" -o PubkeyAuthentication=no -o PreferredAuthentications=password,keyboard-interactive -o BatchMode=yes 127.0.0.1 otp
step "with those words" grep -q 'Permission denied (publickey)' "$dir/err"
step "no shell command is run" code 2 remote ann 'sh -c id'
step "nor another of cardtop" code 2 remote ann 'cards list'
step "no subsystem" code 255 remote ann -s sftp
step "no port is forwarded to here" code 255 "${S[@]}" -i "$dir/ann" -o ExitOnForwardFailure=yes -R 0:127.0.0.1:1 127.0.0.1 otp
step "nor from here" code 255 "${S[@]}" -i "$dir/ann" -W "$where" 127.0.0.1
step "nor an agent, nor X11" code 2 env DISPLAY=:9 "${S[@]}" -A -X -i "$dir/ann" 127.0.0.1 ls
step "without a terminal there is no dashboard" code 2 remote ann

# Another code: after many rounds the five minutes of the first may be over.
"${home[@]}" "$bin" sandbox trigger --addr "$where" challenge --card-id "$card" --merchant Acme --amount 25.50 --otp 482914 >/dev/null
code0() { code 0 remote "$1" otp --card "$card" && [ "$(cat "$dir/out")" = 482914 ]; }
step "otp prints a code" soon code0 ann
step "and to a buyer" code0 bob
step "a viewer has none" code 1 remote vic otp --card "$card"
step "and is told why" grep -q 'may not read codes' "$dir/err"
"${home[@]}" "$bin" sandbox trigger --addr "$where" challenge --card-id "$card" --merchant Acme --amount 26 --otp 771355 >/dev/null
newest() { code 0 remote ann otp --wait --card "$card" && [ "$(cat "$dir/out")" = 771355 ]; }
step "otp prints the newest code" soon newest
# A card that no code waits for: the sandbox begins with some.
ids() { curl -fsS -H "Authorization: Bearer $key" "$base/$1" | grep -oE "\"$2\": ?\"card_[^\"]+" | grep -oE 'card_.*' | sort -u; }
without=$(comm -23 <(ids 'cards?status=active&per_page=60' id) <(ids '3ds?per_page=100' card_id) | head -n 1)
step "otp waits no longer than asked" code 3 remote ann otp --wait --timeout 1s --card "$without"
step "no such card is a mistake of use" code 2 remote ann otp --card nothing-like-that
step "so is copying there" code 2 remote ann otp --copy

show bob 120 35
hub keys remove "$(ssh-keygen -lf "$dir/bob.pub" | awk '{print $2}')"
from=$(date +%s%N)
soon shows EXIT || true
took=$((($(date +%s%N) - from) / 1000000))
echo "ssh: who was removed is cut off after $took ms"
step "who is removed is cut off within a second" [ "$took" -le 1000 ]
step "and told why" shows 'not in the team any more'
step "and not let in again" code 255 remote bob otp
frozen() { hub audit 2>/dev/null | grep freeze | grep -q 'ssh 127.0.0.1'; }
show ann 120 35
on send-keys j
sleep 1
on send-keys f
step "the audit has where a write came from" soon frozen

after=$(cd "$dir/home" && find . -type f | grep -v -e history -e usage -e operations -e claims | sort)
step "no file was written for a session" [ "$before" = "$after" ]
step "no code, key or private key is in a file or a log" sh -c "! grep -rqF -e 482913 -e 482914 -e 771355 -e $key '$dir/home' '$dir/hub.log'"
"${T[@]}" kill-server 2>/dev/null || true

echo "ssh: $done of $all hold"
[ "$done" = "$all" ]
