package backend

import "slices"

// moshServer is what a mosh session runs under on the machine it goes to.
const moshServer = "mosh-server"

// droppedByMosh is what to do about a mosh that is too old.
const droppedByMosh = "mosh drops copies; use ssh, or mosh 1.4"

// mosh is whether a process is in a mosh session, and the version it is of as
// the server tells it.
type mosh struct {
	on      bool
	version string
}

// mosh finds a mosh server above a process.
func (s Session) mosh(pid int) mosh {
	if s.Above == nil || !slices.Contains(s.Above(pid), moshServer) {
		return mosh{}
	}
	return mosh{on: true, version: s.Version(moshServer)}
}

// drops reports whether no copy gets through. A version that is not told may be
// new enough.
func (m mosh) drops() bool { return m.on && m.version != unknown && !atLeast(m.version, 1, 4) }
