package history

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/dialog/dialogtest"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

func TestCurlIsOneCommandForTheShell(t *testing.T) {
	s := dialogtest.Store(t)
	label := "it's \"$HOME\" `id`"
	s.Ops.SetDryRun(true)
	_, effects, err := s.Dispatch(state.Update("card_1", api.UpdateCardRequest{Label: &label}))
	if err != nil {
		t.Fatal(err)
	}
	var request state.ShowRequest
	for _, e := range effects {
		if shown, ok := e.(state.ShowRequest); ok {
			request = shown
		}
	}
	d := NewDryRun(panetest.Theme(t), request)
	script := `curl() { read -r config; printf '%s\n' "$config" "$@"; }` + "\n" + d.command()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Env = []string{"CARDTOP_BASE_URL=http://localhost/v1", "CARDTOP_API_KEY=sk_test_x"}
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("no shell: %v", err)
	}
	words := strings.Split(strings.TrimSpace(string(out)), "\n")
	want := []string{
		`header = "Authorization: Bearer sk_test_x"`, "-K", "-", "-X", "PATCH", "http://localhost/v1/cards/card_1", "-H", "X-Idempotency-Key: key-1",
		"-H", "Content-Type: application/json", "-d", `{"label":"it's \"$HOME\" ` + "`id`" + `"}`,
	}
	if strings.Join(words, "|") != strings.Join(want, "|") {
		t.Errorf("the shell makes of it\n%q, want\n%q", words, want)
	}
	d.request.Write.Path = "/cards/$CARDTOP_API_KEY/freeze" // An id as no server should give it.
	if text := d.command(); !strings.Contains(text, "/cards/%24CARDTOP_API_KEY/freeze") {
		t.Errorf("the shell fills in what the server wrote: %s", text)
	}
	if strings.Contains(d.command(), "sk_") {
		t.Error("the key is in it")
	}
}
