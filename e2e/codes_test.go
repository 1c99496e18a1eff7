package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestTheNewestCodeIsSeenWhereverTheOthersScroll: `o` copies what is on the screen.
func TestTheNewestCodeIsSeenWhereverTheOthersScroll(t *testing.T) {
	t.Parallel()
	for _, size := range sizes {
		story(t, options{w: size[0], h: size[1]}, func(d *driver) {
			c := d.pick()
			for i := range 12 {
				d.challenge(c.id, fmt.Sprintf("Shop %d", i), fmt.Sprintf("9182%02d", 30+i), 1)
				d.wait(time.Second)
			}
			d.wait(2 * time.Second)
			d.press("2")
			newest := "918 241"
			for _, key := range []string{"G", "k", "ctrl+u", "j", "G", "g", "j"} {
				d.press(key)
				rows := 0
				for _, l := range strings.Split(d.screen(), "\n") {
					if strings.Contains(l, "│") && strings.Contains(l, newest) {
						rows++
					}
				}
				if rows != 1 {
					t.Fatalf("%v, %s: the newest code is in %d rows:\n%s", size, key, rows, d.screen())
				}
			}
			d.press("G", "o")
			if got := d.board.Text(); got != strings.ReplaceAll(newest, " ", "") {
				t.Errorf("%v: copied %q", size, got)
			}
		})
	}
}

// TestACodeThatEndsSoonIsMarked in its row, in the strip and where it is large.
func TestACodeThatEndsSoonIsMarked(t *testing.T) {
	t.Parallel()
	for _, size := range sizes {
		story(t, options{w: size[0], h: size[1]}, func(d *driver) {
			c := d.pick()
			d.press("a")
			d.challenge(c.id, "Acme", "918273", 1)
			d.wait(4*time.Minute + 11*time.Second)
			d.see("918 273", " !0:4", " left")
			d.press("2")
			d.see(" !0:4")
			d.wait(33 * time.Second)
			d.see(" !!0:1")
			d.press("1")
			if n := strings.Count(d.screen(), " !!0:1"); n != 2 {
				t.Errorf("%v: it is marked in %d places:\n%s", size, n, d.screen())
			}
		})
	}
}

// TestARowOfACodeTellsTheCardAndWhatSpeaksAgainstIt: in words where there is room
// for them, and at least by a mark and the last digits.
func TestARowOfACodeTellsTheCardAndWhatSpeaksAgainstIt(t *testing.T) {
	t.Parallel()
	for _, size := range sizes {
		story(t, options{w: size[0], h: size[1]}, func(d *driver) {
			c := d.pick()
			d.challenge(c.id, "Acme Store", "111111", 1)
			d.wait(time.Second)
			d.challenge(c.id, "Acme Store", "222222", 1)
			d.wait(time.Second)
			d.challenge(c.id, "Google Ads", "333333", 99999)
			d.wait(time.Second)
			d.challenge(c.id, "Google Ads", "444444", 1)
			d.wait(2 * time.Second)
			d.press("2")
			row := func(code string) string {
				for _, l := range strings.Split(d.screen(), "\n") {
					if _, row, ok := strings.Cut(l, code); ok && strings.Contains(l, "│") {
						return row
					}
				}
				t.Fatalf("%v: no row of %s:\n%s", size, code, d.screen())
				return ""
			}
			digits, older, name := "••"+c.last4, "replaced ", c.name // The label gives way behind a mark.
			if size[0] == 40 {
				older, name = "?"+digits, digits
			}
			for code, want := range map[string]string{"111 111": older, "222 222": " " + name, "444 444": " " + name, "333 333": older} {
				if got := row(code); !strings.Contains(got, want) || !strings.Contains(got, digits) {
					t.Errorf("%v: the row of %s lacks %q: %s", size, code, want, got)
				}
			}
			if row := row("333 333"); !strings.Contains(row, "$99,999.00") || size[0] > 40 && !strings.Contains(row, "Google Ads") {
				t.Errorf("%v: %s", size, row)
			}
		})
	}
}

// TestOneLongMarkCutsNoMerchant: behind a mark the label gives way, in its own row.
func TestOneLongMarkCutsNoMerchant(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		for _, otp := range []string{"111111", "222222"} {
			d.challenge(c.id, "Meta Platforms Ireland", otp, 99999)
			d.wait(time.Second)
		}
		d.wait(time.Second)
		for _, code := range []string{"111 111", "222 222"} {
			if row := d.line(code); !strings.Contains(row, "Meta Platforms Ireland ") || !strings.Contains(row, "••"+c.last4) {
				t.Errorf("cut: %s", row)
			}
		}
		if row := d.line("222 222"); !strings.Contains(row, "$99,599 short ") {
			t.Errorf("unmarked: %s", row)
		}
	})
}

// TestTheStripTellsWhoseCodeItIsAtEveryWidth, and what speaks against it.
func TestTheStripTellsWhoseCodeItIsAtEveryWidth(t *testing.T) {
	t.Parallel()
	story(t, options{w: 80, h: 24}, func(d *driver) {
		c := d.pick()
		d.challenge(c.id, "Acme Store", "482913", 849)
		d.wait(2 * time.Second)
		for w := 80; w >= 40; w-- {
			d.resize(w, 14)
			strip := strings.Split(d.screen(), "\n")[1]
			for _, want := range []string{"482 913", "$449 short", "Acme", "••" + c.last4} {
				if !strings.Contains(strip, want) {
					t.Errorf("at %d cells the strip lacks %q: %s", w, want, strip)
				}
			}
			if w >= 60 && (!strings.Contains(strip, "Acme Store") || !strings.Contains(strip, "$849.00")) {
				t.Errorf("at %d cells: %s", w, strip)
			}
		}
	})
}

// TestACodeOfAStatusNobodyKnowsIsShownWithIt.
func TestACodeOfAStatusNobodyKnowsIsShownWithIt(t *testing.T) {
	t.Parallel()
	for _, size := range sizes {
		troubled(t, options{w: size[0], h: size[1]}, func(d *driver, g *gate) {
			g.set(reworded(`"status":"pending"`, `"status":"awaiting_input"`))
			c := d.pick()
			d.challenge(c.id, "Acme Store", "482913", 1)
			d.wait(2 * time.Second)
			d.see("482 913", "awaiting")
			d.press("o")
			d.onClipboard("482913")
		})
	}
}

// reworded changes a text in the answers about challenges.
func reworded(from, to string) way {
	return func(r *http.Request, server http.RoundTripper) (*http.Response, error) {
		res, err := server.RoundTrip(r)
		if err != nil || !strings.Contains(r.URL.Path, "/3ds") {
			return res, err
		}
		body, err := io.ReadAll(res.Body)
		if err != nil {
			return nil, err
		}
		body = bytes.ReplaceAll(body, []byte(from), []byte(to))
		return response(r, res.StatusCode, res.Header, io.NopCloser(bytes.NewReader(body)), int64(len(body))), nil
	}
}
