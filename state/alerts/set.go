package alerts

import (
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

// Saving reports whether alert lines are being written, and why the last ones were not.
func (al *Table) Saving() (saving bool, err error) { return al.saving, al.unsaved }

// Acknowledge marks an alert as seen, or as unseen again.
type Acknowledge struct{ ID alert.ID }

func (in Acknowledge) Start(al *Table) (kernel.Topic, []kernel.Effect) {
	return ifAlerts(al.list.Acknowledge(in.ID, al.ServerNow())), nil
}

// Snooze asks to be reminded of an alert after alert.SnoozeFor; again: at once.
type Snooze struct{ ID alert.ID }

func (in Snooze) Start(al *Table) (kernel.Topic, []kernel.Effect) {
	return ifAlerts(al.list.Snooze(in.ID, al.Time)), nil
}

// Set writes alert lines into the configuration file, which is read again then.
type Set struct{ Settings []settings.Setting }

func (in Set) Check(al *Table) kernel.Verdict {
	if al.saving {
		return kernel.Verdict{Reason: al.Lang.T("the lines before are being saved")}
	}
	return kernel.Verdict{}
}

func (in Set) Start(al *Table) (kernel.Topic, []kernel.Effect) {
	al.saving, al.unsaved = true, nil
	return kernel.TopicAlerts, []kernel.Effect{Save(in)}
}

// Save writes settings into the configuration file.
type Save struct{ Settings []settings.Setting }

func (Save) Effect() {}

// Saved is the result of Save; Err is why they were not written.
type Saved struct {
	kernel.Meta
	Err error
}

func (ev Saved) Apply(al *Table) (kernel.Topic, []kernel.Effect) {
	al.saving, al.unsaved = false, ev.Err
	if ev.Err == nil {
		al.needs.Notices.Say(kernel.Good, al.Lang.T("alert lines saved"))
	}
	return kernel.TopicAlerts | kernel.TopicNotice, nil
}
