package sim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hinshun/vt10x"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/cmd"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/sim/judge"
	"github.com/cardtop/cardtop/ui/tty"
)

// desk is a terminal with a dashboard on it.
type desk struct {
	*person
	glass *glass
	keys  *io.PipeWriter
	board *clipboard.Fake
	left  atomic.Bool // By its user, who ends it.
	ended chan struct{}
	stop  func() // Ends it from outside.
}

// sits has a person use a dashboard until an hour, and start again when it ends.
func (p *person) sits(until time.Time) {
	for now().Before(until) {
		p.begins()
		d := p.opens()
		if p.w.past && !p.part {
			d.waits()
		}
		leaves, at := now().Add(min(until.Sub(now()), p.between(5*time.Minute, 2*time.Hour))), now()
		for now().Before(leaves) && d.runs() {
			does := p.begins()
			at = at.Add(p.between(5*time.Second, 7*time.Minute))
			pause(at.Sub(now()))
			if does {
				d.acts()
			}
		}
		if p.begins() && p.rand.IntN(3) == 0 {
			d.checksOut(p.card()) // What they came for is paid, and they go.
		}
		d.leaves()
		pause(p.between(time.Second, 10*time.Minute))
	}
}

// opens starts a dashboard.
func (p *person) opens() *desk {
	p.mu.Lock()
	ctx, home := p.ctx, p.home
	p.mu.Unlock()
	ctx, stop := context.WithCancel(ctx)
	size := [][2]int{{160, 45}, {100, 30}, {80, 24}}[p.rand.IntN(3)]
	in, keys := io.Pipe()
	d := &desk{
		person: p, glass: &glass{vt: vt10x.New(vt10x.WithSize(size[0], size[1]))}, keys: keys, board: clipboard.NewFake(p.clock),
		ended: make(chan struct{}), stop: stop,
	}
	var errs bytes.Buffer
	program := p.program(ctx, home, &errs)
	program.Screen = &app.Screen{Board: d.board, Device: tty.Device{In: in, Out: d.glass, Width: size[0], Height: size[1], Env: []string{"TERM=xterm-256color"}}}
	go func() {
		defer close(d.ended)
		hadDisk := p.hasDisk()
		exit := p.identified(&errs, func() int { return cmd.Run(ctx, program, []string{}, strings.NewReader(""), io.Discard) })
		byItself := exit == 0 && !d.left.Load()
		if (byItself || exit != 0 && exit != cli.ExitUnknown) && ctx.Err() == nil && hadDisk() {
			p.w.add(func(r *judge.Run) {
				r.Crashes = append(r.Crashes, fmt.Sprintf("%s: a dashboard ended with %d: %s", now().Format(time.DateTime), exit, errs.String()))
			})
		}
		_ = in.Close()
	}()
	pause(3 * time.Second)
	return d
}

// runs reports whether the dashboard still does.
func (d *desk) runs() bool {
	select {
	case <-d.ended:
		return false
	default:
		return true
	}
}

// types types keys as somebody does, a few a second. Keys for a dashboard that has ended go nowhere.
func (d *desk) types(keys ...string) {
	for _, k := range keys {
		if !d.runs() {
			return
		}
		d.w.add(func(r *judge.Run) { r.Typed = append(r.Typed, judge.Typed{At: now(), Who: d.name, Key: k}) })
		if _, err := io.WriteString(d.keys, k); err != nil && !errors.Is(err, io.ErrClosedPipe) {
			d.w.t.Error(err)
		}
		pause(150 * time.Millisecond)
	}
}

// writes types a text.
func (d *desk) writes(text string) { d.types(strings.Split(text, "")...) }

const enter, esc = "\r", "\x1b"

// rests goes back to the list of cards, whatever is open.
func (d *desk) rests() {
	d.types(enter) // It unlocks.
	for range 5 {
		d.types(esc)
	}
	d.types("1", "1") // From another pane, and from a screen over the list.
}

// inFront is before how many bytes of a row of the list of cards its label begins.
const inFront = 16

// finds puts the cursor on a card and reports whether it is there. Cards of the same label are told apart by nobody,
// and one that was given another is on the screen later.
func (d *desk) finds(id string) bool {
	label, moved := d.w.label(id)
	if moved || d.w.alike(label) > 1 {
		return false
	}
	d.rests()
	d.types("/")
	d.writes(label)
	d.types(enter)
	here, rows := "", 0
	for _, l := range d.glass.lines() {
		row, _, _ := strings.Cut(strings.TrimPrefix(l, "│"), "│") // Other panes have labels as well.
		at := strings.Index(row, " "+label+" ")
		if cursor := strings.HasPrefix(row, "▸"); cursor && here == "" {
			if here = row; at < 0 {
				return false
			}
		}
		if at >= 0 && at < inFront {
			rows++
		}
	}
	if rows != 1 || here == "" { // The list may still show another card by the label that it had.
		return false
	}
	d.readsCard(id, here)
	return true
}

// cardInList is a row of the list of cards from the card's digits to its balance.
var (
	cardInList = regexp.MustCompile(`•• ?[0-9]{4} +([0-9,]+)\.([0-9][0-9]) `)
	headOfList = regexp.MustCompile(` card +balance `)
)

// readsCard reads the balance off a row of the list.
func (d *desk) readsCard(id, row string) {
	m := cardInList.FindStringSubmatch(row)
	if m == nil || !headOfList.MatchString(d.glass.text()) || !d.w.liar.well(calm) || d.excused() {
		return
	}
	sum := d.parses(m[1] + m[2])
	d.w.add(func(r *judge.Run) {
		r.Held = append(r.Held, judge.Held{From: now(), To: now(), Card: id, Cents: sum, Place: "the list of cards", Screen: d.glass.text()})
	})
}

// parses reads an amount without its point, cents.
func (d *desk) parses(digits string) int64 {
	sum, err := strconv.ParseInt(strings.ReplaceAll(digits, ",", ""), 10, 64)
	if err != nil {
		d.w.t.Error(err)
	}
	return sum
}

func (d *desk) shows(text string) bool {
	for _, l := range d.glass.lines() {
		if strings.Contains(l, text) {
			return true
		}
	}
	return false
}

// acts does one of the things that people do at a dashboard.
func (d *desk) acts() {
	id, sum := d.card(), d.cents()
	if draw(d.w.seed, fmt.Sprint(d.name, " wanders ", d.act)).IntN(6) == 0 {
		d.wanders()
		return
	}
	switch d.rand.IntN(8) {
	case 0, 1, 2:
		d.moves("fund", "+", id, sum)
	case 3:
		d.moves("withdraw", "-", id, sum)
	case 4:
		d.toggles(id)
	case 5, 6:
		d.looks()
	case 7:
		d.checksOut(id)
	}
}

// toggles freezes an active card, or unfreezes a frozen one.
func (d *desk) toggles(id string) {
	if !d.finds(id) {
		return
	}
	asked := judge.Asked{From: now(), Who: d.name, Line: "(dashboard) f " + id, Verb: judge.Toggle, Cards: []string{id}, Screen: true, Part: d.part, Role: d.rank}
	d.types("f")
	pause(time.Second)
	asked.To = now()
	d.w.add(func(r *judge.Run) { r.Asked = append(r.Asked, asked) })
	if d.repents() {
		d.togglesBack(asked)
	}
}

// wanders looks around: at lists, screens and help, in any order, by keys that change nothing. Wherever that ends, the list
// of cards is a few keys away.
func (d *desk) wanders() {
	keys := strings.Split("j k g G / s S [ ] 1 2 3 4 5 ? B H A U d b w X O $ @ ; C L \t \x0c \x1b \x1b", " ")
	for range 5 + d.rand.IntN(30) {
		d.types(keys[d.rand.IntN(len(keys))])
	}
	last := d.glass.text()
	d.rests()
	pause(time.Second)
	if d.shows("SANDBOX") { // It was chosen among the accounts. What it shows is no account's.
		d.leaves()
		return
	}
	if d.runs() && !d.shows("▸1 Cards") {
		d.w.add(func(r *judge.Run) {
			r.Crashes = append(r.Crashes, fmt.Sprintf("%s: the list of cards cannot be reached from\n%s\nwhich leads to\n%s", now().Format(time.DateTime), last, d.glass.text()))
		})
	}
	d.pressesShown()
}

// moves moves money by a dialog. What is asked for is what the dialog shows before it is confirmed.
func (d *desk) moves(verb, by, id string, cents int64) {
	label, _ := d.w.label(id)
	if !d.finds(id) {
		return
	}
	d.types(by)
	d.writes(strconv.FormatFloat(float64(cents)/100, 'f', 2, 64))
	title := strings.ToUpper(verb[:1]) + verb[1:]
	if !d.shows(title + " " + label) {
		d.rests()
		return
	}
	d.types(enter)
	pause(time.Second)
	if !d.shows(title + " $") {
		d.rests()
		return
	}
	if n := d.confirms(verb, by, id, cents); n.Well && n.Done && d.repents() {
		d.movesBack(n)
	}
}

// confirms confirms what a dialog shows by its key, and looks at what comes of it.
func (d *desk) confirms(verb, by, id string, cents int64) judge.Notice {
	label, _ := d.w.label(id)
	from := now()
	d.types(by)
	d.w.add(func(r *judge.Run) {
		r.Asked = append(r.Asked, judge.Asked{From: from, To: now(), Who: d.name, Line: "(dashboard) " + verb + " " + id, Verb: verb, Cards: []string{id}, Cents: cents, Screen: true, Part: d.part, Role: d.rank, Forbidden: d.w.forbids(verb, cents)})
	})
	pause(d.between(0, 4*time.Second))
	n := judge.Notice{From: from, To: now(), Verb: verb, Card: id, Cents: cents, Screen: d.glass.text()}
	of := d.bottom()
	other := strings.Contains(of, " could not be confirmed") && !strings.Contains(of, label) // What is told of another write came after it.
	n.Well = d.w.liar.well(calm) && d.runs() && n.To.Sub(n.From) > 2*time.Second && !other
	n.Done = d.shows(fmt.Sprintf("funded %s", label)) && d.shows(fmt.Sprintf("with $%d.%02d", cents/100, cents%100)) || d.shows(fmt.Sprintf("withdrew $%d.%02d from %s", cents/100, cents%100, label))
	n.Refused = d.shows(fmt.Sprintf("%s of %s", verb, label)) && (d.shows(" not done: ") || d.shows(" not sent: "))
	d.w.add(func(r *judge.Run) { r.Notices = append(r.Notices, n) })
	return n
}

// Where the wallet is on a screen: at the top, and in its pane.
var (
	walletOnTop  = regexp.MustCompile(`wallet ([^$ ]?)\$([0-9,]+)\.([0-9][0-9])`)
	walletInPane = regexp.MustCompile(`balance ([^$ ]?)\$([0-9,]+)\.([0-9][0-9])`)
)

// mostOfHour is how many requests of an hour programs use for what nobody asked for at most: then they wait.
const mostOfHour = 7500

// looks reads the wallet off the screen while the provider has answered for a while.
func (d *desk) looks() {
	if d.part {
		return // The wallet is not theirs.
	}
	d.rests()
	pause(time.Second)
	if d.w.liar.well(longCalm) && !d.w.team() && d.runs() && !d.limited() && d.excused() && d.w.ofHour() < mostOfHour {
		d.w.crashes(fmt.Sprintf("%s: a dashboard shows no connection, and the provider has answered for %s:\n%s", now().Format(time.DateTime), longCalm, d.glass.text()))
	}
	if d.w.liar.well(longCalm) && !d.w.team() && d.runs() && d.limited() && !d.shows(" windows, slowed") { // Several leave one another their part.
		n := d.w.ofHour()
		d.w.add(func(r *judge.Run) {
			r.Limited = append(r.Limited, judge.Limited{At: now(), Requests: n, Screen: d.glass.text()})
		})
	}
	d.reads("the top", walletOnTop)
	d.types("4")
	pause(time.Second)
	d.reads("the wallet's pane", walletInPane)
}

// reads reads the wallet off a place on the screen.
func (d *desk) reads(place string, is *regexp.Regexp) {
	if !d.w.liar.well(calm) || !d.runs() {
		return
	}
	for _, l := range d.glass.lines() {
		if m := is.FindStringSubmatch(l); m != nil {
			cents := d.parses(m[2] + m[3])
			d.w.add(func(r *judge.Run) {
				r.Seen = append(r.Seen, judge.Seen{At: now(), Place: place, Wallet: cents, Marked: m[1] != "" || d.excused(), Screen: d.glass.text()})
			})
			return
		}
	}
	d.w.add(func(r *judge.Run) {
		r.Crashes = append(r.Crashes, "no wallet is on "+place+" of the screen:\n"+d.glass.text())
	})
}

// lasting is how long the money lasts with what is on the cards, at the top of a screen or in the wallet's pane.
var lasting = regexp.MustCompile(`(?:cards |  )lasts ([0-9.]+) (m|h|d) `)

// pastRead is how long it takes at most to read what was spent before, while the provider answers.
const pastRead = 4 * time.Minute

// waits looks at how long the money lasts soon after the start, and again when the past was read.
func (d *desk) waits() {
	at, soon, screen := now(), d.lasts(), d.glass.text()
	pause(pastRead)
	if later := d.lasts(); later > 0 && d.w.liar.well(pastRead) && d.runs() && !d.excused() {
		d.w.add(func(r *judge.Run) {
			r.Lasts = append(r.Lasts, judge.Lasts{At: at, Soon: soon, Later: later, Screen: screen})
		})
	}
}

// lasts is how long the screen says that the money lasts; 0 where it says nothing.
func (d *desk) lasts() time.Duration {
	m := lasting.FindStringSubmatch(d.glass.text())
	if m == nil {
		return 0
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		d.w.t.Error(err)
	}
	return time.Duration(n * float64(map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}[m[2]]))
}

// longCalm is after how long without harm a screen may show no outage any more.
const longCalm = 10 * time.Minute

// excused reports whether the screen says that what it shows is old, and why: several machines may use up the limit
// of a key.
func (d *desk) excused() bool {
	return d.limited() || d.shows("offline") || d.shows("STALE")
}

// limited reports whether the screen says that the limit of the key is used up, or nearly.
func (d *desk) limited() bool { return d.shows("limited, retry") || d.shows("slowed · every") }

// codeLate is how late a code may be on a screen that is used: a poll, and the 3 s that the promise allows. The hub that
// leads polls each second for who is there, and each three for who is at another hub. Where webhooks come the poll is
// one of 10 s, and nothing tells of digits that change.
func (d *desk) codeLate() time.Duration {
	switch {
	case d.door != "", d.w.team() && d.w.machines[0].door != "":
		return 13 * time.Second
	case d.w.bus != nil:
		return 7 * time.Second
	}
	return 4 * time.Second
}

// checksOut has a merchant ask for a code while the provider answers, and copies it, or has it copied by arming the card
// before. Now and then the merchant sends other digits after that.
func (d *desk) checksOut(id string) {
	d.w.checkout <- struct{}{}
	defer func() { <-d.w.checkout }()
	d.rests()
	_, moved := d.w.label(id)
	if !d.w.liar.well(calm) || !d.runs() || d.part && moved { // Whose it is by now is told late.
		return
	}
	armed := d.rand.IntN(2) == 0 && d.finds(id)
	if armed {
		d.types("a")
		pause(time.Second)
	}
	code, other := fmt.Sprintf("%06d", d.rand.IntN(1_000_000)), fmt.Sprintf("%06d", d.rand.IntN(1_000_000))
	if !d.w.challenge(id, code) {
		return // The card takes no charges.
	}
	armed = d.gets(id, code, armed) && armed
	if d.rand.IntN(2) == 0 {
		d.w.elsewhere.renew(code, other)
		d.gets(id, other, armed)
	}
}

// gets waits for a code on the screen and on the clipboard. It reports whether other digits of it are
// copied by themselves: the code is on the clipboard still, and the card armed.
func (d *desk) gets(id, code string, armed bool) bool {
	pause(d.codeLate())
	seen, screen := d.shows(code[:3]+" "+code[3:]), d.glass.text()
	if !armed {
		d.types("o")
	}
	copied := d.board.Text()
	label, _ := d.w.label(id)
	hidden := d.part && !strings.HasPrefix(label, scope) || d.rank == judge.Viewer
	if d.w.liar.well(calm) && d.runs() && !d.excused() {
		d.w.add(func(r *judge.Run) {
			r.Codes = append(r.Codes, judge.Code{At: now(), Card: id, Hidden: hidden, Seen: seen, Copied: copied == code, Screen: screen})
		})
	}
	return copied != code || d.forgets(code)
}

// codeKept is how long a copied code stays on the clipboard at most.
const codeKept = 31 * time.Second

// forgets checks that a copied code leaves the clipboard, and that a locked screen has none. It reports whether it
// is there still.
func (d *desk) forgets(code string) bool {
	switch draw(d.w.seed, fmt.Sprint(d.name, " forgets ", d.act)).IntN(4) {
	case 0:
		if pause(codeKept); d.board.Text() == code && d.runs() {
			d.w.add(func(r *judge.Run) { r.Secrets = append(r.Secrets, "the clipboard for longer than 30 s") })
		}
		return false
	case 1:
		d.types("L")
		pause(time.Second)
		if d.shows(code[:3]+" "+code[3:]) && d.runs() {
			d.w.add(func(r *judge.Run) { r.Secrets = append(r.Secrets, "a locked screen:\n"+d.glass.text()) })
		}
		d.rests()
		return false
	}
	return true
}

// leaves ends the dashboard.
func (d *desk) leaves() {
	d.left.Store(true)
	d.rests()
	d.types("q")
	for range 20 {
		if !d.runs() {
			break
		}
		pause(time.Second) // A write that is under way is waited for.
		d.types("q", "y")
	}
	if d.runs() {
		d.w.add(func(r *judge.Run) {
			r.Crashes = append(r.Crashes, "a dashboard cannot be left:\n"+d.glass.text())
		})
	}
	d.stop()
	_ = d.keys.Close() // Nobody types any more.
	<-d.ended
	if left := d.board.Text(); left != "" {
		d.w.add(func(r *judge.Run) { r.Secrets = append(r.Secrets, "the clipboard after the end") })
	}
}
