package state

import (
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/secrets"
)

// WriteRows requests rows in a new file, or on the clipboard.
type WriteRows struct {
	Rows   rows.Rows
	Format rows.Format
	Copy   bool
}

func (in WriteRows) Check(s *Store) kernel.Verdict {
	return kernel.Verdict{Reason: in.Rows.Refusal(s.Lang)}
}

func (in WriteRows) Start(*Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicViews | kernel.TopicNotice, []kernel.Effect{SaveRows(in)}
}

// SaveRows writes rows to a new file, or only puts them into words for the
// clipboard.
type SaveRows struct {
	Rows   rows.Rows
	Format rows.Format
	Copy   bool
}

// Label is what the user waits for.
func (SaveRows) Label(bool) string { return lang.N("writing the rows") }

func (SaveRows) Effect() {}

// RowsSaved says where rows were written, or their text, or why there is
// neither.
type RowsSaved struct {
	kernel.Meta
	SaveRows
	Path, Text string
	Err        error
}

func (ev RowsSaved) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	n, level := ev.Rows.Counted(), kernel.Good
	if lacks := ev.Rows.Lacks; !lacks.IsWhole() {
		n, level = s.Lang.Tf("%s, partial: %s", n, lacks.Text), kernel.Warn
	}
	switch {
	case ev.Err != nil:
		s.Notices.Say(kernel.Bad, s.Lang.Tf("the %s were not exported: %s", ev.Rows.What, ev.Err.Error()))
	case !ev.Copy:
		s.Notices.Say(level, s.Lang.Tf("written to %s: %s", ev.Path, n))
	case len(ev.Text) > rows.MaxCopied:
		s.Notices.Say(kernel.Warn, s.Lang.Tf("%s are %d KiB, the clipboard takes %d: filter, or write a file", n, (len(ev.Text)+1023)>>10, rows.MaxCopied>>10))
	default:
		return kernel.TopicSecrets, s.Secrets.Copy(secrets.CopyText{What: n + " as " + string(ev.Format), Text: ev.Text})
	}
	return kernel.TopicNotice, nil
}
