package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
)

func TestBadOptionsAreRefusedHere(t *testing.T) {
	c := fakeClient(t, func(*http.Request) (*http.Response, error) {
		t.Error("a request was made")
		return jsonResponse(200, "{}"), nil
	})
	for _, e := range endpoints() {
		if e.bad == nil {
			continue
		}
		err := e.bad(t.Context(), c)
		var typed *api.Error
		if !errors.Is(err, api.ErrInvalid) || api.Outcome(err) != api.Refused || !errors.As(err, &typed) || typed.Status != 0 {
			t.Errorf("%s: %v", e.name, err)
		}
	}
}

func errorBody(id string) string {
	return `{"error":"` + id + `","message":"no: ` + testKey + ` ` + leakPAN + `","code":0,"request_id":"req_1"}`
}

const portal = `<html><body>Sign in to the WiFi. Authorization: Bearer ` + testKey + ` ` + leakPAN + ` 482913</body></html>`

func cutBody(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "500")
	_, _ = io.WriteString(w, `{"id":"card_1",`)
	panic(http.ErrAbortHandler)
}

func redirect(status int, target string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, target, status)
	}
}

// TestFaults plays every kind of bad answer to every method.
func TestFaults(t *testing.T) {
	const js, html = "application/json", "text/html"
	limited := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "7")
		answer(429, js, errorBody("rate_limited"))(w, r)
	}
	elsewhere := false
	other := newClientURL(t, func(w http.ResponseWriter, _ *http.Request) { elsewhere = true; w.WriteHeader(200) })
	tests := []struct {
		name    string
		handler http.HandlerFunc
		kinds   []error
		never   []error
		result  api.Result // of a write
	}{
		{"400", answer(400, js, errorBody("invalid_request")), []error{api.ErrInvalid}, []error{api.ErrInsufficientFunds}, api.Refused},
		{"no funds", answer(400, js, errorBody("insufficient_funds")), []error{api.ErrInsufficientFunds}, []error{api.ErrInvalid}, api.Refused},
		{"401", answer(401, js, errorBody("unauthorized")), []error{api.ErrUnauthorized, api.ErrKeyInvalid}, nil, api.Refused},
		{"404", answer(404, "application/problem+json", errorBody("not_found")), []error{api.ErrNotFound}, nil, api.Refused},
		{"409", answer(409, js, errorBody("conflict")), nil, []error{api.ErrInvalid}, api.Refused},
		{"429", limited, []error{api.ErrRateLimited}, nil, api.Refused},
		{"500", answer(500, js, errorBody("internal")), []error{api.ErrServer}, nil, api.Unknown},
		{"502 page", answer(502, html, portal), []error{api.ErrServer, api.ErrNotJSON}, nil, api.Unknown},
		{"401 page", answer(401, html, portal), []error{api.ErrUnauthorized, api.ErrNotJSON}, []error{api.ErrKeyInvalid}, api.Unknown},
		{"401 of another shape", answer(401, js, `{"message":"no"}`), []error{api.ErrUnauthorized, api.ErrWrongShape}, []error{api.ErrKeyInvalid}, api.Unknown},
		{"404 page", answer(404, html, portal), []error{api.ErrNotJSON}, []error{api.ErrNotFound}, api.Unknown},
		{"404 of another shape", answer(404, js, `{"message":"no"}`), []error{api.ErrWrongShape}, []error{api.ErrNotFound}, api.Unknown},
		{"404 cut", answer(404, js, `{"error":"not_fou`), []error{api.ErrBrokenJSON}, []error{api.ErrNotFound, api.ErrNotJSON}, api.Unknown},
		{"200 page", answer(200, html, portal), []error{api.ErrNotJSON}, nil, api.Unknown},
		{"200 without a type", answer(200, "", "{}"), []error{api.ErrNotJSON}, nil, api.Unknown},
		{"page that says json", answer(200, js, portal), []error{api.ErrBrokenJSON}, nil, api.Unknown},
		{"half json", answer(200, js, `{"id":"card_1",`), []error{api.ErrBrokenJSON}, []error{api.ErrNotJSON}, api.Unknown},
		{"two objects", answer(200, js, `{}{}`), []error{api.ErrBrokenJSON}, nil, api.Unknown},
		{"text", answer(200, js, `"`+leakPAN+`"`), []error{api.ErrWrongShape}, nil, api.Unknown},
		{"number for text", answer(200, js, `{"id":`+leakPAN+`,"data":7,"balance":"x"}`), []error{api.ErrWrongShape}, nil, api.Unknown},
		{"cut body", cutBody, []error{api.ErrUnreachable}, nil, api.Unknown},
		{"too large", answer(200, js, `"`+strings.Repeat("x", 4<<20)+`"`), []error{api.ErrTooLarge}, nil, api.Unknown},
		{"301", redirect(301, other), []error{api.ErrRedirect}, nil, api.Unknown},
		{"302", redirect(302, other), []error{api.ErrRedirect}, nil, api.Unknown},
		{"303", redirect(303, other), []error{api.ErrRedirect}, nil, api.Unknown},
		{"307", redirect(307, other), []error{api.ErrRedirect}, nil, api.Unknown},
		{"308", redirect(308, other), []error{api.ErrRedirect}, nil, api.Unknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newClient(t, tt.handler)
			for _, e := range endpoints() {
				err := e.call(t.Context(), c)
				if e.name == "Withdraw" || e.name == "DeleteWebhook" {
					if tt.name == "number for text" && err == nil {
						t.Errorf("%s: an id that is a number was taken", e.name)
					}
				}
				checkFault(t, e, err, tt.kinds, tt.never, tt.result)
			}
		})
	}
	if elsewhere {
		t.Error("a redirect was followed")
	}
}

func checkFault(t *testing.T, e endpoint, err error, kinds, never []error, result api.Result) {
	t.Helper()
	var typed *api.Error
	if !errors.As(err, &typed) || typed.Route == "" || typed.Method == "" {
		t.Errorf("%s: %v is not an error of a request", e.name, err)
		return
	}
	for _, kind := range kinds {
		if !errors.Is(err, kind) {
			t.Errorf("%s: %v is not %q", e.name, err, kind)
		}
	}
	for _, kind := range never {
		if errors.Is(err, kind) {
			t.Errorf("%s: %v is %q", e.name, err, kind)
		}
	}
	if errors.Is(err, api.ErrRateLimited) != (typed.Status == 429) || typed.Status == 429 && typed.RetryAfter != 7*time.Second {
		t.Errorf("%s: rate limit: %+v", e.name, typed)
	}
	if e.write && api.Outcome(err) != result {
		t.Errorf("%s: outcome is %s, want %s: %v", e.name, api.Outcome(err), result, err)
	}
	if errors.Is(err, api.ErrUnknownOutcome) != (e.write && result == api.Unknown) {
		t.Errorf("%s: unknown outcome: %v", e.name, err)
	}
	if e.secret && strings.Contains(err.Error(), "Sign in") {
		t.Errorf("%s: a body that may hold secrets is quoted: %v", e.name, err)
	}
	if e.secret && typed.Status == 502 && !strings.Contains(err.Error(), "text/html") {
		t.Errorf("%s: what came is not said: %v", e.name, err)
	}
	if !e.secret && typed.Status == 502 && !strings.Contains(err.Error(), "Sign in") {
		t.Errorf("%s: the page is not quoted: %v", e.name, err)
	}
	if typed.Status == 400 && typed.RequestID != "req_1" {
		t.Errorf("%s: request id %q", e.name, typed.RequestID)
	}
	noLeak(t, strip482913(err, e))
}

// strip482913 lets the six digits stand where the page is quoted by design.
func strip482913(err error, e endpoint) error {
	if e.secret {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), "482913", ""))
}

func newClientURL(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	var url string
	newClient(t, h, func(c *client.Config) { url = c.BaseURL })
	return url
}

// TestTimeAndCancel checks with virtual time that nothing outlives its
// deadline, neither before nor within the answer.
func TestTimeAndCancel(t *testing.T) {
	hang := func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	endless := func(r *http.Request) (*http.Response, error) {
		resp := jsonResponse(200, "")
		resp.Body, resp.ContentLength = io.NopCloser(drip{r.Context()}), -1
		return resp, nil
	}
	for name, transport := range map[string]roundTrip{"silent": hang, "endless": endless} {
		for _, e := range endpoints() {
			t.Run(name+"/"+e.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var took time.Duration
					c := fakeClient(t, transport, func(cfg *client.Config) {
						cfg.Observe = func(call api.Call) { took = call.Took }
					})
					err := e.call(t.Context(), c)
					want := 5 * time.Second
					if e.write {
						want = 10 * time.Second
					}
					if took != want {
						t.Errorf("took %v", took)
					}
					if !errors.Is(err, api.ErrUnreachable) || !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("got %v", err)
					}
					if e.write && api.Outcome(err) != api.Unknown {
						t.Errorf("outcome %s", api.Outcome(err))
					}
					ctx, cancel := context.WithCancel(t.Context())
					time.AfterFunc(time.Second, cancel)
					err = e.call(ctx, c)
					if !errors.Is(err, context.Canceled) || errors.Is(err, api.ErrUnreachable) {
						t.Errorf("canceled: %v", err)
					}
					if e.write && api.Outcome(err) != api.Unknown {
						t.Errorf("canceled: outcome %s", api.Outcome(err))
					}
					// A context that is over before the request is a refusal.
					if err = e.call(ctx, c); !errors.Is(err, context.Canceled) || api.Outcome(err) != api.Refused {
						t.Errorf("over before: %v, %s", err, api.Outcome(err))
					}
				})
			})
		}
	}
}

// drip sends a byte a second until the context is done.
type drip struct{ ctx context.Context } //nolint:containedctx // a body has no other way to hear of it

func (d drip) Read(p []byte) (int, error) {
	select {
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	case <-time.After(time.Second):
		p[0] = ' '
		return 1, nil
	}
}

// TestARowOfAHubThatCannotBeReadHidesNoOther, and the observer is told of it.
func TestARowOfAHubThatCannotBeReadHidesNoOther(t *testing.T) {
	t.Parallel()
	var told []api.Unread
	c := newClient(t, answer(http.StatusOK, "application/json", `{"data":[{"id":"apr_1","by":"ann","operation":"fund","card_id":"card_1","amount":20,"state":"waiting","at":"2026-03-01T12:00:00Z","until":"2026-03-01T13:00:00Z"},{"id":7,"at":"soon"}]}`), func(cfg *client.Config) { cfg.Observe = func(c api.Call) { told = append(told, c.Unread...) } })
	all, err := c.HubApprovals(t.Context())
	if err != nil || len(all) != 1 || all[0].ID != "apr_1" || len(told) != 1 {
		t.Errorf("%+v, %v, told %+v", all, err, told)
	}
}
