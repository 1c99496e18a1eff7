package recording

import "testing"

func TestWhatRecordsTheScreen(t *testing.T) {
	for _, tt := range []struct {
		name, want, piped string
		env               map[string]string
	}{
		{name: "nothing", piped: "1"},
		{name: "asciinema", want: "asciinema", env: map[string]string{"ASCIINEMA_REC": "1"}},
		{name: "a piped pane of tmux", want: "tmux", piped: "1", env: map[string]string{"TMUX": "/tmp/s,1,0", "TMUX_PANE": "%3"}},
		{name: "a pane of tmux", piped: "0", env: map[string]string{"TMUX": "/tmp/s,1,0", "TMUX_PANE": "%3"}},
		{name: "a tmux that does not answer", env: map[string]string{"TMUX": "/tmp/s,1,0"}},
	} {
		asked := ""
		got := by(func(name string) string { return tt.env[name] }, func(pane string) string {
			asked = pane
			return tt.piped
		})
		if got != tt.want {
			t.Errorf("%s: %q, not %q", tt.name, got, tt.want)
		}
		if asked != tt.env["TMUX_PANE"] {
			t.Errorf("%s: asked about the pane %q", tt.name, asked)
		}
	}
}
