//go:build unix

package shell

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
)

// hostile are labels that mean something to a shell.
func hostile() []string {
	return []string{
		"fb/spring", "; rm -rf ~", "$(touch pwned)", "`touch pwned`", "' ; touch pwned ; '", `" ; touch pwned ; "`, `\`, `\\`, `'`, `"`, "",
		"*", "~", " two  words ", "-n", "--help", "${HOME}", "$HOME", "%s%n", "&& touch pwned", "|touch pwned", "> pwned", "a\tb", "!!", "}", "{label}",
		"{{label}}", "#", "$((1+1))", "a[$(touch pwned)]", "x=1", ")", "'\"'\"'", `\'; touch pwned #`, "naïve 日本", "&account=1#f",
		`$(touch pwned)"$(touch pwned)'$(touch pwned)`, "\\`touch pwned\\`",
	}
}

// quoted are lines that give words to a function, and what the words are; @
// stands for the label.
func quoted() map[string][]string {
	return map[string][]string{
		`args {label}`:                               {"@"},
		`args {label} {last4} {label}`:               {"@", "2039", "@"},
		`args https://a/?x={label}\&y=1`:             {"https://a/?x=@&y=1"},
		`args 'https://a/?x={label}&y=1'`:            {"https://a/?x=@&y=1"},
		`args "https://a/?x={label}&y=1"`:            {"https://a/?x=@&y=1"},
		`args "a '{label}' b"`:                       {"a '@' b"},
		`args 'a "{label}" b'`:                       {`a "@" b`},
		`args "\"{label}\""`:                         {`"@"`},
		`args it\'s {label}`:                         {"it's", "@"},
		`args "$(printf '%s.' {label})"`:             {"@."},
		`args "$(printf '%s.' "{label}")" '{label}'`: {"@.", "@"},
		`args "$(printf '%s.' '{label}')"{label}`:    {"@.@"},
		`(args {label})`:                             {"@"},
		`x={label}; args "$x"`:                       {"@"},
		`args {{label}} ${HOME} '{{label}}' {} {a,b} '{ print $1 }' \{label}`: {"{label}", "/home/ann", "{label}", "{}", "{a,b}", "{ print $1 }", "{label}"},
		`args $((2 * (1 + 2))) {label}`:                                       {"6", "@"},
		`args "${HOME}" "{label}" "${UNSET:-a b}" {label}`:                    {"/home/ann", "@", "a b", "@"},
		"args `echo a` {label}":                                               {"a", "@"},
		`case {label} in {label}) args {label};; esac # don't`:                {"@"},
	}
}

// between is what a shell writes between the words of two lines.
const between = "\x01\x00"

// given runs lines in a real shell with a label, one after another, and gives the words
// of args of each.
func given(t *testing.T, sh, label string, runs ...string) (words [][]string) {
	t.Helper()
	script := "args() { printf '%s\\0' \"$@\"; }\n"
	for _, run := range runs {
		line, err := Compile(run)
		if err != nil {
			t.Fatalf("%s: %v", run, err)
		}
		if strings.Contains(line.text, label) && len(label) > 9 {
			t.Fatalf("the label is in the line: %s", line.text)
		}
		script += line.text + "\nprintf '\\001\\000'\n"
	}
	cmd := exec.CommandContext(t.Context(), sh, "-c", script)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/home/ann", variable("label") + "=" + label, variable("last4") + "=2039"}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s with %q: %v: %s", script, label, err, errs.String())
	}
	if made, err := os.ReadDir(cmd.Dir); err != nil || len(made) > 0 {
		t.Errorf("%s with %q made %v (%v)", script, label, made, err)
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(string(out), between), between) {
		words = append(words, strings.Split(strings.TrimSuffix(part, "\x00"), "\x00"))
	}
	if len(words) != len(runs) {
		t.Fatalf("%d lines gave %d answers: %q", len(runs), len(words), out)
	}
	return words
}

func TestAFieldIsOneWordWhateverItHolds(t *testing.T) {
	t.Parallel()
	for _, sh := range shells() {
		if _, err := exec.LookPath(sh); err != nil {
			continue
		}
		lines := quoted()
		runs := slices.DeleteFunc(slices.Sorted(maps.Keys(lines)), func(run string) bool {
			return strings.Contains(run, "{a,b}") && sh == "bash" // It takes them for two words, as a person who writes it there knows.
		})
		for _, label := range hostile() {
			for i, got := range given(t, sh, label, runs...) {
				var want []string
				for _, word := range lines[runs[i]] {
					want = append(want, strings.ReplaceAll(word, "@", label))
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s of %s with %q: %q", sh, runs[i], label, got)
				}
			}
		}
	}
}

func FuzzAFieldIsOneWord(f *testing.F) {
	for _, label := range hostile() {
		f.Add(label)
	}
	f.Fuzz(func(t *testing.T, label string) {
		label = string(api.Clean(label)) // As every label is.
		want := []string{label, label, "a" + label, "'" + label + "'", label}
		got := given(t, "sh", label, `args {label} "{label}" a'{label}' "'{label}'" "$(printf '%s' {label})"`)[0]
		if !slices.Equal(got, want) {
			t.Errorf("%q is %q", label, got)
		}
	})
}

func TestAFieldIsNotWhereShellsReadTwice(t *testing.T) {
	t.Parallel()
	for run, within := range map[string]string{
		"echo $(( {balance} + 1 ))": "(( ))", "(( x = {balance} ))": "(( ))", "echo `basename {label}`": "` `", `echo "a ` + "`" + `b {label}` + "`" + `"`: "` `",
		`echo "$(case x in x) echo {label};; esac)"`: "case in $( )", "echo ${X:-{label}}": "${ }", `echo "${X:-{label}}"`: "${ }", `echo $'a\'{label}'`: "$' '", `echo "$(echo $((1 + {id})))"`: "(( ))",
	} {
		_, err := Compile(run)
		if err == nil || !strings.Contains(err.Error(), "within "+within+":") {
			t.Errorf("%s: %v", run, err)
		}
	}
}
