package ledger

import "time"

// Kept knows which of the days that are over are on disk as the ledger has them. The
// zero value knows of none.
type Kept struct {
	versions map[time.Time]uint64
	// begun is the day that parts are being restored of, rows how many there were, and
	// held whether the ledger held something of it before them.
	begun time.Time
	rows  uint64
	held  bool
}

// Restore adds days from the disk, or parts of them, to a ledger.
func (k *Kept) Restore(l *Ledger, now time.Time, days ...Closed) {
	for i := range days {
		d := &days[i]
		n := hourOf(d.Day.UnixMicro()).day()
		if !d.Day.Equal(k.begun) {
			k.begun, k.rows, k.held = d.Day, 0, l.dayVersion(n) != 0
		}
		k.rows += uint64(len(d.Rows))
		l.Restore(now, *d)
		if d.More {
			continue
		}
		// What was there before, or came meanwhile, is newer than the file.
		if after := l.dayVersion(n); !k.held && after == k.rows && l.closed(n) {
			k.Saved(DayVersion{Day: dayTime(n), Version: after})
		}
		k.begun = time.Time{}
	}
}

// Changed returns the oldest of the days that are not on disk as the ledger has them, at
// most so many: with 100,000 cards a day takes some milliseconds.
func (k *Kept) Changed(l *Ledger, most int) (days []Closed, versions []DayVersion) {
	for _, v := range l.ClosedDays() {
		if len(days) == most {
			break
		}
		if saved, ok := k.versions[v.Day]; ok && saved == v.Version {
			continue
		}
		if d, ok := l.Close(v.Day); ok {
			days, versions = append(days, d), append(versions, v)
		}
	}
	return days, versions
}

// Saved records that days are on disk in some versions.
func (k *Kept) Saved(versions ...DayVersion) {
	if k.versions == nil {
		k.versions = make(map[time.Time]uint64)
	}
	for _, v := range versions {
		k.versions[v.Day] = v.Version
	}
}

// dayVersion is the version of a day, 0 while nothing is held of it.
func (l *Ledger) dayVersion(n int32) uint64 {
	if d := l.days[n]; d != nil {
		return d.version
	}
	return 0
}
