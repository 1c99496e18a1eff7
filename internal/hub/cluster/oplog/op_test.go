package oplog_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
)

func TestNoRequestOnTheBusHoldsASecret(t *testing.T) {
	for _, tt := range []struct {
		name, method, path, body string
		sensitive, refused       bool
	}{
		{name: "fund", method: http.MethodPost, path: "/cards/card_1/fund", body: `{"amount":5.00}`},
		{name: "freeze", method: http.MethodPost, path: "/cards/card_1/freeze"},
		{name: "issue", method: http.MethodPost, path: "/cards", body: `{"bin_id":"bin_1","amount":20.00,"label":"fb 12","spending_limit":50.00,"allowed_categories":["5734"],"auto_freeze_at":1.00,"metadata":{"team":"a","n":1}}`},
		{name: "a phone number", method: http.MethodPatch, path: "/cards/card_1", body: `{"label":"call 0049 170 1234567"}`},
		{name: "signs that JSON escapes", method: http.MethodPatch, path: "/cards/card_1", body: `{ "label": "a&b <c> \u00e9é" }`},
		{name: "the day", method: http.MethodPatch, path: "/cards/card_1", body: `{"label":"20261123 101500 4"}`},
		{name: "webhook", method: http.MethodPost, path: "/webhooks", body: `{"url":"https://a.example","events":["*"],"secret":"x"}`, refused: true},
		{name: "sensitive", method: http.MethodPost, path: "/cards", sensitive: true, refused: true},
		{name: "another field", method: http.MethodPost, path: "/cards/card_1/fund", body: `{"amount":5,"cvv":"123"}`, refused: true},
		{name: "number in the label", method: http.MethodPatch, path: "/cards/card_1", body: `{"label":"4111111111111111"}`, refused: true},
		{name: "number in groups", method: http.MethodPatch, path: "/cards/card_1", body: `{"label":"x 4111 1111-1111 1111 12/29"}`, refused: true},
		{name: "number in metadata", method: http.MethodPatch, path: "/cards/card_1", body: `{"metadata":{"a":{"b":5555555555554444}}}`, refused: true},
		{name: "number as a name", method: http.MethodPatch, path: "/cards/card_1", body: `{"metadata":{"4111111111111111":""}}`, refused: true},
		{name: "number in the path", method: http.MethodPost, path: "/cards/4111111111111111/freeze", refused: true},
		{name: "a read", method: http.MethodGet, path: "/cards", refused: true},
		{name: "two bodies", method: http.MethodPost, path: "/cards", body: `{} {}`, refused: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := api.Write{Method: tt.method, Route: "/x", Path: tt.path, Body: []byte(tt.body), Sensitive: tt.sensitive}
			r, err := oplog.NewRequest(w)
			if (err != nil) != tt.refused {
				t.Fatalf("%v", err)
			}
			if err != nil {
				return
			}
			data, err := json.Marshal(oplog.Op{Key: "k", Request: r})
			must(t, err)
			var back oplog.Op
			must(t, json.Unmarshal(data, &back))
			got, ok := back.Request.Write()
			if !ok || got.String() != w.String() || string(got.Body) != tt.body || got.Route != w.Route {
				t.Errorf("came back as %v %s", got, got.Body)
			}
			if s := fmt.Sprintf("%v %+v %#v", r, r, r); strings.Contains(s, "amount") {
				t.Errorf("printed as %s", s)
			}
		})
	}
}

// TestWhatComesFromTheBusIsChecked decodes what no hub would have written.
func TestWhatComesFromTheBusIsChecked(t *testing.T) {
	var op oplog.Op
	err := json.Unmarshal([]byte(`{"key":"k","request":{"method":"POST","path":"/cards","body":"eyJwYW4iOiIxIn0="}}`), &op)
	if !errors.Is(err, oplog.ErrSecret) {
		t.Errorf("it is taken: %v", err)
	}
	must(t, json.Unmarshal([]byte(`{"key":"k","request":{}}`), &op))
	if _, ok := op.Request.Write(); ok {
		t.Error("nothing can be sent")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
