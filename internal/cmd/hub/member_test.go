package hub

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state"
)

func TestARequestInOneLine(t *testing.T) {
	t.Parallel()
	usd := func(u api.USD) *api.USD { return &u }
	a := api.HubApproval{By: "ann", Operation: "fund", Label: "fb/a", Amount: 1250 * api.Dollar}
	if got, want := summary(a), "fund $1,250.00, fb/a, for ann"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	a.CardBefore, a.CardAfter, a.WalletBefore = usd(50*api.Dollar), usd(1300*api.Dollar), usd(9*api.Dollar)
	a.CardStatus = api.CardFrozen
	if got, want := summary(a), "fund $1,250.00, fb/a, for ann, the card is frozen, card $50.00 -> $1,300.00"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWhatWasReadOfAnOperationInOneLine(t *testing.T) {
	t.Parallel()
	usd := func(u api.USD) *api.USD { return &u }
	o := api.HubOperation{By: "ann", Operation: "fund", Label: "fb/a", Amount: 5 * api.Dollar, State: "unsettled"}
	if got, want := evidence(o), "fund $5.00, fb/a, by ann: unsettled"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	o.Balance, o.Before, o.After, o.Suggests = usd(55*api.Dollar), usd(50*api.Dollar), usd(55*api.Dollar), "done"
	want := "fund $5.00, fb/a, by ann: unsettled; the card holds $55.00, $50.00 before it and $55.00 after it; it seems to be done"
	if got := evidence(o); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAnOperationIsPrintedByItsVerb as in every other list, though a hub calls it by a noun.
func TestAnOperationIsPrintedByItsVerb(t *testing.T) {
	t.Parallel()
	for _, f := range OperationFields() {
		for k := state.OpFreeze; k <= state.OpUnsubscribe && f.Name == "operation"; k++ {
			if got := f.Cell(api.HubOperation{Operation: api.Text(k.String())}).Text; got != k.Verb() {
				t.Errorf("%s is printed as %s, want %s", k, got, k.Verb())
			}
		}
	}
}

// TestARuleIsSwitchedByItsName, and one that there is not is called that.
func TestARuleIsSwitchedByItsName(t *testing.T) {
	var asked []string
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		asked = append(asked, r.Method+" "+r.URL.Path+" "+string(body))
		w.Header().Set("Content-Type", "application/json")
		if !strings.HasSuffix(r.URL.Path, "/topup") {
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"error":"not_found","message":"no","code":404}`) // Nobody else reads it.
		}
	}))
	defer hub.Close()
	ownFolders(t)
	var out bytes.Buffer
	p := cli.Program{Program: app.Program{Env: config.Env{BaseURL: hub.URL + "/v1", APIKey: api.NewAPIKey("sk_test_hub_ann")}, Errs: io.Discard, Now: time.Now}, Out: &out} //nolint:forbidigo // the clock of main
	run := func(args ...string) error {
		cmd := rulesCommand(p)
		cmd.SetArgs(args)
		return cmd.ExecuteContext(t.Context())
	}
	for _, word := range []string{"on", "off"} {
		if err := run(word, "topup"); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{`POST /hub/v1/rules/topup {"on":true}`, `POST /hub/v1/rules/topup {"on":false}`}
	if !slices.Equal(asked, want) || out.String() != "rule topup: on\nrule topup: off\n" {
		t.Errorf("asked %q, printed %q", asked, out.String())
	}
	if err := run("on", "topuo"); err == nil || !strings.Contains(err.Error(), `not started with a rule "topuo"`) {
		t.Errorf("%v", err)
	}
}

// TestACommandForTheTeamSaysWhyItIsNone: the account is not on a hub, or the role may not.
func TestACommandForTheTeamSaysWhyItIsNone(t *testing.T) {
	asked := 0
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"error":"forbidden","message":"only an admin sees the rules","code":403}`) // Nobody else reads it.
	}))
	defer hub.Close()
	for key, want := range map[string]string{"sk_test_a": "this account is not on a hub", "sk_test_hub_ann": "only an admin sees the rules"} {
		ownFolders(t)
		p := cli.Program{Program: app.Program{Env: config.Env{BaseURL: hub.URL + "/v1", APIKey: api.NewAPIKey(key)}, Errs: io.Discard, Now: time.Now}, Out: io.Discard} //nolint:forbidigo // the clock of main
		for _, cmd := range []*cobra.Command{peopleCommand(p), rulesCommand(p), approvalsCommand(p), operationsCommand(p)} {
			cmd.SetArgs(nil)
			err := cmd.ExecuteContext(t.Context())
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "/hub/v1") {
				t.Errorf("%s with %s: %v", cmd.Name(), key, err)
			}
		}
	}
	if asked == 0 {
		t.Error("the hub was not asked")
	}
}
