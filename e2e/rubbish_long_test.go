//go:build long

package e2e

import (
	"regexp"
	"strings"
	"testing"
)

// internal are words of the libraries beneath that no person should read.
var internal = regexp.MustCompile(`strconv|missing unit|unknown unit|invalid (syntax|argument|duration|control)|parsing|json:|toml:|time:|unmarshal|out of range|%!|regexp|<nil>|runtime error`)

// TestNoFieldAnswersRubbishInWordsOfALibrary: whatever is typed or pasted into a
// field is taken, ignored, or refused in this program's own words.
func TestNoFieldAnswersRubbishInWordsOfALibrary(t *testing.T) {
	t.Parallel()
	values := []string{"x", "1e400", strings.Repeat("9", 60), "%zz://[::1", "/[/", `a=b=c,,="`, "\x1b[31m٣", "/no/such/file.csv", " bal<x last<9y age<1 amt>1e9 type=x foo=bar"}
	for name, open := range sampled(map[string][]string{
		"issue": {"n", "enter"}, "edit": {"e"}, "fund": {"+"}, "withdraw": {"-"}, "webhook": {"w", "n"}, "many": {"N"},
		"edit several": {"space", "space", "e"}, "fund several": {"space", "space", "+"}, "filter": {"/"}, "feed": {"3", "/"}, "history": {"H", "/"}, "commands": {"ctrl+p"}, "terminate": {"ctrl+x"},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(t, options{w: 80, h: 24, read: func(string) ([]byte, error) { return []byte("bin_id,amount\nx,1e400\n\"\n"), nil }}, func(d *driver) {
				d.press(open...)
				for range 8 { // At least all of the fields.
					for _, value := range values {
						d.paste(value)
						if found := internal.FindString(d.said()); found != "" {
							d.t.Fatalf("%q is answered with %q:\n%s", value, found, d.screen())
						}
						d.send("\x15") // ctrl+u takes it away again.
					}
					d.press("tab")
				}
			})
		})
	}
}
