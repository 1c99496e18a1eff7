package state

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// managersEvery is how often clipboard managers are looked for.
const managersEvery = time.Minute

// managerBook is what is known of the clipboard managers that run.
type managerBook struct {
	names   []api.Text
	look    time.Time // when to look for them next
	looking bool
	told    []api.Text // those a person was told of
}

// lookForManagers asks which clipboard managers run, at once and every so often.
func (s *Store) lookForManagers(now time.Time) {
	b := &s.managers
	if !s.cfg.FindManagers || b.looking || now.Before(b.look) {
		return
	}
	b.looking, b.look = true, now.Add(managersEvery)
	s.wants = append(s.wants, FindManagers{})
}

func (s *Store) managersFound(ev ManagersFound) Topic {
	s.hear(ev.Meta)
	s.managers.looking, s.managers.names = false, ev.Names
	return TopicSecrets
}

// keepers names the clipboard managers that may keep a copy: those that run,
// unless they were asked to look away, or it went to a terminal, which may be
// on another machine.
func (s *Store) keepers(ev Copied) string {
	if ev.State != ClipCopied || ev.Hinted {
		return ""
	}
	names := make([]string, 0, len(s.managers.names))
	for _, n := range s.managers.names {
		names = append(names, string(n))
	}
	return strings.Join(names, ", ")
}

// tellKeepers tells once of each manager that may keep what is copied.
func (s *Store) tellKeepers(keepers string) {
	b, news := &s.managers, false
	if keepers == "" {
		return
	}
	for _, name := range b.names {
		if !slices.Contains(b.told, name) {
			b.told, news = append(b.told, name), true
		}
	}
	if !news {
		return
	}
	text := keepers + " may keep what is copied in its history: it cannot be asked to look away"
	if s.notice.Text == "" {
		s.tell(Warn, text)
		return
	}
	s.later = Notice{Level: Warn, Text: text} // What is told now is about the copy itself.
}
