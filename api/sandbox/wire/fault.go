package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// The kinds of faults.
const (
	FaultLatency   = "latency"
	FaultLimit     = "rate_limit"
	FaultBareLimit = "rate_limit_bare"
	FaultError     = "server_error"
	FaultHTML      = "bad_gateway"
	FaultReset     = "connection_reset"
	FaultCutBody   = "cut_body"
	FaultNoAnswer  = "commit_then_timeout"
	faultNoCode    = "code_missing"
	FaultLateCode  = "code_late"
	faultDrop      = "webhook_drop"
	faultDuplicate = "webhook_duplicate"
	faultReorder   = "webhook_reorder"
	faultRepeated  = "repeated_item"
	faultMalformed = "malformed_item"
)

// FaultKind is a kind of fault and what it does, in a few words.
type FaultKind struct{ Name, About string }

// FaultKinds returns all kinds.
func FaultKinds() []FaultKind {
	return []FaultKind{
		{FaultLatency, "answers late, by --latency-ms"},
		{FaultLimit, "429 with Retry-After"},
		{FaultBareLimit, "429 without"},
		{FaultError, "500 with the error body"},
		{FaultHTML, "502 with an HTML page"},
		{FaultReset, "no answer; nothing was done"},
		{FaultCutBody, "half an answer; it was done"},
		{FaultNoAnswer, "no answer; it was done"},
		{faultRepeated, "the first item of a list comes twice"},
		{faultMalformed, "the first item has no id, or every other time an amount that is none"},
		{faultNoCode, "the list of challenges has no codes"},
		{FaultLateCode, "the list has a code only after --latency-ms"},
		{faultDrop, "a webhook's delivery is lost"},
		{faultDuplicate, "a webhook's delivery comes twice"},
		{faultReorder, "a webhook's deliveries come in another order"},
	}
}

// FaultNames returns the names of all kinds.
func FaultNames() []string {
	var names []string
	for _, k := range FaultKinds() {
		names = append(names, k.Name)
	}
	return names
}

// Fault is a fault in force.
type Fault struct {
	Route       string  `json:"route"` // "GET /cards", a template alone, or *
	Kind        string  `json:"kind"`
	Times       int64   `json:"times"` // left; 0 for no end
	Probability float64 `json:"probability"`
	Latency     int64   `json:"latency_ms"`
}

// BreaksAnswer reports whether the connection ends without an answer.
func (f Fault) BreaksAnswer() bool { return f.Kind == FaultReset || f.Kind == FaultNoAnswer }

// ofRoute reports whether the fault applies to requests of a route.
func (f Fault) ofRoute() bool {
	return !slices.Contains([]string{faultNoCode, FaultLateCode, faultDrop, faultDuplicate, faultReorder}, f.Kind)
}

// OfLists reports whether the fault applies to lists only.
func (f Fault) OfLists() bool { return f.Kind == faultRepeated || f.Kind == faultMalformed }

// Faults are the faults in force. They may be used from several goroutines.
type Faults struct {
	mu   sync.Mutex
	list []Fault
	rng  *rand.Rand
	// mistyped is whether the last malformed item had no id: the next has a wrong type.
	mistyped bool
}

// NewFaults returns a set without faults.
func NewFaults() *Faults {
	return &Faults{rng: rand.New(rand.NewPCG(1, 2))} //nolint:gosec // Nothing here guards a secret.
}

// Add puts a fault in force.
func (f *Faults) Add(one Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, one)
}

// All returns the faults in force.
func (f *Faults) All() []Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Fault{}, f.list...)
}

// Clear removes all faults.
func (f *Faults) Clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = nil
}

// take returns the first fault that matches and is drawn by its probability, and
// counts it; the zero Fault when there is none.
func (f *Faults) take(matches func(Fault) bool) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, one := range f.list {
		if !matches(one) || f.rng.Float64() >= one.Probability {
			continue
		}
		if one.Times == 1 {
			f.list = slices.Delete(f.list, i, i+1)
		} else if one.Times > 1 {
			f.list[i].Times--
		}
		return one
	}
	return Fault{}
}

// Draw returns the fault of one request of the named route, which may answer with a list.
func (f *Faults) Draw(name string, list bool) Fault {
	_, template, _ := strings.Cut(name, " ")
	return f.take(func(one Fault) bool {
		return one.ofRoute() && (list || !one.OfLists()) && (one.Route == "*" || one.Route == name || one.Route == template)
	})
}

// ShowCode returns, for one list, whether it shows the code of a challenge created
// at a time.
func (f *Faults) ShowCode() func(created, now unit.Instant) bool {
	struck := f.take(func(one Fault) bool { return one.Kind == faultNoCode || one.Kind == FaultLateCode })
	return func(created, now unit.Instant) bool {
		switch struck.Kind {
		case faultNoCode:
			return false
		case FaultLateCode:
			return now >= created+unit.Instant(struck.Latency)
		}
		return true
	}
}

// Copies returns how many times one delivery is sent.
func (f *Faults) Copies() int {
	switch f.take(func(one Fault) bool { return one.Kind == faultDrop || one.Kind == faultDuplicate }).Kind {
	case faultDrop:
		return 0
	case faultDuplicate:
		return 2
	}
	return 1
}

// Reorder reports whether later deliveries overtake this one, and how long it is
// delayed.
func (f *Faults) Reorder() (late unit.Instant, strikes bool) {
	const usual = 3 * unit.Second
	struck := f.take(func(one Fault) bool { return one.Kind == faultReorder })
	if struck.Latency > 0 {
		return unit.Instant(struck.Latency), true
	}
	return usual, struck.Kind != ""
}

// Spoil returns the body of a list with its first item twice, or with one that cannot be
// read, as the kind of fault says. An empty list stays as it is.
func (f *Faults) Spoil(kind string, body []byte) ([]byte, error) {
	if kind != faultRepeated && kind != faultMalformed {
		return body, nil
	}
	var list struct {
		Data       []json.RawMessage `json:"data"`
		Pagination json.RawMessage   `json:"pagination,omitempty"`
	}
	var all any = &list
	if bytes.HasPrefix(body, []byte("[")) {
		all = &list.Data
	}
	err := json.Unmarshal(body, all)
	if err != nil || len(list.Data) == 0 {
		return body, err
	}
	if kind == faultRepeated {
		list.Data = slices.Insert(list.Data, 1, list.Data[0])
	} else if list.Data[0], err = f.malform(list.Data[0]); err != nil {
		return nil, err
	}
	return Encode(all)
}

// malform returns an item without its id or, every other time, with a field of a wrong
// type.
func (f *Faults) malform(item json.RawMessage) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(item, &fields); err != nil {
		return nil, fmt.Errorf("decode item: %w", err)
	}
	f.mu.Lock()
	f.mistyped = !f.mistyped
	mistyped := !f.mistyped
	f.mu.Unlock()
	if !mistyped {
		delete(fields, "id")
		return Encode(fields)
	}
	for _, name := range []string{"amount", "amount_usd", "balance", "max_transaction", "url"} {
		if _, has := fields[name]; has {
			fields[name] = json.RawMessage("false")
			break
		}
	}
	return Encode(fields)
}
