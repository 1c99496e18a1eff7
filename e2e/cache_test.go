package e2e

import (
	"bytes"
	"errors"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/cache"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/ui"
)

// run is one of several sessions with the same world and the same cache.
type run struct {
	options
	key    string // of the cache; the world's when empty
	fails  error  // what saving ends in
	saves  *int   // counts them
	frozen bool   // nothing is kept of this session
	tell   func(*driver)
}

// sessions runs one session after another, an hour apart, each quit by its
// key. A session's story begins with the first frame.
func sessions(t *testing.T, folder string, runs ...run) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		for _, r := range runs {
			account := cache.Account{Origin: "http://localhost:80", Mode: "TEST", Key: api.NewAPIKey(testKey)}
			if r.key != "" {
				account.Key = api.NewAPIKey(r.key)
			}
			kept := cache.Open(folder, account)
			r.data = filepath.Join(folder, "world.db")
			r.change = func(c *ui.Config) {
				if snap, _, err := kept.Load(c.Now(), math.MaxInt); err == nil {
					c.Store.Recall(snap)
				}
				c.Keep = func(snap state.Snapshot) error {
					if r.saves != nil {
						*r.saves++
					}
					if r.fails != nil {
						return r.fails
					}
					return kept.Save(snap)
				}
				if r.frozen {
					c.Keep = nil
				}
			}
			session(t, r)
			time.Sleep(time.Hour) //nolint:forbidigo // virtual time in a bubble
		}
	})
}

func session(t *testing.T, r run) {
	t.Helper()
	d, stop := start(t, r.options)
	defer stop()
	d.wait(150 * time.Millisecond)
	r.tell(d)
	d.press("q")
	if err := errors.Join(<-d.done, d.app.KeepLast()); err != nil && !errors.Is(err, r.fails) {
		t.Error(err)
	}
	d.done <- nil
}

// live waits for a session's first answers.
func live(d *driver) {
	d.wait(3 * time.Second)
	d.see("● live")
	d.seeNot("cached", "last run")
}

func TestAStartShowsWhatTheLastRunKnewWhileTheServerIsDown(t *testing.T) {
	t.Parallel()
	var id, label, balance string
	folder := t.TempDir()
	sessions(t, folder,
		run{tell: func(d *driver) {
			d.seeNot("cached", "last run")
			live(d)
			c := d.pick()
			id, label, balance = c.id, c.label, strings.TrimPrefix(money(c.balance), "$")
		}},
		run{options: options{down: true}, tell: func(d *driver) {
			d.see("1 Cards  50", "cached 1h", "wallet $12,480.22 cached 1h", "3 Transactions  from the last run", label, balance, "spent 24h ≥$")
			d.seeNot("● live", "STALE", "2 Codes  ")
			for _, lane := range []string{"1 Cards", "3 Transactions", "4 Wallet"} {
				if foot := d.foot(lane); !strings.Contains(foot, "cached 1h") {
					t.Errorf("%s ends in %s", lane, foot)
				}
			}
			d.wait(time.Minute)
			d.see("OFFLINE since", "cached 1h", label)
			d.press("1", "+")
			d.see("is not read yet: what is shown of it is from the last run")
			d.seeNot("amount  $")
			d.press("-")
			d.seeNot("amount  $")
			d.press("enter")
			d.see("balance", "  from the last run", "not loaded: ")
			d.press("esc")
			d.requests(0, "/fund", "/withdraw")
			// Meanwhile a card is renamed, and the server comes back.
			d.api(http.MethodPatch, "/cards/"+id, map[string]any{"label": "renamed/meanwhile"})
			d.calls.setDown(false)
			d.wait(31 * time.Second)
			live(d)
			d.press("/")
			for _, r := range "renamed" {
				d.press(string(r))
			}
			d.press("enter")
			d.see("renamed/meanwhile", "3 Transactions  live")
			d.press("+", "5")
			d.see("amount", "$12,480.22 → $12,475.22")
			d.press("esc", "esc")
		}},
		run{options: options{down: true}, tell: func(d *driver) {
			d.see("1 Cards  50", "cached 1h", "renamed/meanwhile")
		}},
	)
}

func TestAFreezeNeedsNoLiveCard(t *testing.T) {
	t.Parallel()
	var id string
	sessions(t, t.TempDir(),
		run{tell: func(d *driver) { live(d); id = d.pick().id }},
		run{tell: func(d *driver) {
			d.press("/")
			d.control(http.MethodPost, "/sandbox/faults", map[string]any{"route": "GET /cards", "kind": "server_error", "times": 100})
			for _, digit := range text(d.t, d.api(http.MethodGet, "/cards/"+id, nil)["last4"]) {
				d.press(string(digit))
			}
			d.press("enter", "f")
			d.wait(time.Second)
			d.hasStatus(id, "frozen")
		}},
	)
}

func TestACardThatIsGoneLeavesWithTheFirstSweep(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	kept := cache.Open(folder, cache.Account{Origin: "http://localhost:80", Mode: "TEST", Key: api.NewAPIKey(testKey)})
	at := time.Date(1999, 12, 31, 12, 0, 0, 0, time.UTC) // A bubble's time begins with 2000.
	err := kept.Save(state.Snapshot{At: at, CardsAt: at, Cards: cardlist.ListOf(cardlist.Card{ID: "card_of_another", Label: "aaa/vanished", Last4: "1234", Status: api.CardActive})})
	must(t, err)
	sessions(t, folder,
		run{options: options{down: true}, tell: func(d *driver) {
			d.see("aaa/vanished", "1 Cards  1 ")
			d.calls.setDown(false)
			d.wait(31 * time.Second)
			live(d)
			d.seeNot("aaa/vanished")
			d.see("1 Cards  50")
		}},
	)
}

func TestACacheOfAnotherKeyIsIgnored(t *testing.T) {
	t.Parallel()
	sessions(t, t.TempDir(),
		run{tell: live},
		run{options: options{down: true}, key: "sk_test_another", tell: func(d *driver) {
			d.seeNot("cached", "••••", "$12,480.22")
		}},
		run{options: options{down: true}, tell: func(d *driver) { d.see("cached 2h", "••••") }},
	)
}

func TestWhatIsLiveIsKeptAndHalfAListIsNot(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "cache.bin")
	written := func() string {
		data, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return string(data)
	}
	saves := 0
	sessions(t, folder,
		run{options: options{down: true}, tell: func(d *driver) { d.wait(10 * time.Second) }},
		run{options: options{down: true, live: true}, saves: &saves, tell: func(d *driver) {
			d.wait(5 * time.Second)
			if written() != "" {
				t.Error("something was kept before anything was read")
			}
			d.calls.setDown(false)
			d.wait(5 * time.Second)
			live(d)
			first := written()
			if first == "" {
				t.Fatal("the first list is not kept")
			}
			id := d.pick().id
			d.press("f")
			d.wait(30 * time.Second)
			if got := d.status(id); got != "frozen" || written() != first {
				t.Errorf("%s, and it was kept again within a minute: %v", got, written() != first)
			}
			d.wait(30 * time.Second)
			second := written()
			if second == first {
				t.Error("a change was not kept for a minute")
			}
			if saves != 2 {
				t.Errorf("%d saves in a minute of traffic", saves)
			}
		}},
		run{frozen: true, tell: func(d *driver) {
			before := written()
			live(d)
			d.press("f")
			if written() != before {
				t.Error("it is written although nothing is to be kept")
			}
		}},
	)
}

func TestAFailingSaveIsToldOnce(t *testing.T) {
	t.Parallel()
	saves := 0
	sessions(t, t.TempDir(), run{fails: errors.New("no space left on device"), saves: &saves, tell: func(d *driver) {
		d.wait(time.Second)
		d.see("the next start will not have this list at once: no space left on device")
		d.wait(20 * time.Second)
		d.seeNot("no space left")
		d.wait(42 * time.Second)
		d.seeNot("no space left")
		if saves != 2 {
			t.Errorf("%d saves in a minute", saves)
		}
	}})
}

// TestTheCacheHoldsNoSecret shows codes, reveals and copies a card, and looks
// through what is kept.
func TestTheCacheHoldsNoSecret(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var secrets []string
	sessions(t, folder, run{options: options{live: true}, tell: func(d *driver) {
		live(d)
		c := d.pick()
		details := d.api(http.MethodGet, "/cards/"+c.id+"/details", nil)
		pan, cvv, holder := text(t, details["pan"]), text(t, details["cvv"]), text(t, details["holder_name"])
		number := strings.Join([]string{pan[:4], pan[4:8], pan[8:12], pan[12:]}, " ")
		secrets = append(secrets, pan, number, pan[4:], holder, testKey, testKey[8:])
		d.control(http.MethodPost, "/sandbox/challenges", map[string]any{"card_id": c.id, "merchant": "Acme Store", "amount": 25, "otp": "482913"})
		d.wait(2 * time.Second)
		d.press("o", "r", "r")
		d.see(number, "CVV  "+cvv)
		d.press("y", "y", "y", "+", "5", "enter", "+")
		d.wait(time.Second)
		d.see("funded")
		for _, c := range objects(t, d.api(http.MethodGet, "/3ds", nil)["data"]) {
			secrets = append(secrets, text(t, c["otp"]), text(t, c["id"]))
		}
		secrets = append(secrets, "482913", "\""+cvv, "key-1")
	}})
	data, err := os.ReadFile(filepath.Join(folder, "cache.bin"))
	if err != nil || !bytes.Contains(data, []byte("card_")) || len(secrets) < 12 {
		t.Fatalf("%d bytes, %d secrets, %v", len(data), len(secrets), err)
	}
	for i, secret := range secrets {
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("secret %d, of %d characters, is in the cache", i, len(secret))
		}
	}
}

// foot gives the lower border of the pane of a title.
func (d *driver) foot(title string) string {
	d.t.Helper()
	lines := strings.Split(d.screen(), "\n")
	for y, l := range lines {
		before, _, ok := strings.Cut(l, title)
		if !ok {
			continue
		}
		x := len([]rune(before))
		for _, below := range lines[y+1:] {
			cells := []rune(below)
			from := max(0, x-2)
			if from < len(cells) && cells[from] == '╰' {
				foot, _, _ := strings.Cut(string(cells[from:]), "╯")
				return foot
			}
		}
	}
	d.t.Fatalf("no pane %s:\n%s", title, d.screen())
	return ""
}
