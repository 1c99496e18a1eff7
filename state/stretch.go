package state

import (
	"maps"
	"slices"
	"time"
)

// thrift is the order in which lanes get their requests when there are not
// enough for all: the first are the last to wait longer.
var thrift = [...]Lane{LaneCodes, LaneFeed, LaneHot, LaneSweep, LaneWallet, LaneDeposits}

// Stretched to the most, a lane rests this many times longer than planned: it
// never stops.
const (
	codesStretch = 10
	otherStretch = 20
)

// HourlyRequests is what the service answers in an hour (contract, Limits).
const HourlyRequests = 10_000

// armedLong is how much of the hour is gone when a checkout was armed for most
// of it.
const armedLong = HourlyRequests * 85 / 100

// restless is the part of the pace that goes to lanes that never stop and to
// what is read besides.
const restless = 0.2

// Budget tells how the requests of the last hour were spent.
func (s *Store) Budget() Budget { return s.budget }

// LaneUse is what one lane, or one purpose besides the lanes, costs.
type LaneUse struct {
	Name string
	// Every is how often it is asked for now, Planned when requests are not
	// short; zero for what has no rhythm.
	Every, Planned time.Duration
	// Used is the requests of the last hour, other programs' included.
	Used int
}

// LaneUses lists the lanes in the order in which they get their requests, and
// after them what else requests went to.
func (s *Store) LaneUses() []LaneUse {
	var out []LaneUse
	known := make(map[string]bool)
	for _, lane := range thrift {
		name := schedule[lane].name
		known[name] = true
		out = append(out, LaneUse{Name: name, Every: s.interval(lane), Planned: s.planned(lane, min(s.attention, Unfocused)), Used: s.budget.Lanes[name]})
	}
	for _, name := range slices.Sorted(maps.Keys(s.budget.Lanes)) {
		if !known[name] {
			out = append(out, LaneUse{Name: name, Used: s.budget.Lanes[name]})
		}
	}
	return out
}

// allot shares out the pace that the budget allows: a lane that does not get
// what it needs rests longer.
func (s *Store) allot() {
	for i := range s.stretch {
		s.stretch[i] = 1
	}
	if s.budget.Pace == 0 && s.budget.Hour == 0 {
		return // Nothing is known.
	}
	left := float64(s.budget.Pace)
	for _, lane := range thrift {
		most := float64(otherStretch)
		if lane == LaneCodes {
			most = codesStretch
		}
		need := s.hourly(lane)
		asked := need
		if lane == LaneCodes && s.checkout.Card != "" {
			// The other lanes need not yield to what lasts for minutes. Armed again
			// and again it must not run into the ceiling, though: then they do.
			asked = float64(time.Hour) / float64(armedEvery)
			if s.budget.Hour >= armedLong {
				need = asked
				left *= 1 - restless
			}
		}
		if asked > left {
			s.stretch[lane] = min(most, asked/max(left, 1))
		}
		left = max(0, left-min(need, asked/s.stretch[lane]))
	}
}

// hourly is how many requests a lane makes in an hour when nothing is short.
func (s *Store) hourly(lane Lane) float64 {
	d := s.planned(lane, min(s.attention, Unfocused))
	pages := 1
	if lane == LaneSweep {
		pages = max(1, s.cards.pages)
	}
	return float64(pages) * float64(time.Hour) / float64(d)
}

// shareEvery is how often programs that use the same key tell each other what
// they spent.
const shareEvery = 10 * time.Second

// share asks for the exchange when it is due.
func (s *Store) share(now time.Time) {
	if s.cfg.Shared && reached(now, s.shareDue) {
		s.shareDue = now.Add(shareEvery)
		s.wants = append(s.wants, ShareUse{})
	}
}

// useShared tells once that the programs could not hear each other.
func (s *Store) useShared(ev UseShared) Topic {
	s.hear(ev.Meta)
	if ev.Err == nil || s.shareFailed {
		return 0
	}
	s.shareFailed = true
	s.tell(Warn, ev.Err.Error()+"; other programs with this key may use up its limit")
	return TopicNotice
}
