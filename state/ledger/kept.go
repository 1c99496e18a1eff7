package ledger

import "time"

// Kept knows which of the days that are over are on disk as the ledger has them. The
// zero value knows of none.
type Kept struct{ versions map[time.Time]uint64 }

// Restore adds days from the disk to a ledger.
func (k *Kept) Restore(l *Ledger, now time.Time, days ...Closed) {
	for i := range days {
		d := &days[i]
		n := hourOf(d.Day.UnixMicro()).day()
		before := l.dayVersion(n)
		l.Restore(now, *d)
		// What was there before is newer than the file.
		if after := l.dayVersion(n); before == 0 && after == uint64(len(d.Rows)) && l.closed(n) {
			k.Saved(DayVersion{Day: dayTime(n), Version: after})
		}
	}
}

// Changed returns the days that are not on disk as the ledger has them, and their
// versions.
func (k *Kept) Changed(l *Ledger) (days []Closed, versions []DayVersion) {
	for _, v := range l.ClosedDays() {
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
