package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine/ruling"
	"github.com/cardtop/cardtop/internal/hub/stream"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rule"
)

// rules are what the hub does by itself. They belong to the goroutine that owns the
// store.
type rules struct {
	ruling.Ruling
	// modes are those that the rules are to be in, and asked is when each was last asked
	// for.
	modes map[string]rule.Mode
	asked map[string]time.Time
	// off are those that are in no mode until a person has them on again.
	off map[string]RuleOff
	// said is what was last told of each, without its figures.
	said   map[string]string
	broken string // why the history cannot be read, as it was last told
}

// askAgain is how long after a rule could not be had, because another program acts on
// it, it is asked for again.
const askAgain = time.Minute

func newRules(act, suggest []string, off []RuleOff) rules {
	r := rules{modes: make(map[string]rule.Mode), asked: make(map[string]time.Time), off: make(map[string]RuleOff), said: make(map[string]string)}
	for _, is := range off {
		r.off[is.Name] = is
	}
	for _, name := range suggest {
		r.modes[name] = rule.Suggest
	}
	for _, name := range act {
		r.modes[name] = rule.Act
	}
	for name, mode := range r.modes {
		r.Set(name, mode)
	}
	return r
}

// runRules has rules be in their modes, and tells what they do. It runs where the store
// is.
func (s *Server) runRules(st *state.Store, topics kernel.Topic) []kernel.Intent {
	if len(st.Rules.All()) == 0 {
		return nil
	}
	for _, r := range st.Rules.All() {
		s.stopRule(st, r)
		s.tellRule(st, r)
	}
	if len(s.rules.modes) == 0 {
		return nil
	}
	var want []kernel.Intent
	if !s.rules.Begun() || topics&kernel.TopicHistory != 0 {
		first, did, err := s.rules.Follow(st)
		if text := fmt.Sprint("rules do nothing: ", err); err != nil && text != s.rules.broken {
			s.rules.broken = text
			s.cfg.Tell(text)
		}
		for _, in := range first {
			mode, ok := in.(state.SetRuleMode)
			if _, off := s.rules.off[mode.Name]; ok && off {
				continue
			}
			s.rules.asked[mode.Name] = s.cfg.Now()
			want = append(want, in)
		}
		for i := range did {
			s.tellDid(&did[i])
		}
	}
	return append(want, s.askAgain(st)...)
}

// askAgain asks once more for rules that another program acted on.
func (s *Server) askAgain(st *state.Store) (want []kernel.Intent) {
	for name, mode := range s.rules.modes {
		r, ok := st.Rules.Get(name)
		at, asked := s.rules.asked[name]
		if _, off := s.rules.off[name]; off || !ok || !asked || r.Mode != rule.Off || mode == rule.Off || s.cfg.Now().Sub(at) < askAgain {
			continue
		}
		s.rules.asked[name] = s.cfg.Now()
		want = append(want, state.SetRuleMode{Name: name, Mode: mode, Typed: name})
	}
	return want
}

// tellRule tells admins when a rule begins or ends to do something. What it finds is told
// when it begins to.
func (s *Server) tellRule(st *state.Store, r *state.RuleStatus) {
	n, sum := r.Proposes()
	said, text := "", ""
	switch {
	case s.rules.off[r.Name].Name != "":
		said = "off"
		text = s.whyOff(r)
	case r.Mode == rule.Off && r.Paused != "":
		said = ruling.Why(r)
		text = said
	case r.Mode == rule.Act:
		said, text = "acts", "acts"
	case r.Mode == rule.Suggest && n > 0:
		said = "suggests"
		text = fmt.Sprintf("would %s: %s", r.Does(nil), errtext.Plural(n, "card", "cards"))
		if r.Action.Moves() {
			text += ", $" + sum.Grouped()
		}
	case !r.Action.Acts() && r.Matching > 0:
		said = "matches"
		text = fmt.Sprintf("%s, $%s", errtext.Plural(r.Matching, "card", "cards"), r.Sum.Grouped())
	}
	before, known := s.rules.said[r.Name]
	s.rules.said[r.Name] = said
	if said == before || !known && said == "" {
		return
	}
	if said == "" {
		text = "nothing any more"
		if before == "off" {
			text = "on again"
		}
	}
	s.cfg.Tell("rule " + r.Name + ": " + text)
	data, err := encode(struct { // Texts and a time.
		Name string `json:"name"`
		Mode string `json:"mode"`
		Text string `json:"text"`
		At   any    `json:"at"`
	}{r.Name, r.Mode.String(), text, stamp(st.Now())})
	if err == nil {
		s.streams.note("", false, team.Admin, stream.Note{Name: "rule " + r.Name, Event: "rule", Data: data})
	}
}

// tellDid tells who runs the hub what a rule did.
func (s *Server) tellDid(rec *state.Record) {
	text := ruling.Did(rec) + ", " + rec.Action
	if rec.Amount != 0 {
		text += " $" + rec.Amount.Grouped()
	}
	s.cfg.Tell(text + " " + rec.Name)
}

// ruleBody is a rule of the hub as it is told.
type ruleBody struct {
	Name string `json:"name"`
	When string `json:"when"`
	Does string `json:"does"`
	// Mode is "off", "suggest" or "act"; a rule that alerts is off and does so.
	Mode string `json:"mode"`
	// Paused is why it does nothing now; empty when it does.
	Paused string `json:"paused"`
	// Matching counts the cards that match, and Would those that it would act on now,
	// with Amount.
	Matching int     `json:"matching"`
	Would    int     `json:"would_act_on"`
	Amount   api.USD `json:"amount"`
	// Day and Actions are what it did in the last 24 hours.
	Day     api.USD `json:"moved_day"`
	Actions int     `json:"actions_day"`
	Last    string  `json:"last"`
	LastAt  any     `json:"last_at"`
}

// listRules lists the rules that the hub runs. Their sums are of all cards.
func (s *Server) listRules(r *request) (answer, error) {
	if !r.person.SeesAll() {
		return answer{}, forbidden("rules count all cards: this needs the labels '*'")
	}
	out := listOf[ruleBody]{Data: []ruleBody{}}
	err := s.read(r.Context(), func(st *state.Store) {
		for _, is := range st.Rules.All() {
			n, sum := is.Proposes()
			out.Data = append(out.Data, ruleBody{
				Name: is.Name, When: is.When, Does: is.Does(nil), Mode: is.Mode.String(), Paused: s.whyOff(is), Matching: is.Matching, Would: n, Amount: sum,
				Day: is.Used.Amount, Actions: is.Used.Actions, Last: is.Last, LastAt: stamp(is.LastAt),
			})
		}
	})
	if err != nil {
		return answer{}, err
	}
	return jsonOf(out, -1)
}

// RuleOff is a rule that does nothing until a person has it on again, although the hub was
// started with it: it stopped itself, or a person had it off.
type RuleOff struct {
	Name string    `json:"name"`
	Why  string    `json:"why"`
	At   time.Time `json:"at"`
}

// stopRule notes that a rule stopped itself, so that a hub that takes over knows.
func (s *Server) stopRule(st *state.Store, r *state.RuleStatus) {
	if _, known := s.rules.off[r.Name]; r.Stopped() && !known {
		s.setOff(RuleOff{Name: r.Name, Why: ruling.Why(r), At: st.Now().UTC()}, true)
	}
}

// setOff notes that a rule is off, or on again, here and for the hub that takes over.
func (s *Server) setOff(r RuleOff, off bool) {
	delete(s.rules.off, r.Name)
	if off {
		s.rules.off[r.Name] = r
	}
	if s.cfg.Several != nil && s.cfg.Several.RuleOff != nil {
		s.cfg.Several.RuleOff(r, off)
	}
}

// whyOff says why a rule does nothing; empty when it does.
func (s *Server) whyOff(r *state.RuleStatus) string {
	if off, is := s.rules.off[r.Name]; is {
		return off.Why
	}
	return ruling.Why(r)
}

// switchRule has a rule be off, or in the mode again that the hub was started with. That is
// in the audit first, and all hubs know it when it is answered.
func (s *Server) switchRule(r *request) (answer, error) {
	if !r.person.SeesAll() {
		return answer{}, forbidden("rules act on all cards: this needs the labels '*'")
	}
	body, err := readBody(r)
	if err != nil {
		return answer{}, err
	}
	var in struct {
		On *bool `json:"on"`
	}
	if json.Unmarshal(body, &in) != nil || in.On == nil {
		return answer{}, invalid("on is missing")
	}
	mode, there := s.rules.modes[r.id] // They stay as the hub was started with.
	if !there {
		return answer{}, notFound()
	}
	action := "rule off"
	if *in.On {
		action = "rule on"
	}
	record := state.Record{
		Action: action, Outcome: state.OpStatusDone, Name: r.id,
		Method: http.MethodPost, Route: "/hub/v1/rules/{name}", By: r.actor(),
	}
	if _, err := s.cfg.Audit.Add(record); err != nil {
		return answer{}, refuse(http.StatusInternalServerError, "audit_failed", "the audit cannot be written: nothing was changed")
	}
	off := RuleOff{Name: r.id, Why: "turned off by " + r.person.Name, At: s.cfg.Now().UTC()}
	err = s.call(r.Context(), func(st *state.Store) (kernel.Topic, []kernel.Effect) {
		s.setOff(off, !*in.On)
		to := state.SetRuleMode{Name: r.id, Mode: rule.Off}
		if *in.On {
			s.rules.asked[r.id] = s.cfg.Now()
			to.Mode, to.Typed = mode, r.id
		}
		topics, effects, err := st.Dispatch(to)
		if err != nil {
			return kernel.TopicRules, nil // It is off already.
		}
		return topics, effects
	})
	if err == nil {
		err = s.untilTold(r.Context())
	}
	if err != nil {
		return answer{}, err
	}
	return jsonOf(struct {
		Name string `json:"name"`
		On   bool   `json:"on"`
	}{r.id, *in.On}, -1)
}

// untilTold returns when the other hubs were told of what changed until now.
func (s *Server) untilTold(ctx context.Context) error {
	if s.cfg.Several == nil || s.cfg.Several.Told == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if s.cfg.Several.Told(ctx) != nil {
		return refuse(http.StatusGatewayTimeout, "not_told", "it counts at this hub, and the others may not know: ask again")
	}
	return nil
}
