package cluster_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/hub/cluster"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
)

// TestNothingIsSentOnceTheLeaseIsOver ends the lease when a connection is there and
// nothing was sent yet: a process may be stopped for that long. A termination has no
// body that would be asked for.
func TestNothingIsSentOnceTheLeaseIsOver(t *testing.T) {
	var came atomic.Int32
	service := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { came.Add(1) }))
	defer service.Close()
	for _, method := range []string{http.MethodDelete, http.MethodPost} {
		for _, body := range []string{"", `{"amount":5}`} {
			var over atomic.Bool
			cfg, dialed := client.Config{}, false
			cluster.Fence{Left: func() time.Duration {
				if over.Load() {
					return 0
				}
				return time.Second
			}}.Limit(&cfg)
			transport := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				c, err := new(net.Dialer).DialContext(ctx, network, addr)
				if err != nil {
					return nil, err
				}
				dialed = true
				return cfg.Conn(c), nil
			}}
			ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { over.Store(true) }})
			r, err := http.NewRequestWithContext(ctx, method, service.URL, strings.NewReader(body))
			must(t, err)
			res, err := (&http.Client{Transport: cfg.Wrap(transport)}).Do(r)
			if err == nil {
				_ = res.Body.Close() // It has none.
			}
			if !errors.Is(err, oplog.ErrLeaseOver) || !dialed || came.Load() != 0 {
				t.Errorf("%s %q: %v, and the service got %d requests", method, body, err, came.Load())
			}
			came.Store(0)
			transport.CloseIdleConnections()
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
