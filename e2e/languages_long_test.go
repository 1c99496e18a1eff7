//go:build long

package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/internal/nighttest"
)

var (
	// latin are words of the Latin alphabet.
	latin = regexp.MustCompile(`[A-Za-z]{3,}`)
	// things are ids, addresses of wallets and of services, files, what stands in quotes, and
	// words that are cut, perhaps at both ends.
	things = regexp.MustCompile(`req_\S*|https?://\S*|\S{20,}|\S+\.(toml|csv|json|com|org)\b|«[^»]*»|"[^"]*"|\pL+…`)
)

// kept are words that every language has in Latin letters: names on the keyboard, of the
// trade, of things, and of the accounts of the tests.
func kept() []string {
	return strings.Fields(`
		enter esc tab shift ctrl space backspace alt pgup pgdn pgdown home end delete up down left right
		bins cardtop API URL USD PAN CVV BIN BINs MCC CSV TSV JSON HTTPS HTTP UTC SSH TOML GET POST VISA BTC ETH USDT SOL TRC ERC BEP TRON Solana Bitcoin Ethereum Tether
		visa mastercard Visa Mastercard demo ann team agency http https reports sort the pass show
		doctor curl Authorization Bearer CARDTOP KEY Idempotency Key true`)
}

// codeWords are words of the filter language, of events of webhooks, and of settings and
// columns as the configuration has them: a person types them.
func codeWords() []string {
	words := strings.Fields(`bal status amt type label last campaign age used spent month active frozen terminated declined settlement authorization refund state declines burn auto live dark light
		created unfrozen funded authorized settled refunded challenge deposit confirmed`)
	for _, s := range config.Reference() {
		words = append(words, latin.FindAllString(s.Name, -1)...)
	}
	return words
}

// overheard keeps the words that the service sends.
type overheard struct {
	mu   sync.Mutex
	said map[string]bool
	// addresses are those words of them that are of addresses of wallets: the screen shows
	// these in parts.
	addresses map[string]bool
	next      http.RoundTripper
}

func (o *overheard) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := o.next.RoundTrip(r)
	if err != nil {
		return res, err
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close() // It was read.
	o.mu.Lock()
	for _, word := range latin.FindAllString(string(body), -1) {
		o.said[word] = true
		o.addresses[word] = o.addresses[word] || strings.Contains(r.URL.Path, "address")
	}
	o.mu.Unlock()
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, err
}

// english are the words on the screen that are neither kept nor the service's.
func (o *overheard) english(text string) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var words []string
	known := append(kept(), codeWords()...)
	for _, word := range latin.FindAllString(things.ReplaceAllString(text, " "), -1) {
		if !o.said[word] && !slices.Contains(known, word) && !slices.Contains(words, word) && !o.begins(word) {
			words = append(words, word)
		}
	}
	return words
}

// begins reports whether a word is a part of one, cut by a column or by a box
// over it, or shown in parts.
func (o *overheard) begins(word string) bool {
	for whole := range o.said {
		if strings.HasPrefix(whole, word) || strings.HasSuffix(whole, word) || o.addresses[whole] && strings.Contains(whole, word) {
			return true
		}
	}
	return false
}

// untranslated are screens that show what other layers say, in English: mistakes of the
// configuration file and why a key cannot be read, which scripts print too.
func untranslated() []string { return []string{"configuration", "all accounts", "all-accounts"} }

// drawn are the screens with a golden of each language, at 80x24.
func drawn() []string {
	return []string{"cards", "inspector", "help", "amount", "confirm", "history"}
}

// inLanguage holds that a screen fits and has no English word, and that some look as they
// did.
func inLanguage(t *testing.T, language, name string, size [2]int, o options, open func(d *driver)) {
	t.Helper()
	o.w, o.h, o.language = size[0], size[1], language
	heard := &overheard{said: make(map[string]bool), addresses: make(map[string]bool)}
	through := o.through
	o.through = func(next http.RoundTripper) http.RoundTripper {
		if through != nil {
			next = through(next)
		}
		heard.next = next
		return heard
	}
	story(t, o, func(d *driver) {
		open(d)
		d.wait(1150 * time.Millisecond)
		if w, h := d.term.vt.Size(); w == size[0] && h == size[1] { // Some are of a size of their own.
			d.fits(w, h)
		}
		if words := heard.english(d.screen()); len(words) > 0 && !slices.Contains(untranslated(), name) {
			t.Errorf("%s speaks English: %s\n%s", name, strings.Join(words, " "), d.screen())
		}
		if size == [2]int{80, 24} && o.read == nil && slices.Contains(drawn(), name) {
			d.golden(filepath.Join(language, name+"-80x24"))
		}
	})
}

// TestScreensSpeakTheLanguageOfTheUser draws every screen and dialog in each language: at
// each size with the tag night, else at one size each.
func TestScreensSpeakTheLanguageOfTheUser(t *testing.T) {
	t.Parallel()
	for _, language := range lang.Names()[1:] {
		sizes := [][2]int{{160, 45}, {80, 24}, {40, 12}}
		for at, size := range sizes {
			left := func(i int) bool { return !nighttest.On && i%len(sizes) != at }
			for i, s := range screens() {
				if golden := size == [2]int{80, 24} && slices.Contains(drawn(), s.name); left(i) && !golden {
					continue
				}
				t.Run(fmt.Sprintf("%s %s %dx%d", language, s.name, size[0], size[1]), func(t *testing.T) {
					t.Parallel()
					inLanguage(t, language, s.name, size, options{}, func(d *driver) { d.press(s.keys...) })
				})
			}
			for i, s := range surfaces() {
				if left(i) {
					continue
				}
				t.Run(fmt.Sprintf("%s %s %dx%d", language, s.name, size[0], size[1]), func(t *testing.T) {
					t.Parallel()
					bad := func(string) ([]byte, error) { return []byte("bin_id,amount\n424242,five\n"), nil }
					inLanguage(t, language, s.name, size, options{read: bad, change: s.change, others: s.others, through: s.through()}, s.open)
				})
			}
		}
	}
}
