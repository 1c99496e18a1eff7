package app

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
)

// body notes that it was closed.
type body struct {
	io.Reader
	closed bool
}

func (b *body) Close() error {
	b.closed = true
	return nil
}

func TestRequestsWaitForTheSandbox(t *testing.T) {
	sent := &body{Reader: strings.NewReader("{}")}
	ctx, cancel := context.WithCancelCause(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/v1/cards", sent)
	must(t, err)
	e := &embedded{opened: make(chan struct{})}
	quit := errors.New("quit")
	cancel(quit)
	if _, err := e.RoundTrip(r); !errors.Is(err, quit) || !sent.closed { //nolint:bodyclose // There is no response.
		t.Errorf("%v, closed %t", err, sent.closed)
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	e.open(over, "sk_test_x")
	r, sent.closed = r.WithContext(t.Context()), false
	if _, err := e.RoundTrip(r); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "open the sandbox") || !sent.closed { //nolint:bodyclose // As above.
		t.Errorf("%v, closed %t", err, sent.closed)
	}
}

// TestTheSandboxHasAHistory reads the world that the program starts with.
func TestTheSandboxHasAHistory(t *testing.T) {
	var failed error
	acc := openSandbox(t.Context(), func(err error) { failed = err })
	c, err := client.New(acc.cfg)
	must(t, err)
	list, err := c.ListTransactions(t.Context(), api.ListTransactionsOptions{PerPage: 1})
	if err != nil || list.Pagination.Total < 4000 {
		t.Errorf("%d transactions, %v", list.Pagination.Total, err)
	}
	if acc.close(); failed != nil {
		t.Error(failed)
	}
}
