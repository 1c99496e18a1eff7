package kernel

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
