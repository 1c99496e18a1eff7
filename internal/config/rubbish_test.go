package config_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/nighttest"
)

// internal are words of the libraries beneath that no person should read.
var internal = regexp.MustCompile(`strconv|missing unit|unknown unit|invalid syntax|parsing|json:|toml:|time:|unmarshal|value out of range|%!|<nil>`)

// TestNoSettingAnswersRubbishInWordsOfALibrary: each is refused, if it is, by
// its name and its place in the file.
func TestNoSettingAnswersRubbishInWordsOfALibrary(t *testing.T) {
	t.Parallel()
	values := []string{
		"0", "-1", "-0", "1.5", "1e400", "-1e-400", "nan", "inf", "0x10", "0b11", "1_000", "99999999999999999999", strings.Repeat("9", 400), "true", "1979-05-27", "07:32:00",
		`"x"`, `""`, `" "`, `"1e400"`, `"` + strings.Repeat("9", 400) + `"`, `"-1"`, `"1d"`, `"NaN"`, `"\u001b[31m"`, `"a\nb"`, `"{x}"`, `"{"`, `"["`, `"*"`, `"%s"`, `"٣"`, `[]`, `["x", 1]`, `[[1]]`, `{}`, `{a = 1}`,
	}
	tried := 0
	for n, s := range config.Reference() {
		name := strings.Replace(s.Name, "*", "own", 1)
		for i, value := range values {
			if i%3 != n%3 && !nighttest.On {
				continue // Another third for each setting.
			}
			tried++
			_, err := config.Parse("config.toml", []byte(name+" = "+value+"\n"))
			if err == nil {
				continue
			}
			var problems config.ProblemErrors
			if !errors.As(err, &problems) {
				t.Errorf("%s = %s: %v", name, value, err)
			}
			for _, p := range problems {
				if internal.MatchString(p.Text) || strings.ContainsAny(p.Text, "\n\x1b") || p.Line < 1 {
					t.Errorf("%s = %.40s: %q", name, value, p)
				}
			}
		}
	}
	if tried < nighttest.Times(300, 1000) {
		t.Errorf("only %d were tried", tried)
	}
}

// TestWhatIsNoTOMLIsSaidInOurWords, with its place.
func TestWhatIsNoTOMLIsSaidInOurWords(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"theme", "theme =", "theme = dark", "= 1", "theme = \"dark", "theme = 'dark\n'", "[", "[reveal", "[reveal]]", "[[reveal]", "[]", "theme = [1", "a = {b = 1", "a..b = 1", "theme = \"\\q\"", "theme = \"\\uD800\"",
		"mouse = treu", "reveal.seconds = 1__0", "reveal.seconds = 01", "reveal.seconds = 0x", "reveal.seconds = 99999999999999999999", "reveal.seconds = 1e", "reveal.seconds = +-1", "reveal.seconds = 1 2", "x = 1979-13-45",
		"theme = 'a'\ntheme = 'b'", "[reveal]\n[reveal]", "reveal = 1\n[reveal]", "\x00", "theme = \"\x01\"", "\xff\xfe", "theme = \"\xff\"", "<<<<<<< HEAD", "{\"theme\": 1}", "theme: dark",
	} {
		_, err := config.Parse("config.toml", []byte(text))
		if err == nil {
			t.Errorf("%q is taken", text)
			continue
		}
		if said := strings.TrimPrefix(err.Error(), "config.toml:"); internal.MatchString(said) || strings.ContainsAny(said, "\n\x1b\x00") || !utf8.ValidString(said) || said == err.Error() {
			t.Errorf("%q: %q", text, said)
		}
	}
}
