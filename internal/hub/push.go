package hub

import (
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/push"
)

// tellPush prints when webhooks start or stop to arrive. People see it by nothing: what
// they read is as old as its Age says.
func (s *Server) tellPush(st *state.Store) {
	text := ""
	switch now, why := st.Poll.Push(); now {
	case push.On:
		text = "push: webhooks arrive"
	case push.Lost:
		text = "no push, polling: " + why
	default:
		return // Not asked for, or not known yet.
	}
	if text != s.pushed {
		s.pushed = text
		s.cfg.Tell(text)
	}
}
