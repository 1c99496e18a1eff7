package kernel

import "fmt"

// Intent is something the user wants done, bound to the id it was asked for and never to a position on the screen. The
// feature that it belongs to, T, has Start(T) in it, and Check(T) where it cannot always be done; see Room.
type Intent any

// Event is something that has happened. Everything the store learns arrives as one, failures included. The feature that
// it belongs to, T, has Apply(T) in it.
type Event interface {
	// Head is when and how an answer came; zero for what is none.
	Head() Meta
}

// What an intent, an event and an effect have for the feature T that they belong to.
type (
	// Starter does an intent. One that only opens a screen, or asks for its particulars first, has none.
	Starter[T any] interface{ Start(t T) (Topic, []Effect) }
	// Checker reports whether an intent can be done now.
	Checker[T any] interface{ Check(t T) Verdict }
	// Asker reports whether an intent can be asked for before its particulars are known.
	Asker[T any] interface{ Ask(t T) Verdict }
	// Shower is why an intent would show what a private screen hides; empty when it is shown already.
	Shower[T any] interface{ Hidden(t T) string }
	// Applier merges an event and returns which parts changed and what follows.
	Applier[T any] interface {
		Apply(t T) (Topic, []Effect)
	}
	// Fallible says what the failure of an effect changes.
	Fallible[T any] interface{ Failed(t T, f Failure) Topic }
)

// Feature is a part of the store as the store sees it; mine is false for what belongs to another.
type Feature interface {
	Start(in Intent) (topics Topic, effects []Effect, mine bool)
	Check(in Intent) (v Verdict, mine bool)
	Ask(in Intent) (v Verdict, mine bool)
	Hidden(in Intent) (why string, mine bool)
	Apply(ev Event) (topics Topic, effects []Effect, mine bool)
	Failed(e Effect, f Failure) (topics Topic, mine bool)
}

// Room makes a feature of a table: what has a method that takes the table belongs to it.
type Room[T any] struct{ Table T }

// Start implements Feature.
func (r Room[T]) Start(in Intent) (topics Topic, effects []Effect, mine bool) {
	own, mine := in.(Starter[T])
	if mine {
		topics, effects = own.Start(r.Table)
	}
	return topics, effects, mine
}

// Check implements Feature.
func (r Room[T]) Check(in Intent) (v Verdict, mine bool) {
	own, mine := in.(Checker[T])
	if mine {
		v = own.Check(r.Table)
	}
	return v, mine
}

// Ask implements Feature.
func (r Room[T]) Ask(in Intent) (v Verdict, mine bool) {
	own, mine := in.(Asker[T])
	if mine {
		v = own.Ask(r.Table)
	}
	return v, mine
}

// Hidden implements Feature.
func (r Room[T]) Hidden(in Intent) (why string, mine bool) {
	own, mine := in.(Shower[T])
	if mine {
		why = own.Hidden(r.Table)
	}
	return why, mine
}

// Apply implements Feature.
func (r Room[T]) Apply(ev Event) (topics Topic, effects []Effect, mine bool) {
	own, mine := ev.(Applier[T])
	if mine {
		topics, effects = own.Apply(r.Table)
	}
	return topics, effects, mine
}

// Failed implements Feature.
func (r Room[T]) Failed(e Effect, f Failure) (topics Topic, mine bool) {
	own, mine := e.(Fallible[T])
	if mine {
		topics = own.Failed(r.Table, f)
	}
	return topics, mine
}

// Features are those of a store, each of which may have what comes.
type Features []Feature

// Start starts an intent; mine is false for what belongs to no feature.
func (all Features) Start(in Intent) (topics Topic, effects []Effect, mine bool) {
	for _, f := range all {
		if topics, effects, mine = f.Start(in); mine {
			break
		}
	}
	return topics, effects, mine
}

// Check reports whether an intent can be done now.
func (all Features) Check(in Intent) (v Verdict, mine bool) {
	for _, f := range all {
		if v, mine = f.Check(in); mine {
			break
		}
	}
	return v, mine
}

// Ask reports whether an intent can be asked for before its particulars are known.
func (all Features) Ask(in Intent) (v Verdict, mine bool) {
	for _, f := range all {
		if v, mine = f.Ask(in); mine {
			break
		}
	}
	return v, mine
}

// Hidden is why an intent would show what a private screen hides; empty for nothing.
func (all Features) Hidden(in Intent) (why string) {
	for _, f := range all {
		if why, mine := f.Hidden(in); mine {
			return why
		}
	}
	return ""
}

// Apply merges an event.
func (all Features) Apply(ev Event) (topics Topic, effects []Effect) {
	for _, f := range all {
		if topics, effects, mine := f.Apply(ev); mine {
			return topics, effects
		}
	}
	panic(fmt.Sprintf("no feature has the event %T", ev)) //nolint:forbidigo // a fault of the program, in silence until then
}

// Failed says what the failure of an effect changes.
func (all Features) Failed(e Effect, f Failure) Topic {
	for _, part := range all {
		if topics, mine := part.Failed(e, f); mine {
			return topics
		}
	}
	return 0
}

// Tell says that something has become so. Those that Hear facts of its type do once what is under way is done; see
// Settle.
func Tell[F any](c *Core, fact F) {
	for _, hear := range c.hears[(*F)(nil)] {
		c.facts = append(c.facts, func() (Topic, []Effect) { return hear(fact) })
	}
}

// Hear has the facts of a type heard. It is called where the features are put together, so that none names another.
func Hear[F any](c *Core, hear func(F) (Topic, []Effect)) {
	if c.hears == nil {
		c.hears = make(map[any][]func(any) (Topic, []Effect))
	}
	c.hears[(*F)(nil)] = append(c.hears[(*F)(nil)], func(fact any) (Topic, []Effect) {
		own, _ := fact.(F)
		return hear(own)
	})
}

// Settle has the facts heard that were told since, and those that are told because of them, in order.
func (c *Core) Settle() (topics Topic, effects []Effect) {
	for len(c.facts) > 0 {
		hear := c.facts[0]
		c.facts = c.facts[1:]
		t, e := hear()
		topics, effects = topics|t, append(effects, e...)
	}
	return topics, effects
}

// Afterwards has something done once the facts told until now were heard.
func (c *Core) Afterwards(do func() Topic) {
	c.facts = append(c.facts, func() (Topic, []Effect) { return do(), nil })
}
