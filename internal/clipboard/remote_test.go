package clipboard

import (
	"encoding/base64"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// line is a terminal at the end of a connection.
type line struct {
	mu   sync.Mutex
	got  []string
	full bool
}

func (l *line) send(seq string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.full {
		l.got = append(l.got, seq)
	}
	return !l.full
}

// sent is what it got.
func (l *line) sent() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.got)
}

// fill says that it takes nothing more, or does again.
func (l *line) fill(full bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.full = full
}

func osc52(text string) string {
	return "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\a"
}

func remote(l *line) *Remote {
	r := NewRemote(RemoteConfig{
		Now: func() time.Time { return time.Now() }, //nolint:forbidigo // virtual time in a bubble
		End: func(seq string) { l.send("end " + seq) },
	})
	r.Attach(l.send)
	return r
}

func last(all []string) string { return all[len(all)-1] }

func TestACopyOfARemoteTerminalIsBlankedInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &line{}
		r := remote(l)
		first, err := r.Copy(t.Context(), Item{Secret: []byte("482913"), TTL: 30 * time.Second})
		if err != nil || first.State != Sent || first.Via != "OSC 52" {
			t.Fatalf("%+v, %v", first, err)
		}
		<-time.After(20 * time.Second)
		second, err := r.Copy(t.Context(), Item{Secret: []byte("5551"), TTL: 30 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		<-time.After(20 * time.Second) // The first one's time is over, the second's is not.
		synctest.Wait()
		if want := []string{osc52("482913"), osc52("5551")}; !slices.Equal(l.sent(), want) {
			t.Errorf("sent %q", l.sent())
		}
		l.fill(true)
		if report := <-r.Reports(); report.ID != second.ID || report.State != CannotClear {
			t.Errorf("without room: %+v", report)
		}
		l.fill(false)
		report := <-r.Reports()
		if report.ID != second.ID || report.State != Blanked || last(l.sent()) != osc52(" ") {
			t.Errorf("%+v, sent %q", report, l.sent())
		}
		if err := r.Close(false); err != nil || len(l.sent()) != 3 {
			t.Errorf("at the end %q, %v", l.sent(), err)
		}
	})
}

func TestACopyOfARemoteTerminalDoesNotOutliveTheProgram(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &line{}
		r := remote(l)
		if _, err := r.Copy(t.Context(), Item{Secret: []byte("1"), TTL: time.Minute}); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(false); err != nil {
			t.Fatal(err)
		}
		<-time.After(2 * time.Minute)
		if want := []string{osc52("1"), "end " + osc52(" ")}; !slices.Equal(l.sent(), want) {
			t.Errorf("sent %q", l.sent())
		}
		if _, err := r.Copy(t.Context(), Item{Secret: []byte("2"), TTL: time.Minute}); err == nil {
			t.Error("a closed clipboard takes a copy")
		}
	})
}

func TestACopyThatThereIsNoRoomForIsRefused(t *testing.T) {
	t.Parallel()
	l := &line{full: true}
	if _, err := remote(l).Copy(t.Context(), Item{Secret: []byte("1"), TTL: time.Minute}); err == nil {
		t.Error("it is not")
	}
	if _, err := NewRemote(RemoteConfig{Now: time.Now}).Copy(t.Context(), Item{Secret: []byte("1"), TTL: time.Minute}); err == nil { //nolint:forbidigo // not called
		t.Error("nor without a screen")
	}
}
