package secrets

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
)

// FindManagers asks which clipboard managers run, soon and every so often. It reads of all
// processes: at the start the first frames go first.
func (t *Table) FindManagers(now time.Time) {
	b := &t.managers
	if b.due.IsZero() {
		b.due = now.Add(managersFirst)
	}
	if t.Cfg.Screen == nil || !t.Cfg.Screen.FindManagers || b.asked || now.Before(b.due) {
		return
	}
	b.asked, b.due = true, now.Add(managersEvery)
	t.Wants = append(t.Wants, FindManagers{})
}

// FindManagers finds clipboard managers that save what is copied.
type FindManagers struct{}

func (FindManagers) Effect() {}

func (t *Table) managersFound(ev ManagersFound) kernel.Topic {
	t.managers.asked, t.managers.names = false, ev.Names
	// One that has started since the copy saves it all the same.
	t.clip.Keepers = t.managersThatSave(t.clip.State, t.clip.hinted)
	return kernel.TopicSecrets | t.sayManagers(t.clip.Keepers)
}

// managersThatSave names the clipboard managers that may save a copy: those that run,
// unless they were asked not to, or it went to a terminal, which may be
// on another machine.
func (t *Table) managersThatSave(state ClipState, hinted bool) string {
	if state != ClipCopied || hinted {
		return ""
	}
	names := make([]string, 0, len(t.managers.names))
	for _, n := range t.managers.names {
		names = append(names, string(n))
	}
	return strings.Join(names, ", ")
}

// sayManagers shows a notice once for each manager that may save what is copied.
func (t *Table) sayManagers(keepers string) kernel.Topic {
	b, news := &t.managers, false
	if keepers == "" {
		return 0
	}
	for _, name := range b.names {
		if !slices.Contains(b.said, name) {
			b.said, news = append(b.said, name), true
		}
	}
	if !news {
		return 0
	}
	text := keepers + " may save what is copied in its history: it cannot be told not to"
	t.needs.Notices.SayNext(kernel.Warn, text) // The notice on the screen is about the copy itself.
	return kernel.TopicNotice
}

// managersEvery is how often clipboard managers are searched for, and managersFirst how
// long after the start.
const (
	managersEvery = time.Minute
	managersFirst = time.Second
)

// managers is what is known of the clipboard managers that run.
type managers struct {
	names []api.Text
	due   time.Time // when to find them next
	asked bool
	said  []api.Text // those there was a notice of
}

// ManagersFound names the clipboard managers that run; nothing where none is
// known to.
type ManagersFound struct {
	kernel.Meta
	Names []api.Text
}

func (ev ManagersFound) Apply(t *Table) (kernel.Topic, []kernel.Effect) {
	return t.managersFound(ev), nil
}
