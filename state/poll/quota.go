package poll

import "time"

// quotaMinutes is how long a request counts, and in how many parts: it may count up to
// one of them longer.
const quotaMinutes = 60

// Quota counts the requests of the last hour of what may send only so many. The
// zero value has sent none.
type Quota struct {
	minutes [quotaMinutes + 1]struct {
		start time.Time
		sent  int
	}
}

// Take counts a request when fewer than most were sent in the last hour. If not, it
// returns when that is so.
func (q *Quota) Take(now time.Time, most int) (free time.Time, ok bool) {
	if most <= 0 {
		return now.Add(quotaMinutes * time.Minute), false
	}
	now = now.Round(0)
	sum := 0
	for i := range q.minutes {
		m := &q.minutes[i]
		over := m.start.Add((quotaMinutes + 1) * time.Minute)
		switch {
		case m.sent == 0:
		case !now.Before(over) || now.Before(m.start):
			m.sent = 0
		default:
			sum += m.sent
			if free.IsZero() || over.Before(free) {
				free = over
			}
		}
	}
	if sum >= most {
		return free, false
	}
	start := now.Truncate(time.Minute)
	m := &q.minutes[int(start.Unix()/60)%len(q.minutes)]
	if !m.start.Equal(start) {
		m.start, m.sent = start, 0
	}
	m.sent++
	return time.Time{}, true
}
