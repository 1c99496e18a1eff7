package state

import "time"

// shownCopy is how long a request that was copied stays on the clipboard: it
// is no secret.
const shownCopy = 2 * time.Minute

// DryRun tells whether writes are shown and not sent.
func (ops *OpsTable) DryRun() bool { return ops.dry }

// SetDryRun begins or ends a dry run. It begins here at once; it ends when
// the engine has heard of it, so that there is no moment at which one of the
// two would send what the other shows.
func (ops *OpsTable) SetDryRun(on bool) (Topic, []Effect) {
	if on {
		ops.dry = true
		ops.notices.tell(Info, "dry run: writes are shown, nothing is sent")
	}
	return TopicOps | TopicNotice, []Effect{SetDryRun{On: on}}
}

// checkDryRun refuses to begin while something sent waits for its outcome: it
// may have to be sent again.
func (ops *OpsTable) checkDryRun() Verdict {
	if ops.dry {
		return Verdict{}
	}
	for _, op := range ops.ops {
		if op.Phase != Unsettled {
			return Verdict{Reason: "no dry run yet: " + ops.cards.busyText(*op)}
		}
	}
	return Verdict{}
}

func (ops *OpsTable) dryRunSet(ev DryRunSet) Topic {
	if ev.On || !ops.dry {
		return 0
	}
	ops.dry = false
	ops.notices.tell(Warn, "the dry run is over: writes are sent")
	return TopicOps | TopicNotice
}

// rehearse gives what would have been sent.
func (ops *OpsTable) rehearse(r request) []Effect {
	return []Effect{ShowRequest{Write: &r.write, Name: r.name, Kind: r.kind, Key: ops.cfg.NewKey()}}
}

func (cl *ClipTable) copyText(in CopyText) []Effect {
	seq := cl.beginCopy(copying{what: in.What, kind: "text"})
	return []Effect{CopyPlain{Seq: seq, Text: in.Text, TTL: shownCopy}}
}
