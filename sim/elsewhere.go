package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/sim/judge"
)

// elsewhere is what happens to an account at the provider's own pages, and the habits of its provider. None of it is
// harm: programs have to live with it.
type elsewhere struct {
	w    *world
	rand *rand.Rand
	// twice has lists of challenges have each of them twice.
	twice bool
	// others are cards that somebody at the provider's pages freezes while lists are read.
	others []string

	mu      sync.Mutex
	renewed map[string]string // The digits that a code has by now, by those that it began with.
	moved   time.Time         // When others were frozen last.
}

// scope are the labels of the cards that a person with a part of them sees, perPage the cards of a page.
const (
	scope   = "fb"
	perPage = 100
)

// digitLabels are labels in which a number stands that a card could have. What the cards of these labels get together
// has a cap of its own.
var digitLabels = []string{"ad/20261127-1504-09", "ad/20261127-1504-17", "ad/20261127-1504-25"}

// labelDay is the cap of the cards with digitLabels, cents.
const labelDay = 40_00

// openElsewhere draws the habits of a provider, and labels some cards by digits where there are caps.
func (w *world) openElsewhere(r *rand.Rand) *elsewhere {
	e := &elsewhere{w: w, rand: r, twice: r.IntN(3) == 0, renewed: make(map[string]string)}
	var active []string
	for _, id := range slices.Sorted(maps.Keys(w.run.Before.Cards)) {
		if w.run.Before.Cards[id].Status == "active" {
			active = append(active, id)
		}
	}
	if len(active) > perPage { // The first of a list, whichever end it begins at.
		e.others = []string{active[0], active[len(active)-1]}
		for _, id := range e.others {
			w.run.Others[id] = true
		}
	}
	if w.maxDay > 0 && len(active) > 1 {
		for i, label := range digitLabels {
			if id := active[1+i%len(active[1:])]; e.send(http.MethodPatch, "/cards/"+id, fmt.Sprintf(`{"label":%q}`, label)) {
				w.run.Capped[id] = true
			}
		}
		w.run.LabelDay = labelDay
	}
	return e
}

// send does something at the provider's pages. It reports whether the provider did it.
func (e *elsewhere) send(method, path, body string) bool {
	r, err := http.NewRequestWithContext(context.Background(), method, "http://localhost/v1"+path, strings.NewReader(body))
	if err != nil {
		e.w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+booksKey)
	r.Header.Set("Content-Type", "application/json")
	resp, err := e.w.provider.Transport().RoundTrip(r)
	if err != nil {
		e.w.t.Fatal(err)
	}
	_ = resp.Body.Close() // It is in memory.
	return resp.StatusCode < 300
}

// relabels gives cards other labels until an hour.
func (e *elsewhere) relabels(until time.Time) {
	for n := 0; ; n++ {
		pause(time.Duration(60+e.rand.IntN(900)) * time.Second)
		if !now().Before(until) {
			return
		}
		ids := slices.Sorted(maps.Keys(e.w.run.Before.Cards))
		id := ids[e.rand.IntN(len(ids))]
		label := fmt.Sprintf("%s/moved/%03d", []string{scope, "zz"}[e.rand.IntN(2)], n)
		if seen := e.seenInPart(ids); len(seen) > 0 && e.rand.IntN(2) == 0 {
			id, label = seen[e.rand.IntN(len(seen))], fmt.Sprintf("zz/moved/%03d", n)
		}
		if !e.w.takes(fmt.Sprint("relabels ", n)) || e.w.run.Capped[id] || e.w.run.Before.Cards[id].Status == "terminated" {
			continue
		}
		before, _ := e.w.label(id)
		e.w.add(func(r *judge.Run) { r.Labels = append(r.Labels, judge.Label{At: now(), Card: id, Label: label}) })
		if !e.send(http.MethodPatch, "/cards/"+id, fmt.Sprintf(`{"label":%q}`, label)) {
			e.w.t.Error("a card cannot be given a label")
		}
		if strings.HasPrefix(before, scope) && !strings.HasPrefix(label, scope) {
			e.fundsWhatWasTheirs(id, n)
		}
	}
}

// seenInPart returns the cards among some that somebody with a part of the cards sees; none where nobody has a part.
func (e *elsewhere) seenInPart(ids []string) (seen []string) {
	if !slices.ContainsFunc(e.w.machines, func(m *machine) bool { return m.part }) {
		return nil
	}
	for _, id := range ids {
		if label, _ := e.w.label(id); strings.HasPrefix(label, scope) {
			seen = append(seen, id)
		}
	}
	return seen
}

// expires has a card end somewhere before an hour.
func (e *elsewhere) expires(until time.Time) {
	r := draw(e.w.seed, "expires")
	pause(time.Duration(r.Int64N(int64(until.Sub(now())))))
	ids := slices.Sorted(maps.Keys(e.w.run.Before.Cards))
	id := ids[r.IntN(len(ids))]
	e.w.add(func(run *judge.Run) { run.Misread[id] = true }) // Of its status more is told than the provider does.
	e.w.causes("/sandbox/cards/"+id+"/expire", "{}")
	e.w.mu.Lock()
	defer e.w.mu.Unlock()
	e.w.expiredCard = id
}

// fundsWhatWasTheirs has a person with a part of the cards fund one that was in it seconds ago, with a program of their
// own that reads nothing before: a hub's own list may still say that it is.
func (e *elsewhere) fundsWhatWasTheirs(id string, n int) {
	i := slices.IndexFunc(e.w.machines, func(m *machine) bool { return m.part && m.rank != judge.Viewer })
	if i < 0 {
		return
	}
	m := e.w.machines[i]
	p := m.user(fmt.Sprint("moved-", n))
	pause(judge.ScopeLate + p.between(time.Second, 4*time.Second))
	sum, k := p.cents(), p.given()
	if sum > judge.BuyerCap {
		sum = 100 + sum%(judge.BuyerCap-100)
	}
	asked := judge.Asked{From: now(), Who: m.name, Part: true, Role: m.rank, Line: "(program) fund " + id + " " + k, Verb: "fund", Cards: []string{id}, Cents: sum, Key: k}
	ctx, end := context.WithTimeout(context.Background(), 15*time.Second) // It may be lost on the way.
	defer end()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.at+"/cards/"+id+"/fund", strings.NewReader(fmt.Sprintf(`{"amount":%d.%02d}`, sum/100, sum%100)))
	if err != nil {
		e.w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+m.key)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Idempotency-Key", k)
	if resp, err := m.next.RoundTrip(r); err == nil {
		_ = resp.Body.Close() // It is in memory.
	}
	asked.To, asked.Killed = now(), true // What it is told is not looked at.
	e.w.add(func(r *judge.Run) { r.Asked = append(r.Asked, asked) })
}

// renew has the provider change the digits of a code that is there.
func (e *elsewhere) renew(old, digits string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.renewed[old] = digits
}

// answers gives an answer of the provider its habits, and does what happens elsewhere between it and the next.
func (e *elsewhere) answers(r *http.Request, resp *http.Response) (*http.Response, error) {
	switch {
	case r.Method != http.MethodGet || resp.StatusCode != http.StatusOK:
	case r.URL.Path == "/v1/cards" && r.URL.Query().Get("status") == "active" && r.URL.Query().Get("page") == "1":
		e.freezesOthers()
	case strings.HasPrefix(r.URL.Path, "/v1/3ds") && e.listsOtherwise():
		return rewritten(resp, e.challenges)
	}
	return resp, nil
}

// freezesOthers freezes a card that was on the page just read, or unfreezes it again, once in a while.
func (e *elsewhere) freezesOthers() {
	e.mu.Lock()
	due := len(e.others) > 0 && now().Sub(e.moved) > time.Minute
	if due {
		e.moved = now()
	}
	e.mu.Unlock()
	if !due {
		return
	}
	for _, id := range e.others {
		if !e.send(http.MethodPost, "/cards/"+id+"/freeze", "") {
			e.send(http.MethodPost, "/cards/"+id+"/unfreeze", "")
		}
	}
}

func (e *elsewhere) listsOtherwise() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.twice || len(e.renewed) > 0
}

// challenges are listed as this provider does.
func (e *elsewhere) challenges(o map[string]any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := []any{o}
	if list, ok := o["data"].([]any); ok {
		all = list
		if e.twice {
			o["data"] = append(slices.Clip(list), list...) // No items stay none, and not null.
		}
	}
	for _, c := range all {
		if c, ok := c.(map[string]any); ok {
			if old, ok := c["otp"].(string); ok && e.renewed[old] != "" {
				c["otp"] = e.renewed[old]
			}
		}
	}
}

// rewritten changes the object of an answer. What is no object stays.
func rewritten(resp *http.Response, change func(map[string]any)) (*http.Response, error) {
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var o map[string]any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber() // An amount stays as it was written.
	if d.Decode(&o) == nil && len(o) > 0 {
		change(o)
		if body, err = json.Marshal(o); err != nil {
			return nil, err
		}
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	resp.Header.Del("Content-Length")
	return resp, nil
}
