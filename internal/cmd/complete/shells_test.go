package complete

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// standIn answers a shell's questions from a file, and notes the arguments of the
// command line that is run in the end.
const standIn = `#!/bin/sh
case "$1" in
__complete*)
	if [ "$1" = __complete ]; then cat "$HOME/answers"; else cut -f1 "$HOME/answers"; fi
	for a; do printf '%s\n' "$a"; done > "$HOME/asked" ;;
*) for a; do printf '<%s>' "$a"; done > "$HOME/ran" ;;
esac
`

// shell is one that people have.
type shell struct {
	name   string
	args   func(home, script string) []string
	script string
}

// lacks is the package that the shell needs and that is not installed; empty for none.
func (s shell) lacks() string {
	name, with, _ := strings.Cut(s.name, " with ")
	if _, err := exec.LookPath(name); err != nil {
		return name
	}
	if _, err := os.Stat(bashCompletion); err != nil && with != "" {
		return with
	}
	return ""
}

// find skips the test where the shell is not installed.
func (s shell) find(t *testing.T) {
	t.Helper()
	if lacks := s.lacks(); lacks != "" {
		t.Skipf("%s is not installed: apt install %s", lacks, lacks)
	}
}

// bashCompletion is what distributions have bash complete with.
const bashCompletion = "/usr/share/bash-completion/bash_completion"

const prompt = "READY> "

func shells() []shell {
	return []shell{
		{"bash", func(home, script string) []string {
			rc := filepath.Join(home, "rc")
			return []string{"sh", "-c", `printf 'bind "set enable-bracketed-paste off"; PS1="` + prompt + `"; . %s\n' "$2" > "$1" && exec bash --noprofile --rcfile "$1" -i`, "sh", rc, script}
		}, "bash.sh"},
		{"bash with bash-completion", func(home, script string) []string {
			rc := filepath.Join(home, "rc")
			return []string{"sh", "-c", `printf 'bind "set enable-bracketed-paste off"; PS1="` + prompt + `"; . ` + bashCompletion + `; . %s\n' "$2" > "$1" && exec bash --noprofile --rcfile "$1" -i`, "sh", rc, script}
		}, "bash.sh"},
		{"zsh", func(home, script string) []string {
			return []string{"sh", "-c", `printf 'unset zle_bracketed_paste; autoload -U compinit; compinit -u -d "$DUMP"; PS1="` + prompt + `"; . %s\n' "$2" > "$1/.zshrc" && ZDOTDIR="$1" exec zsh -d -i`, "sh", home, script}
		}, "zsh.sh"},
		{"fish", func(_, script string) []string {
			return []string{"fish", "--no-config", "-i", "-C", "source " + script + "; function fish_prompt; echo -n '" + prompt + "'; end"}
		}, "fish.fish"},
	}
}

// inShells runs a test in each shell that is installed. dump is what zsh compiles at its first start.
func inShells(t *testing.T, test func(t *testing.T, s shell, dump string)) {
	t.Helper()
	for _, s := range shells() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.find(t)
			test(t, s, filepath.Join(t.TempDir(), "dump"))
		})
	}
}

// TestShellsComplete types command lines into real shells, with a tab at their end,
// and looks at what is run.
func TestShellsComplete(t *testing.T) {
	t.Parallel()
	inShells(t, func(t *testing.T, s shell, dump string) {
		t.Helper()
		for _, c := range []struct {
			name, typed, answers string
			asked, ran           string
		}{
			{"a label", "cardtop cards show fb/sp\t\r", "fb/spring/01\t•2039 active\n:4", "cards show fb/sp", "cards|show|fb/spring/01"},
			{"nothing typed", "cardtop cards show \t\r", "fb/spring/01\n:4", "cards show ", "cards|show|fb/spring/01"},
			{"what a shell would run", "cardtop cards show '$(touch x)`touch x`\t'\r", ":4", "cards show $(touch x)`touch x`", "cards|show|$(touch x)`touch x`"},
			{"signs of the shell", "cardtop cards show a\t\r", "a $(touch x) `touch x`; 'b' & <c> * \"d\" é\n:4", "cards show a", "cards|show|a $(touch x) `touch x`; 'b' & <c> * \"d\" é"},
			{"an open quote", "cardtop cards list 'status=ac\t\r", "status=active\n:4", "cards list status=ac", "cards|list|status=active"},
			{"a blank in an open quote", "cardtop cards list 'bal<20 status=ac\t\r", "bal<20 status=active\n:4", "cards list bal<20 status=ac", "cards|list|bal<20 status=active"},
			{"a term that goes on", "cardtop cards list 'bal<20 st\ta'\r", "bal<20 status=\n:6", "cards list bal<20 st", "cards|list|bal<20 status=a"},
			{"an equals sign", "cardtop cards list status=ac\t\r", "status=active\n:4", "cards list status=ac", "cards|list|status=active"},
			{"a colon", "cardtop cards show a:b\t\r", "a:bc:d\n:4", "cards show a:b", "cards|show|a:bc:d"},
			{"a blank in a word", "cardtop cards show a\\ b\t\r", "a b c\n:4", "cards show a b", "cards|show|a b c"},
			{"a flag", "cardtop cards list --js\t\r", "--json\tas JSON\n:4", "cards list --js", "cards|list|--json"},
			{"the value of a flag", "cardtop cards list --status fr\t\r", "frozen\n:4", "cards list --status fr", "cards|list|--status|frozen"},
			{"the value after an equals sign", "cardtop cards list --status=fr\t\r", "frozen\n:4", "cards list --status=fr", "cards|list|--status=frozen"},
			{"a file", "cardtop cards create --file answ\t\r", ":0", "cards create --file answ", "cards|create|--file|answers"},
			{"no blank after a part", "cardtop cards show f\t0\r", "fb/\n:6", "cards show f", "cards|show|fb/0"},
			{"a blank after a whole word", "cardtop cards show f\t--json\r", "fb/01\n:4", "cards show f", "cards|show|fb/01|--json"},
		} {
			t.Run(c.name, func(t *testing.T) { //nolint:paralleltest // a machine has few cores, a tab little patience
				home := t.TempDir()
				asked, ran := s.run(t, home, dump, standIn, c.typed, c.answers)
				if got := strings.ReplaceAll(strings.TrimSuffix(asked, "\n"), "\n", " "); got != c.asked {
					t.Errorf("asked for %q, want %q", got, c.asked)
				}
				if want := "<" + strings.ReplaceAll(c.ran, "|", "><") + ">"; ran != want {
					t.Errorf("ran %s, want %s", ran, want)
				}
				if _, err := os.Stat(filepath.Join(home, "x")); err == nil {
					t.Error("a part of a label was run")
				}
			})
		}
	})
}

// run types a command line and returns what was asked for and what was run. program is
// what is called cardtop.
func (s shell) run(t *testing.T, home, dump, program, typed, answers string, env ...string) (asked, ran string) {
	t.Helper()
	script := filepath.Join(home, s.script)
	text, err := scripts.ReadFile("scripts/" + s.script)
	must(t, err)
	for path, content := range map[string]string{script: string(text), filepath.Join(home, "answers"): answers + "\n", filepath.Join(home, "cardtop"): program} {
		must(t, os.WriteFile(path, []byte(content), 0o700))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	args := s.args(home, script)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = home
	cmd.Env = []string{"HOME=" + home, "DUMP=" + dump, "XDG_CONFIG_HOME=" + home, "XDG_DATA_HOME=" + home, "PATH=" + home + ":" + os.Getenv("PATH"), "TERM=xterm", "LANG=C.UTF-8", "LC_ALL=C.UTF-8"}
	cmd.Env = append(cmd.Env, env...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 300})
	if errors.Is(err, pty.ErrUnsupported) {
		t.Skip("this system has no pseudo-terminals")
	}
	must(t, err)
	defer func() { _ = tty.Close() }() // The shell has ended.
	var seen bytes.Buffer
	sent := 0
	buf := make([]byte, 4096)
	for sent < 2 {
		n, err := tty.Read(buf)
		seen.Write(buf[:n])
		if err != nil {
			t.Fatalf("%v: it shows %q", err, seen.String())
		}
		if at := bytes.LastIndex(seen.Bytes(), []byte(prompt)); at >= 0 {
			next := typed
			if sent == 1 {
				if _, err := os.Stat(filepath.Join(home, "ran")); err != nil {
					continue // It draws the prompt again.
				}
				next = "exit\r"
			}
			seen.Reset()
			sent++
			if _, err := tty.WriteString(next); err != nil {
				t.Fatal(err)
			}
		}
	}
	for {
		if _, err := tty.Read(buf); err != nil {
			break // It has ended.
		}
	}
	if err := cmd.Wait(); err != nil && ctx.Err() != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(home, name))
		if err != nil {
			return fmt.Sprint(err)
		}
		return string(data)
	}
	_, asked, _ = strings.Cut(read("asked"), "\n")
	return asked, read("ran")
}

// TestBashInsertsWordsAsTheyAreWritten: a comma has no backslash, which people would not
// type. What a shell would read otherwise has one.
func TestBashInsertsWordsAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	const line = `. scripts/bash.sh; compopt() { :; }; cardtop() { printf '%s\n:6' "$OFFERED"; }
COMP_LINE="cardtop x" COMP_WORDS=(cardtop x) COMP_CWORD=1; _cardtop; printf '%s' "${COMPREPLY[0]}"; eval "set -- ${COMPREPLY[0]}"; printf '|%s' "$@"`
	for offered, want := range map[string]string{
		"id,label": "id,label|id,label", `a\,b`: `a\\,b|a\,b`, "{a,b}": `\{a,b\}|{a,b}`, "$(a),b": `\$\(a\),b|$(a),b`,
	} {
		cmd := exec.CommandContext(t.Context(), "bash", "--norc", "-c", line)
		cmd.Env = append(os.Environ(), "OFFERED="+offered)
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != want {
			t.Errorf("%s: inserted %s, want %s: %v", offered, out, want, err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
