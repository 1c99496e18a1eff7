package state

// logKept bounds how many changes are remembered: many sweeps' pages.
const logKept = 8192

// changeLog notes which rows of a book changed, so that whoever keeps them in
// an order of its own looks only at those.
type changeLog struct {
	from uint64 // the version before the first of rows
	rows []int32
}

func (l *changeLog) version() uint64 { return l.from + uint64(len(l.rows)) }

// note says that a row is about to change.
func (l *changeLog) note(row int) {
	if len(l.rows) >= logKept {
		const half = logKept / 2
		l.rows = append(l.rows[:0], l.rows[half:]...)
		l.from += half
	}
	l.rows = append(l.rows, int32(row))
}

// reset says that rows have other places.
func (l *changeLog) reset() { l.from, l.rows = l.version()+1, l.rows[:0] }

// since gives the rows noted since a version; false when it is too long ago.
func (l *changeLog) since(version uint64) (rows []int32, ok bool) {
	if version < l.from || version > l.version() {
		return nil, false
	}
	return l.rows[version-l.from:], true
}
