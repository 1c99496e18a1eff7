package node

import (
	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
	"github.com/cardtop/cardtop/state"
)

// claim tells who takes a code. It runs where the store is.
func (p *publisher) claim(c hub.Claim) {
	p.rest[place{replica.Claimed, string(c.Challenge)}] = sum{}
	p.publish(func(add func(replica.Item, error)) { add(replica.Put(string(c.Challenge), replica.Claim(c))) })
}

// ask tells of a request for an approval that is there, or waits no more. It runs where
// the store is.
func (p *publisher) ask(a hub.Asked, waits bool) {
	delete(p.asked, a.ID)
	if waits {
		p.asked[a.ID] = replica.Asked(a)
		delete(p.rest, place{replica.Waits, a.ID}) // It may wait again.
	}
	p.publish(p.followAsked)
}

// followAsked finds the requests that the others were not told of, and those that wait no
// more: they expired, or were asked of a leader before this one, who has forgotten them.
func (p *publisher) followAsked(add func(replica.Item, error)) {
	for id, a := range p.asked {
		at := place{replica.Waits, id}
		if _, told := p.rest[at]; !p.now().Before(a.Until) {
			delete(p.asked, id)
		} else if !told {
			p.rest[at] = sum{}
			add(replica.Put(id, a))
		}
	}
	p.forget(replica.Waits, func(id string) bool { _, waits := p.asked[id]; return waits }, add)
}

// ruleOff tells of a rule that is off until a person has it on, or that is on again. It runs
// where the store is.
func (p *publisher) ruleOff(r hub.RuleOff, off bool) {
	if delete(p.off, r.Name); off {
		p.off[r.Name] = replica.RuleOff(r)
		delete(p.rest, place{replica.Off, r.Name}) // It may be off for another reason.
	}
	p.publish(p.followOff)
}

// rulesOff are those that are off when this hub begins to lead.
func (p *publisher) rulesOff() []hub.RuleOff {
	all := make([]hub.RuleOff, 0, len(p.off))
	for _, r := range p.off {
		all = append(all, hub.RuleOff(r))
	}
	return all
}

// followOff finds the rules that the others were not told of, or no longer know to be off.
func (p *publisher) followOff(add func(replica.Item, error)) {
	for name, r := range p.off {
		at := place{replica.Off, name}
		if _, told := p.rest[at]; !told {
			p.rest[at] = sum{}
			add(replica.Put(name, r))
		}
	}
	p.forget(replica.Off, func(name string) bool { _, off := p.off[name]; return off }, add)
}

// followWork finds what changed of what is under way.
func (p *publisher) followWork(st *state.Store, add func(replica.Item, error)) {
	there := make(map[string]bool)
	for _, w := range hub.WorkOf(st) {
		there[string(w.Key)] = true
		p.few(string(w.Key), replica.Work(w), add)
	}
	p.forget(replica.Under, func(id string) bool { return there[id] }, add)
}

// forget tells of the objects of a kind that are no more.
func (p *publisher) forget(kind replica.Kind, there func(id string) bool, add func(replica.Item, error)) {
	for at := range p.rest {
		if at.kind == kind && !there(at.id) {
			delete(p.rest, at)
			add(replica.Item{Kind: kind, ID: at.id, Gone: true}, nil)
		}
	}
}
