package state

// endWalk takes the pages read so far for all there are: the next one is
// refused, as it would be for ever, and the ones before are known.
func (s *Store) endWalk(lane Lane, pages int, m Meta) {
	switch lane {
	case LaneSweep:
		s.cards.pages, s.cards.full = pages, true
	case LaneFeed:
		s.endFeed(pages, m.At)
	default:
	}
	s.succeed(lane, m)
}

// pageOf tells which page an effect reads; 0 when what it reads has none.
func pageOf(e Effect) int {
	switch e := e.(type) {
	case FetchCards:
		return e.Page
	case FetchTransactions:
		return e.Page
	default:
		return 0
	}
}

// close ends a request that brought nothing. A later page is asked for again
// by itself: the pages before it would not be read on from a second time,
// because the feed stops where nothing is new.
func (l *laneState) close(e Effect) {
	l.inFlight, l.again, l.rest = 0, false, nil
	if pageOf(e) > 1 {
		l.rest = e
	}
}
