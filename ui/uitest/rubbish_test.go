package uitest

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// internal are words of the libraries beneath that no person should read.
var internal = regexp.MustCompile(`strconv|missing unit|unknown unit|invalid (syntax|argument|duration|control)|parsing|json:|toml:|time:|unmarshal|out of range|%!|regexp|<nil>|runtime error`)

// TestNoFieldAnswersRubbishInWordsOfALibrary: whatever is typed or pasted into a
// field is taken, ignored, or refused in this program's own words.
func TestNoFieldAnswersRubbishInWordsOfALibrary(t *testing.T) {
	t.Parallel()
	values := []string{"x", "-1", "1e400", "1d1", "NaN", strings.Repeat("9", 60), "%zz://[::1", "[(", "/[/", `"`, "a=b=c,,=", "\x1b[31m", "٣", "/no/such/file.csv", "bal<x last<9y age<1 amt>1e9 type=x foo=bar"}
	for name, open := range map[string][]string{
		"issue": {"n", "enter"}, "edit": {"e"}, "fund": {"+"}, "withdraw": {"-"}, "webhook": {"w", "n"}, "many": {"N"},
		"edit several": {"space", "j", "space", "e"}, "fund several": {"space", "j", "space", "+"}, "filter": {"/"}, "feed": {"3", "/"}, "history": {"H", "/"}, "commands": {"ctrl+p"}, "terminate": {"ctrl+x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(t, options{read: func(string) ([]byte, error) { return []byte("bin_id,amount\nx,1e400\n\"\n"), nil }}, func(d *driver) {
				d.press("1")
				for _, value := range values {
					for range 8 {
						d.press("esc")
					}
					d.press("1")
					d.wait(time.Second)
					d.press(open...)
					for range 8 {
						d.paste(value)
						if found := internal.FindString(d.said()); found != "" {
							d.t.Fatalf("%q is answered with %q:\n%s", value, found, d.screen())
						}
						d.press("tab")
					}
					d.press("enter")
					if found := internal.FindString(d.said()); found != "" {
						d.t.Fatalf("%q is answered with %q:\n%s", value, found, d.screen())
					}
				}
			})
		})
	}
}
