package stream

// Seen is what the people of each view saw last: a digest of each part, by its name. It is
// for one goroutine at a time.
type Seen struct {
	last  map[string]map[string]uint64
	begun map[string]bool
}

// NewSeen returns one in which nobody saw anything.
func NewSeen() Seen {
	return Seen{last: make(map[string]map[string]uint64), begun: make(map[string]bool)}
}

// Changed records what people of a view see and returns the parts that differ from what
// they saw.
func (s *Seen) Changed(view string, now map[string]uint64) (names []string) {
	last := s.last[view]
	if last == nil {
		last = make(map[string]uint64)
		s.last[view] = last
	}
	for name, digest := range now {
		if before, known := last[name]; known && before != digest {
			names = append(names, name)
		}
		last[name] = digest
	}
	return names
}

// Begun reports whether all parts of a view were seen. A change of some parts may come
// before the first reader of the view has begun.
func (s *Seen) Begun(view string) bool { return s.begun[view] }

// Begin records all parts of a view. What is known of one by a change stays, so that the
// next change is compared with it.
func (s *Seen) Begin(view string, all map[string]uint64) {
	for name := range s.last[view] {
		delete(all, name)
	}
	s.Changed(view, all)
	s.begun[view] = true
}

// Forget has nobody of a view have seen anything.
func (s *Seen) Forget(view string) {
	delete(s.last, view)
	delete(s.begun, view)
}
