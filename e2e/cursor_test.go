package e2e

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/nighttest"
	"github.com/cardtop/cardtop/internal/vault"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/ui"
)

// TestKeysActOnTheCardThatIsSeen types at random while the list sorts,
// filters and is read anew, and the account changes under it, most of all the
// card under the cursor and right before a key. Whatever is sent is about the
// card that was under the cursor on the screen that was drawn before the key.
//
// PROOF_KEYS=100000 go test -tags long -run KeysActOnTheCard ./e2e presses so many.
func TestKeysActOnTheCardThatIsSeen(t *testing.T) { //nolint:tparallel // the group is waited for
	t.Parallel()
	keys, parts := 150, 1
	if nighttest.On {
		keys = 1500
	}
	if text := os.Getenv("PROOF_KEYS"); text != "" {
		n, err := strconv.Atoi(text)
		must(t, err)
		keys, parts = n, 20
	}
	var mu sync.Mutex
	var all pressed
	t.Run("all", func(t *testing.T) {
		for part := range parts {
			t.Run(strconv.Itoa(part), func(t *testing.T) {
				t.Parallel()
				var got pressed
				synctest.Test(t, func(t *testing.T) { got = typeAtRandom(t, uint64(part), keys/parts) })
				mu.Lock()
				defer mu.Unlock()
				all.keys, all.right, all.wrote, all.refused, all.left = all.keys+got.keys, all.right+got.right, all.wrote+got.wrote, all.refused+got.refused, all.left+got.left
			})
		}
	})
	t.Logf("%d of %d keys did nothing or what was under the cursor: %d writes sent, %d cards left from under it, %d keys refused for it",
		all.right, all.keys, all.wrote, all.left, all.refused)
	if all.right != all.keys || all.keys < keys || all.wrote < keys/50 || all.left == 0 || all.refused == 0 {
		t.Error("a key acted on another card, or too little was tried")
	}
}

// pressed counts keys and what came of them.
type pressed struct{ keys, right, wrote, refused, left int }

// account is a server's cards that change between any two requests.
type account struct {
	mu    sync.Mutex
	rng   *rand.Rand
	cards []api.CardItem
	made  int
	spoil api.CardID // changed by the next list
	// still says that nobody else is at work but who freezes a card.
	still  bool
	freeze api.CardID
	told   chan struct{}
	did    []state.Op
}

func newAccount(seed uint64) *account {
	a := &account{rng: rand.New(rand.NewPCG(3, seed)), told: make(chan struct{}, 1)}
	for range 24 {
		a.add()
	}
	return a
}

// add issues a card. Its label tells it from all others.
func (a *account) add() {
	a.made++
	a.cards = append(a.cards, api.CardItem{
		ID: api.CardID(fmt.Sprintf("card_%05d", a.made)), BIN: "424242", Network: "visa", Last4: api.Text(fmt.Sprintf("%04d", a.made%10_000)),
		Status: api.CardActive, Balance: api.USD(1+a.rng.IntN(90_000)) * api.Cent, Label: api.Text(fmt.Sprintf("%c/n%05d", 'a'+a.rng.IntN(6), a.made)),
	})
}

// change has merchants and other people at work.
func (a *account) change() {
	if at := slices.IndexFunc(a.cards, func(c api.CardItem) bool { return c.ID == a.freeze }); at >= 0 {
		a.cards[at].Status = api.CardFrozen
	}
	if a.still {
		return
	}
	for range 6 {
		c := &a.cards[a.rng.IntN(len(a.cards))]
		switch a.rng.IntN(4) {
		case 0:
			c.Status = []api.CardStatus{api.CardActive, api.CardFrozen}[a.rng.IntN(2)]
		case 1:
			a.add()
		default:
			c.Balance = api.USD(1+a.rng.IntN(90_000)) * api.Cent
		}
	}
	if at := slices.IndexFunc(a.cards, func(c api.CardItem) bool { return c.ID == a.spoil }); at >= 0 {
		a.cards[at].Status = api.CardTerminated
	}
	a.spoil = ""
	if len(a.cards) > 40 { // Some are listed no more.
		a.cards = slices.Delete(a.cards, 0, 16)
	}
}

// run answers an effect.
func (a *account) run(e kernel.Effect) kernel.Event {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := kernel.Meta{Sent: clock(), At: clock()}
	switch e := e.(type) {
	case state.FetchCards:
		a.change()
		select {
		case a.told <- struct{}{}:
		default:
		}
		return state.CardsLoaded{FetchCards: e, Meta: m, Items: slices.Clone(a.cards), TotalPages: 1, Total: len(a.cards)}
	case wallets.Fetch:
		return wallets.Loaded{Fetch: e, Meta: m, Wallet: api.Wallet{Balance: 500_000 * api.Dollar}}
	case codes.Fetch:
		return codes.Loaded{Fetch: e, Meta: m}
	case txns.Fetch:
		return txns.Loaded{Fetch: e, Meta: m}
	case wallets.FetchDeposits:
		return wallets.DepositsLoaded{FetchDeposits: e, Meta: m}
	case state.FetchCardTransactions:
		return state.CardTransactionsLoaded{FetchCardTransactions: e, Meta: m}
	case state.Do:
		a.did = append(a.did, e.Op)
		return state.OpDone{Meta: m, Op: e.Op.ID, Card: e.Op.Card}
	default:
		return state.FetchFailed{Meta: m, Effect: e, Err: errors.New("it is not known here")}
	}
}

// took gives the writes since it was asked last.
func (a *account) took() []state.Op {
	a.mu.Lock()
	defer a.mu.Unlock()
	did := a.did
	a.did = nil
	return did
}

// hand runs the program without a terminal, and draws when it is told to.
type hand struct {
	t     *testing.T
	acc   *account
	app   *ui.App
	msgs  chan tea.Msg
	frame []string
}

func newHand(t *testing.T, acc *account) *hand {
	t.Helper()
	n := 0
	store := state.New(settings.Config{
		Screen: &settings.Screen{},
		NewKey: func() api.IdempotencyKey { n++; return api.IdempotencyKey(strconv.Itoa(n)) },
		Rand:   func() float64 { return 0.5 },
	})
	held := &vault.Vault{}
	app, err := ui.New(ui.Config{
		Store: store, Vault: held,
		Effects:  engine.NewExecutor(engine.ExecutorConfig{Run: acc.run, Vault: held, Board: clipboard.NewFake(clock), Now: clock}),
		Settings: ui.Settings{Keys: keymap.New(keymap.Defaults()), Reloadable: settings.Reloadable{Theme: "plain"}}, Mode: ui.Sandbox, Profile: "demo", Now: clock,
	})
	must(t, err)
	h := &hand{t: t, acc: acc, app: app, msgs: make(chan tea.Msg)}
	h.start(app.Init())
	h.update(tea.WindowSizeMsg{Width: 160, Height: 45})
	return h
}

func (h *hand) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				h.start(c)
			}
		default:
			h.msgs <- msg
		}
	}()
}

func (h *hand) update(msg tea.Msg) {
	_, cmd := h.app.Update(msg)
	h.start(cmd)
}

// wait lets the program go on for a time.
func (h *hand) wait(span time.Duration) {
	timer := time.NewTimer(span)
	defer timer.Stop()
	for {
		select {
		case msg := <-h.msgs:
			h.update(msg)
		case <-timer.C:
			return
		}
	}
}

// untilRead waits for the next list of cards to be answered, which is not
// taken in yet.
func (h *hand) untilRead() {
	select {
	case <-h.acc.told:
	default:
	}
	for end := clock().Add(15 * time.Second); clock().Before(end); {
		select {
		case <-h.acc.told:
			return
		case msg := <-h.msgs:
			h.update(msg)
		}
	}
}

func (h *hand) press(msg tea.KeyPressMsg) { h.update(msg) }

func letter(r rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: r, Text: string(r)} }

var (
	enterKey = tea.KeyPressMsg{Code: tea.KeyEnter}
	escKey   = tea.KeyPressMsg{Code: tea.KeyEscape}
	tabKey   = tea.KeyPressMsg{Code: tea.KeyTab}
	ctrlX    = tea.KeyPressMsg{Code: 'x', Mod: tea.ModCtrl}
)

// look draws the screen.
func (h *hand) look() {
	h.frame = strings.Split(ansi.Strip(strings.Join(h.app.Frame().Lines, "\n")), "\n")
}

func (h *hand) shows(text string) bool {
	return slices.ContainsFunc(h.frame, func(l string) bool { return strings.Contains(l, text) })
}

var labelled = regexp.MustCompile(`^│▸.* [a-f]/n(\d{5}) `)

// seen is the card under the cursor of the list as it was drawn last.
func (h *hand) seen() api.CardID {
	for _, l := range h.frame {
		if m := labelled.FindStringSubmatch(l); m != nil {
			return api.CardID("card_" + m[1])
		}
	}
	return ""
}

// typeAtRandom presses keys and holds what is sent against what was seen.
func typeAtRandom(t *testing.T, seed uint64, keys int) (got pressed) {
	t.Helper()
	acc := newAccount(seed)
	h, rng := newHand(t, acc), rand.New(rand.NewPCG(9, seed))
	h.wait(3 * time.Second)
	moves := []tea.KeyPressMsg{letter('j'), letter('k'), letter('j'), letter('g'), letter('G'), letter('s'), {Code: tea.KeyPgDown}}
	fill := func(text string) {
		for _, r := range text {
			h.press(letter(r))
			got.keys++
			h.wait(50 * time.Millisecond)
		}
	}
	one := func(k tea.KeyPressMsg) {
		h.press(k)
		got.keys++
		h.wait(time.Duration(200+rng.IntN(900)) * time.Millisecond)
	}
	wrong := 0
	for got.keys < keys {
		if rng.IntN(12) == 0 { // Filter anew, or by nothing.
			one(letter('/'))
			one(escKey)
			if rng.IntN(6) > 0 {
				one(letter('/'))
				fill([]string{"active", "active", "active", "frozen", "a/n"}[rng.IntN(5)])
				one(enterKey)
			}
		}
		for range rng.IntN(4) {
			one(moves[rng.IntN(len(moves))])
		}
		h.wait(time.Duration(750+rng.IntN(400)) * time.Millisecond)
		h.look()
		want := h.seen()
		before := acc.took()
		if len(before) > 0 {
			wrong++
			t.Errorf("%v were sent without being asked for", before)
		}
		if rng.IntN(2) == 0 { // The account changes between the look and the key.
			acc.mu.Lock()
			acc.spoil = want
			acc.mu.Unlock()
			h.untilRead()
			h.look()
			if want = h.seen(); rng.IntN(4) > 0 {
				h.wait(time.Duration(1+rng.IntN(60)) * time.Millisecond)
			}
		}
		wrong += h.act(rng, want, &got, one, fill)
	}
	got.right = got.keys - wrong
	h.wait(2 * time.Second)
	go func() { // What is under way ends.
		for range h.msgs {
		}
	}()
	h.drain()
	return got
}

// drain waits until no timer is left, and lets what waits go.
func (h *hand) drain() {
	time.Sleep(time.Minute) //nolint:forbidigo // virtual time in a bubble
	synctest.Wait()
	close(h.msgs)
}

// act presses a key that writes, goes through what it asks, and counts what
// was sent about another card than the one that was seen.
func (h *hand) act(rng *rand.Rand, want api.CardID, got *pressed, one func(tea.KeyPressMsg), fill func(string)) (wrong int) {
	kind := rng.IntN(5)
	h.press([]tea.KeyPressMsg{letter('f'), letter('+'), letter('-'), letter('e'), ctrlX}[kind])
	got.keys++
	h.wait(time.Duration(200+rng.IntN(300)) * time.Millisecond)
	h.look()
	if h.shows("another card came") {
		got.refused++
		got.left++
	}
	// A list that is read changes the rows below a dialog, and not the dialog.
	if rng.IntN(3) == 0 {
		h.untilRead()
		h.wait(200 * time.Millisecond)
	}
	switch kind {
	case 1, 2:
		if h.shows("amount  $") {
			fill("1")
			one(enterKey)
			one(tabKey)
			one(enterKey)
		}
	case 3:
		if h.shows("auto-freeze") {
			fill("x")
			one(enterKey)
			h.wait(time.Second)
			one(enterKey)
		}
	case 4:
		if h.shows("last four digits") {
			fill(string(want)[len(want)-4:])
			one(tabKey)
			one(enterKey)
		}
	}
	h.wait(time.Second)
	for _, op := range h.acc.took() {
		got.wrote++
		if op.Card != want {
			wrong++
			h.t.Errorf("%s was sent for %s, seen was %s", op.Kind, op.Card, want)
		}
	}
	for range 3 {
		one(escKey)
	}
	return wrong
}

func TestAFreezeIsNoUnfreezeOfWhatWasFrozenJustNow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		acc := newAccount(1)
		for i := range acc.cards {
			acc.cards[i].Status = api.CardActive
		}
		acc.still = true
		h := newHand(t, acc)
		h.wait(3 * time.Second)
		h.look()
		want := h.seen()
		// A colleague freezes the card, and the list that tells of it comes right
		// before the key.
		acc.mu.Lock()
		acc.freeze = want
		acc.mu.Unlock()
		h.untilRead()
		h.wait(20 * time.Millisecond)
		h.press(letter('f'))
		h.wait(100 * time.Millisecond)
		h.look()
		if did := acc.took(); len(did) > 0 || !h.shows("has just become frozen") {
			t.Errorf("%v was sent\n%s", did, strings.Join(h.frame, "\n"))
		}
		h.wait(time.Second)
		h.press(letter('f'))
		h.wait(100 * time.Millisecond)
		if did := acc.took(); len(did) != 1 || did[0].Kind != state.OpUnfreeze || did[0].Card != want {
			t.Errorf("%v was sent", did)
		}
		go func() { // What is under way ends.
			for range h.msgs {
			}
		}()
		h.drain()
	})
}

// TestOnlyACardThatTheCursorRestsOnIsRead goes through the list faster than it rests, for
// longer than the clock ticks apart: each request is one of the hour.
func TestOnlyACardThatTheCursorRestsOnIsRead(t *testing.T) {
	t.Parallel()
	for name, open := range map[string][]string{"list": nil, "card": {"enter"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(t, options{}, func(d *driver) {
				next := map[string]string{"list": "j", "card": "]"}[name]
				d.press(open...)
				d.wait(5 * time.Second)
				before := d.calls.count("GET /v1/cards/card_")
				for range 24 {
					d.press(next) // each waits less than it takes to rest
				}
				if read := d.calls.count("GET /v1/cards/card_") - before; read != 0 {
					t.Errorf("%d requests for cards that it did not rest on", read)
				}
				d.wait(time.Second)
				if d.calls.count("GET /v1/cards/card_") == before {
					t.Error("where it rests nothing is read")
				}
			})
		})
	}
}

// TestNoKeyActsOnARowThatNobodySaw types ahead while the dashboard starts: the card that is
// the first to come under the cursor was on no screen when the key was pressed.
func TestNoKeyActsOnARowThatNobodySaw(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"f", "F"} {
		for _, after := range []time.Duration{0, time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond} {
			synctest.Test(t, func(t *testing.T) {
				d, stop := start(t, options{})
				defer stop()
				d.let(after)
				d.send(key)
				d.wait(2 * time.Second)
				d.requests(0, "freeze")
			})
		}
	}
}
