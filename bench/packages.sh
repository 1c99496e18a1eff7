#!/usr/bin/env bash
# Proves that who has nothing can use each package for Linux: it is installed into a Debian root
# of its own, with its format's package manager (an .apk is unpacked, Debian has no apk), and used
# by a user with an empty home: version, doctor, a served sandbox and a list from it, and the
# dashboard in tmux. Then it is removed, and only the user's files are left. Needs root.
# -d: take the packages of a folder, instead of building them.
set -euo pipefail
cd "$(dirname "$0")/.."
source=$(pwd)
dist=
while getopts d: option; do
  case $option in
    d) dist=$(realpath "$OPTARG") ;;
    *) exit 2 ;;
  esac
done
[ "$(id -u)" = 0 ] || { echo "packages are installed by root: run it as root, on a machine to spare" >&2; exit 1; }
for tool in debootstrap rpm pacman tmux zstd; do
  command -v $tool >/dev/null && continue
  apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap rpm pacman-package-manager tmux zstd >/dev/null
  break
done

work=$(mktemp -d)
port=18790
socket=$work/tmux
served=
cleanup() {
  [ -z "$served" ] || kill "$served" 2>/dev/null || true
  tmux -S "$socket" kill-server 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

if [ -z "$dist" ]; then
  git clone -q --no-hardlinks "$source" "$work/source"
  git -C "$work/source" remote set-url origin https://github.com/cardtop/cardtop
  # A manifest for Windows wants a program for it.
  sed "s/^    goos: \[linux, .*/    goos: [linux, windows]/; s/^    goarch: .*/    goarch: [amd64]/" "$work/source/.goreleaser.yaml" >"$work/release.yaml"
  (cd "$work/source" && bench/release/goreleaser.sh release -f "$work/release.yaml" --snapshot --clean --skip=publish) >"$work/release.log" 2>&1 || { tail -n 40 "$work/release.log"; exit 1; }
  dist=$work/source/dist
fi
go build -o "$work/release" ./bench/release
debootstrap --variant=minbase stable "$work/base" >"$work/base.log" 2>&1 || { tail "$work/base.log"; exit 1; }
chroot "$work/base" useradd --create-home --skel /dev/null --uid 1000 --shell /bin/bash ann
printf '[options]\nSigLevel = Never\nArchitecture = auto\n' >"$work/pacman.conf"

# put installs a package into a root, and take removes it.
put() {
  case $1 in
    deb) cp "$3" "$2/package.deb" && chroot "$2" dpkg -i /package.deb ;;
    rpm) rpm --root "$2" --nodeps --nosignature -i "$3" ;;
    archlinux) mkdir -p "$2/var/lib/pacman" && pacman --config "$work/pacman.conf" --root "$2" --noconfirm -Udd "$3" ;;
    apk) tar -C "$2" --anchored --exclude='.*' -xzf "$3" ;;
    tar*) mkdir -p "$2/opt/cardtop" && tar -C "$2/opt/cardtop" -xzf "$3" ;;
  esac >>"$work/put.log" 2>&1
}
take() {
  case $1 in
    deb) rm "$2/package.deb" && chroot "$2" dpkg -P cardtop ;;
    rpm) rpm --root "$2" -e cardtop ;;
    archlinux) pacman --config "$work/pacman.conf" --root "$2" --noconfirm -R cardtop ;;
    apk) (cd "$2" && tar -tzf "$3" --anchored --exclude='.*' | sort -r | while read -r file; do if [ -d "$file" ]; then rmdir "$file" 2>/dev/null || true; else rm "$file"; fi; done) ;;
    tar*) rm -r "$2/opt/cardtop" ;;
  esac >>"$work/put.log" 2>&1
}

held=0 all=0
check() {
  local what=$1
  shift
  all=$((all + 1))
  if "$@" >"$work/said" 2>&1; then held=$((held + 1)); else echo "$format: not so: $what"; tail -n 45 "$work/said"; fi
}
# ann runs a command as the user of the root, whom enter makes of root.
enter() { printf '%s\n' chroot --userspec=1000:1000 "$root" env -i HOME=/home/ann USER=ann LANG=C.UTF-8 TERM=tmux-256color PATH=/usr/bin:/bin:/opt/cardtop; }
ann() { $(enter) "$@"; }
on_sandbox() { ann CARDTOP_BASE_URL=http://127.0.0.1:$port/v1 CARDTOP_API_KEY=sk_test_demo cardtop "$@"; }
says() {
  local want=$1
  shift
  "$@" | tee /dev/stderr | grep -E -- "$want" >/dev/null
}
# shows waits for words on the dashboard.
shows() {
  for _ in $(seq 150); do
    tmux -S "$socket" capture-pane -p >"$work/screen" 2>/dev/null || true
    grep -qE -- "$1" "$work/screen" && return
    sleep 0.1
  done
  cat "$work/screen"
  return 1
}
# keys types as a person does: what comes at once is taken for pasted.
keys() {
  sleep 0.5
  tmux -S "$socket" send-keys "$@"
}
ended() {
  for _ in $(seq 100); do
    tmux -S "$socket" has-session 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}
ended_by_term() { kill "$1" && { wait "$1" || [ $? = 143 ]; } || { cat "$work/sandbox.log"; return 1; }; }
completes() { ann bash -c "source '$1' && complete -p cardtop"; }
only_own() { [ -z "$(find "$root/home/ann" \( -type f ! -perm 600 -o -type d ! -path "$root/home/ann" ! -perm 700 \) -print | tee /dev/stderr)" ]; }
nothing_left() { [ -z "$(find "$root"/usr "$root"/opt -iname '*cardtop*' -print | tee /dev/stderr)" ] && ! ann cardtop version; }

# documented looks for the files that people read first, and follows the links of all pages.
documented() {
  local file
  for file in README.md LICENSE CHANGELOG.md docs/INSTALL.md docs/pictures/checkout.svg .github/SECURITY.md; do test -s "$1/$file" || { echo "no $file in $1"; return 1; }; done
  "$work/release" links "$1"
}

walk() {
  format=$1
  local file=$2 version pages=/usr/share/doc/cardtop completion=/usr/share/bash-completion/completions/cardtop page=/usr/share/man/man1/cardtop.1.gz
  root=$work/$format
  cp -a "$work/base" "$root"
  check "it installs" put "$format" "$root" "$file"
  case $format in
    tar) completion=/opt/cardtop/completions/cardtop.bash page=/opt/cardtop/man/cardtop.1 pages=/opt/cardtop ;;
    tar-nats) completion='' page='' pages=/opt/cardtop ;;
  esac
  version=$(sed -nE 's/.*"version":"([^"]+)".*/\1/p' "$dist/metadata.json")
  check "it names its version" says "^cardtop $version( |\$)" ann cardtop version
  check "doctor finds nothing bad" ann cardtop doctor --sandbox
  $(enter) cardtop sandbox --addr 127.0.0.1:$port >"$work/sandbox.log" 2>&1 & # Not by a function: it would be another process.
  served=$!
  for _ in $(seq 100); do on_sandbox wallet >/dev/null 2>&1 && break; sleep 0.1; done
  check "cards are listed" says 'card_' on_sandbox cards list --json
  check "a code comes" says '^[0-9]{6}$' on_sandbox otp --wait --timeout 2m
  check "the sandbox serves to the end" ended_by_term "$served"
  served=
  tmux -S "$socket" -f /dev/null new-session -d -x 160 -y 45 "exec $(enter | tr '\n' ' ') cardtop"
  check "the dashboard opens" shows 'SANDBOX.* live '
  keys /
  keys -l 'status:active'
  keys Enter
  check "it filters" shows '/ status:active  [1-9][0-9]* of'
  keys f
  check "a key freezes a card" shows '^ .* is frozen'
  keys q
  check "q ends it" ended
  [ -z "$page" ] || check "the manual page is there" test -s "$root$page"
  [ -z "$completion" ] || check "bash completes" completes "$completion"
  check "its pages are there, and lead somewhere" documented "$root$pages"
  check "its files are the user's alone" only_own
  check "it is removed" take "$format" "$root" "$file"
  check "nothing of it is left" nothing_left
  rm -rf "$root"
}

for package in deb:'*_amd64.deb' rpm:'*_amd64.rpm' apk:'*_amd64.apk' archlinux:'*.pkg.tar.zst' tar:'cardtop_*_linux_amd64.tar.gz' tar-nats:'cardtop-nats_*_linux_amd64.tar.gz'; do
  files=("$dist"/${package#*:})
  [ -f "${files[0]}" ] || { echo "there is no ${package%%:*} in $dist: $(ls "$dist")"; exit 1; }
  before=$held began=$all
  walk "${package%%:*}" "${files[0]}"
  echo "$format: $((held - before)) of $((all - began)) checks hold"
done
echo "packages: $held of $all checks hold"
[ "$held" = "$all" ]
