package state

import (
	"cmp"

	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rule"
)

// actOnRules compares cards with the rules, and begins what those may do that act.
func actOnRules(s *Store) (kernel.Topic, []kernel.Effect) {
	topics := s.Rules.settlePlans()
	if !s.Rules.compare() {
		return topics, nil
	}
	topics |= s.Rules.conclude()
	var effects []kernel.Effect
	for _, r := range s.Rules.All() {
		r.Paused, r.Passing = whyPaused(s, r)
		n, _ := r.Proposes()
		if r.Mode != rule.Act || r.Paused != "" || n == 0 {
			continue
		}
		p := planUnattended(s, r)
		if p.Blocked != "" {
			r.Paused = cmp.Or(whyNoRow(s, r, p), p.Blocked)
			continue
		}
		r.plan = p.ID
		effects = append(effects, s.Bulk.runPlan(p)...)
		topics |= kernel.TopicOps
	}
	return topics, effects
}

// whyNoRow returns why no card that a rule proposes something for can be acted on.
func whyNoRow(s *Store, r *RuleStatus, p *Plan) string {
	if len(p.Rows) > 0 {
		return ""
	}
	for i := range r.Proposals {
		if r.Proposals[i].Out == "" {
			v := s.Check(writeOfRule(r.Action, &r.Proposals[i]))
			return cmp.Or(v.Reason, v.Again)
		}
	}
	return ""
}

// whyPaused returns why a rule that is armed does nothing now, and whether that passes by
// itself within seconds.
func whyPaused(s *Store, r *RuleStatus) (why string, passing bool) {
	since, offline := s.Poll.Offline()
	_, walletKnown := s.Wallets.Balance()
	switch {
	case r.Stopped():
		return r.Paused, false
	case r.Broken != nil:
		return s.Lang.Tf("its filter: %s", r.Broken.Error()), false
	case r.Mode == rule.Off || !r.Action.Acts():
		return "", false
	case s.Cfg.ReadOnly:
		return errtext.ReadOnly(s.Lang), false
	case s.Ops.DryRun():
		return s.Lang.T("dry run"), false
	case offline && r.Action != rule.Freeze:
		return s.OfflineSince(since), false
	case r.Action.Moves() && !walletKnown:
		return s.Lang.T("the wallet is not read yet"), true
	case !r.Between.Hold(s.Time.Local()):
		return s.Lang.Tf("outside %s", r.Between.String()), false
	case r.Mode == rule.Act && (!s.History.Past().Known || s.History.Past().Loading):
		return s.Lang.T("the history is not read yet"), true
	case r.plan != "":
		return s.Lang.T("its plan is under way"), true
	case s.Time.Before(r.RestsTill) && r.Failures == 0: // A card was not as planned.
		return s.Lang.Tf("waits until %s", errtext.Clock(s.Lang, r.RestsTill, s.Time)), false
	case s.Time.Before(r.RestsTill):
		return s.Lang.Tf("waits until %s after a failure", errtext.Clock(s.Lang, r.RestsTill, s.Time)), false
	}
	if why = rule.Hindrance(r.Proposals); why != "" {
		return why, false
	}
	why = s.Rules.afterOthers(r)
	return why, why != ""
}

// afterOthers returns that the plan of another rule is under way: one after the other
// counts with what the wallet holds then.
func (ru *RulesTable) afterOthers(r *RuleStatus) string {
	for _, o := range ru.list {
		if o != r && o.plan != "" && r.Action.FromWallet() && o.Action.FromWallet() {
			return ru.Lang.Tf("after the plan of rule %s", o.Name)
		}
	}
	return ""
}

// SetRuleMode asks that a rule is off, suggests or acts. To act takes its name, as
// it was typed.
type SetRuleMode struct {
	Name  string
	Mode  rule.Mode
	Typed string
}

func (in SetRuleMode) Check(s *Store) kernel.Verdict {
	r, ok := s.Rules.Get(in.Name)
	v := kernel.Verdict{Danger: kernel.Harmless}
	switch {
	case !ok:
		v.Reason = s.Lang.Tf("rule %s is not in the configuration", in.Name)
	case in.Mode == rule.Off && r.Mode == rule.Off && r.seq == 0 && r.Failures == 0:
		v.Reason = s.Lang.Tf("rule %s is off", in.Name)
	case in.Mode == rule.Off:
	case !r.Action.Acts():
		v.Reason = s.Lang.T("the rule only alerts, and always does")
	case s.Cfg.ReadOnly:
		v.Reason = errtext.ReadOnly(s.Lang)
	case in.Mode == rule.Act && in.Typed != in.Name:
		v.Reason = s.Lang.Tf("type the name of the rule: %s", in.Name)
	}
	return v
}

func (in SetRuleMode) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	r, _ := s.Rules.Get(in.Name)
	s.Rules.pass.Anew(s.Time)
	s.Rules.disarm(r)
	r.Paused = ""
	topics := kernel.TopicRules | s.Alerts.End(ruleID(r.Name))
	switch in.Mode {
	case rule.Act:
		r.seq = s.NextSeq()
		return topics, []kernel.Effect{LockRule{Name: r.Name, Seq: r.seq}}
	case rule.Suggest:
		r.Mode = rule.Suggest
	default:
	}
	return topics, nil
}

// Ask is check before the name is typed.
func (in SetRuleMode) Ask(s *Store) kernel.Verdict {
	in.Typed = in.Name
	return in.Check(s)
}

// LookAtRules asks that cards are compared with the rules at once.
type LookAtRules struct{}

func (LookAtRules) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Rules.pass.Anew(s.Time)
	return kernel.TopicRules, nil
}

// ReviewRule asks for the plan of a rule, which the user may carry out.
type ReviewRule struct{ Name string }

func (in ReviewRule) Check(s *Store) kernel.Verdict {
	r, ok := s.Rules.Get(in.Name)
	switch {
	case !ok:
		return kernel.Verdict{Reason: s.Lang.Tf("rule %s is not in the configuration", in.Name)}
	case !r.Action.Acts():
		return kernel.Verdict{Reason: s.Lang.T("the rule only alerts")}
	case r.Looked.IsZero():
		return kernel.Verdict{Reason: s.Lang.T("the cards are not read yet")}
	case len(r.Proposals) == 0:
		return kernel.Verdict{Reason: s.Lang.T("no card matches")}
	}
	return kernel.Verdict{}
}

// ReviewIdle asks for the plan that withdraws from the idle cards.
type ReviewIdle struct{}

func (ReviewIdle) Check(s *Store) kernel.Verdict {
	if len(s.Rules.Idle()) == 0 {
		return kernel.Verdict{Reason: s.Lang.T("no card is idle any more")}
	}
	return kernel.Verdict{}
}

// RuleLocked is the result of LockRule; Err is why the rule does not act here.
type RuleLocked struct {
	LockRule
	kernel.Meta
	Err error
}

// Apply arms the rule. What other programs did with it until now counts: the history
// is read again.
func (ev RuleLocked) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	r, ok := s.Rules.Get(ev.Name)
	if !ok || r.seq != ev.Seq {
		return 0, nil
	}
	if ev.Err != nil {
		r.Paused, r.seq = ev.Err.Error(), 0
		s.Notices.Say(kernel.Bad, ev.Err.Error())
		return kernel.TopicRules | kernel.TopicNotice, nil
	}
	r.Mode = rule.Act
	s.Rules.pass.Anew(s.Time)
	s.Notices.Say(kernel.Warn, s.Lang.Tf("rule %s acts until this program ends", r.Name))
	return kernel.TopicRules | kernel.TopicNotice, s.History.load()
}

// RuleUnlocked is the result of UnlockRule.
type RuleUnlocked struct{ kernel.Meta }

func (RuleUnlocked) Apply(*Store) (kernel.Topic, []kernel.Effect) { return 0, nil }
