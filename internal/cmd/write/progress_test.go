package write

import (
	"bytes"
	"testing"
	"time"
)

// TestProgress is a bar that is drawn over on a terminal, and lines elsewhere; what is
// printed meanwhile has a line of its own.
func TestProgress(t *testing.T) {
	for _, tt := range []struct {
		draws bool
		want  string
	}{
		{true, "\r[                    ] 0 of 3 cards\r[======              ] 1 of 3 cards\nnote\n\r[====================] 3 of 3 cards\n"},
		{false, "0 of 3 cards\n1 of 3 cards\nnote\n3 of 3 cards\n"},
	} {
		var out bytes.Buffer
		now := time.Unix(0, 0)
		p := &progress{errs: &out, now: func() time.Time { return now }, draws: tt.draws}
		step := func(settled int, over bool, span time.Duration) {
			now = now.Add(span)
			p.print(settled, 3, over)
		}
		now = now.Add(time.Hour)
		step(0, false, 0)
		step(0, false, 2*time.Second)
		step(1, false, 0)
		step(2, false, progressEvery/2)
		p.end()
		out.WriteString("note\n")
		step(3, true, 0)
		p.end()
		if out.String() != tt.want {
			t.Errorf("terminal %t: %q, want %q", tt.draws, out.String(), tt.want)
		}
	}
}
