package hub

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/cardtop/cardtop/internal/engine/ruling"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rule"
)

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
