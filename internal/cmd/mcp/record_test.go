package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/state"
)

// TestACallThatCannotBeRecordedSaysWhetherItWasDone, and returns nothing of what was read.
func TestACallThatCannotBeRecordedSaysWhetherItWasDone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		done error
		want string
	}{
		{nil, "done, but not recorded: disk full"},
		{errors.New("no card has that id"), "no card has that id\ndisk full"},
	} {
		s := &server{now: time.Now, record: func(r state.Record) (state.Record, error) { return r, errors.New("disk full") }} //nolint:forbidigo // the clock of main
		d, err := s.recorded("wallet", nil, func() (data, error) { return data{Object: json.RawMessage(`{}`)}, c.done })
		if err == nil || err.Error() != c.want || d.Object != nil {
			t.Errorf("%v: %v, %s", c.done, err, d.Object)
		}
	}
}

// TestACrashIsRecorded as well: it may have acted.
func TestACrashIsRecorded(t *testing.T) {
	t.Parallel()
	var got []state.Record
	s := &server{now: time.Now, record: func(r state.Record) (state.Record, error) { got = append(got, r); return r, nil }} //nolint:forbidigo // as above
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the crash is hidden")
			}
		}()
		_, _ = s.recorded("cards_freeze", nil, func() (data, error) { panic("4242424242424242") }) // It does not return.
	}()
	if len(got) != 1 || got[0].Outcome != state.OpStatusUnknown || strings.Contains(got[0].Err, "4242") {
		t.Errorf("%+v", got)
	}
}

func TestWhatACallCameTo(t *testing.T) {
	t.Parallel()
	given := map[string]json.RawMessage{"limit": json.RawMessage("5"), "filter": json.RawMessage(`"` + strings.Repeat("ж", shownArguments) + `"`)}
	for err, want := range map[error]state.OpStatus{
		nil: state.OpStatusDone, errors.New("no card has that id"): state.OpStatusRefused, &cli.UnknownError{Text: "no answer", Settle: "x"}: state.OpStatusUnknown,
		context.Canceled: state.OpStatusUnknown, context.DeadlineExceeded: state.OpStatusUnknown, errCrashed: state.OpStatusUnknown,
	} {
		if r := recordOf("cards_fund", nil, err, 0); r.Outcome != want {
			t.Errorf("%v: %s", err, r.Outcome)
		}
	}
	r := recordOf("cards_list", given, nil, time.Second)
	if r.Took != time.Second || !strings.HasPrefix(r.Name, `filter="жж`) || !strings.HasSuffix(r.Name, "ж…") {
		t.Errorf("%+v", r)
	}
}
