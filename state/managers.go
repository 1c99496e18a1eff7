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
func (cl *ClipTable) lookForManagers(now time.Time) {
	b := &cl.managers
	if !cl.cfg.FindManagers || b.looking || now.Before(b.look) {
		return
	}
	b.looking, b.look = true, now.Add(managersEvery)
	cl.wants = append(cl.wants, FindManagers{})
}

func (cl *ClipTable) managersFound(ev ManagersFound) Topic {
	cl.managers.looking, cl.managers.names = false, ev.Names
	return TopicSecrets
}

// keepers names the clipboard managers that may keep a copy: those that run,
// unless they were asked to look away, or it went to a terminal, which may be
// on another machine.
func (cl *ClipTable) keepers(ev Copied) string {
	if ev.State != ClipCopied || ev.Hinted {
		return ""
	}
	names := make([]string, 0, len(cl.managers.names))
	for _, n := range cl.managers.names {
		names = append(names, string(n))
	}
	return strings.Join(names, ", ")
}

// tellKeepers tells once of each manager that may keep what is copied.
func (cl *ClipTable) tellKeepers(keepers string) {
	b, news := &cl.managers, false
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
	if cl.notices.notice.Text == "" {
		cl.notices.tell(Warn, text)
		return
	}
	cl.notices.later = Notice{Level: Warn, Text: text} // What is told now is about the copy itself.
}
