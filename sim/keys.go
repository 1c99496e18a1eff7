package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/cardtop/cardtop/sim/judge"
)

// leadsTo is what the screen shows after a key of the line at its bottom, by what the line says that the key does.
func leadsTo(does string) string {
	return map[string]string{
		"help": "▸Keys", "commands": "▸Find", "filter": "▸1 Cards  /", "fund": "▸Fund ", "withdraw": "▸Withdraw ", "edit": "▸Edit ",
		"new": "▸Choose a BIN", "alerts": "▸1 Alerts", "spending": "▸1 Spending", "declines": "▸1 Declines",
	}[does]
}

// pressesShown presses some of the keys that the line at the bottom shows: each does what the line says.
func (d *desk) pressesShown() {
	r := draw(d.w.seed, fmt.Sprint(d.name, " presses ", d.act))
	for range 5 {
		d.pressesOne(r)
	}
}

func (d *desk) pressesOne(r *rand.Rand) {
	last := d.bottom()
	var shown [][2]string
	for _, hint := range strings.Split(strings.TrimSpace(last), "  ") {
		if key, does, ok := strings.Cut(hint, " "); ok && leadsTo(does) != "" {
			shown = append(shown, [2]string{strings.ReplaceAll(key, "ctrl+p", "\x10"), does})
		}
	}
	if len(shown) == 0 || !d.w.liar.well(calm) {
		return // A notice is there.
	}
	pressed := shown[r.IntN(len(shown))]
	d.types(pressed[0])
	pause(time.Second)
	screen, why := d.glass.text(), d.bottom()
	does := strings.Contains(screen, leadsTo(pressed[1])) || strings.Contains(why, " ••") // Why it cannot be done to the card.
	if d.runs() && d.w.liar.well(calm) {
		d.w.add(func(r *judge.Run) {
			r.Pressed = append(r.Pressed, judge.Pressed{At: now(), Says: pressed[1], Does: does, Before: last, Screen: screen})
		})
	}
	d.rests()
}

// bottom is the last line of the screen.
func (d *desk) bottom() string {
	text := d.glass.text()
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// repents reports whether what was just done at a dashboard is undone.
func (d *desk) repents() bool {
	return draw(d.w.seed, fmt.Sprint(d.name, " repents ", d.act)).IntN(3) == 0 && d.w.liar.well(calm) && d.runs() && !d.excused()
}

// togglesBack undoes what a key did to the status of a card, without a question.
func (d *desk) togglesBack(asked judge.Asked) {
	if !d.shows("is frozen") && !d.shows("is active") { // It was not done.
		return
	}
	asked.From, asked.Line = now(), asked.Line+", undone"
	d.types("u")
	pause(time.Second)
	asked.To = now()
	d.w.add(func(r *judge.Run) { r.Asked = append(r.Asked, asked) })
}

// movesBack undoes what was moved last: the dialog has the same amount of the same card the other way.
func (d *desk) movesBack(n judge.Notice) {
	verb, title := "withdraw", "Withdraw"
	if n.Verb == verb {
		verb, title = "fund", "Fund"
	}
	d.types("u")
	pause(time.Second)
	label, _ := d.w.label(n.Card)
	asks := d.shows("▸Undo: "+label+" ") && d.shows(fmt.Sprintf("%s $%d.%02d", title, n.Cents/100, n.Cents%100))
	if d.runs() && d.w.liar.well(calm) {
		screen := d.glass.text()
		d.w.add(func(r *judge.Run) {
			r.Pressed = append(r.Pressed, judge.Pressed{At: now(), Says: "undo", Does: asks || strings.Contains(screen, "cannot undo: "), Before: n.Screen, Screen: screen})
		})
	}
	if asks {
		d.confirms(verb, "u", n.Card, n.Cents)
	}
	d.rests()
}
