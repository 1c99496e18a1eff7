package state

import "time"

// shownCopy is how long a request that was copied stays on the clipboard: it
// is no secret.
const shownCopy = 2 * time.Minute

// DryRun tells whether writes are shown and not sent.
func (s *Store) DryRun() bool { return s.dry }

// SetDryRun begins or ends a dry run. It begins here at once; it ends when
// the engine has heard of it, so that there is no moment at which one of the
// two would send what the other shows.
func (s *Store) SetDryRun(on bool) (Topic, []Effect) {
	if on {
		s.dry = true
		s.tell(Info, "dry run: writes are shown, nothing is sent")
	}
	return TopicOps | TopicNotice, []Effect{SetDryRun{On: on}}
}

// checkDryRun refuses to begin while something sent waits for its outcome: it
// may have to be sent again.
func (s *Store) checkDryRun() Verdict {
	if s.dry {
		return Verdict{}
	}
	for _, op := range s.ops {
		if op.Phase != Unsettled {
			return Verdict{Reason: "no dry run yet: " + s.busyText(*op)}
		}
	}
	return Verdict{}
}

func (s *Store) dryRunSet(ev DryRunSet) Topic {
	s.hear(ev.Meta)
	if ev.On || !s.dry {
		return 0
	}
	s.dry = false
	s.tell(Warn, "the dry run is over: writes are sent")
	return TopicOps | TopicNotice
}

// rehearse gives what would have been sent.
func (s *Store) rehearse(d draft) []Effect {
	return []Effect{ShowRequest{Write: &d.write, Name: d.name, Kind: d.kind, Key: s.cfg.NewKey()}}
}

func (s *Store) copyText(in CopyText) []Effect {
	seq := s.beginCopy(copying{what: in.What, kind: "text"})
	return []Effect{CopyPlain{Seq: seq, Text: in.Text, TTL: shownCopy}}
}
