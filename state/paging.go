package state

// endPaging ends a list after the pages read so far: the next one is refused,
// as it would be on every try, and the ones before are known.
func (s *Store) endPaging(lane Lane, pages int, m Meta) {
	switch lane {
	case LaneSweep:
		s.Poll.SetPages(pages)
		s.Cards.full = true
	case LaneFeed:
		s.Txns.endFeed(pages, m.At)
	default:
	}
	s.Poll.succeed(lane, m)
}

// pageOf tells which page an effect reads; 0 when what it reads has none.
func pageOf(e Effect) int {
	if p, ok := e.(paged); ok {
		return p.page()
	}
	return 0
}
