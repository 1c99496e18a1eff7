package cluster

import (
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
)

// Fence lets writes through only while this hub leads. A process may have been stopped
// at any instruction: so the lease is asked again where bytes leave.
type Fence struct {
	// Left is for how long the hub leads without another renewal; 0 when it leads no more.
	Left func() time.Duration
}

// Limit fences a client.
func (f Fence) Limit(cfg *client.Config) { cfg.Wrap, cfg.Conn = f.Transport, f.Conn }

// Transport asks before a write is sent, which is then certain not to be, and again when
// its body is read.
func (f Fence) Transport(next http.RoundTripper) http.RoundTripper { return fencedTransport{f, next} }

// Conn asks before each byte that leaves: a request without a body too was held up for as long
// as it took to connect.
func (f Fence) Conn(c net.Conn) net.Conn { return &fencedConn{Conn: c, Fence: f} }

type fencedTransport struct {
	Fence
	next http.RoundTripper
}

// RoundTrip sends a request.
func (t fencedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		return t.next.RoundTrip(r)
	}
	if t.Left() == 0 {
		if r.Body != nil {
			_ = r.Body.Close() // It holds nothing.
		}
		return nil, oplog.ErrLeaseOver
	}
	if r.Body != nil && r.Body != http.NoBody {
		r = r.Clone(r.Context())
		r.Body, r.GetBody = fencedBody{r.Body, t.Fence}, nil
	}
	return t.next.RoundTrip(r)
}

// CloseIdleConnections closes those of the transport.
func (t fencedTransport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// fencedBody is a body that is not read when the lease is over.
type fencedBody struct {
	io.ReadCloser
	Fence
}

func (b fencedBody) Read(p []byte) (int, error) {
	if b.Left() == 0 {
		return 0, oplog.ErrLeaseOver
	}
	return b.ReadCloser.Read(p)
}

// fencedConn is a connection that sends nothing when the lease is over.
type fencedConn struct {
	net.Conn
	Fence
	refused atomic.Bool
}

func (c *fencedConn) Write(p []byte) (int, error) {
	if c.Left() == 0 {
		c.refused.Store(true)
		return 0, oplog.ErrLeaseOver
	}
	return c.Conn.Write(p)
}

// Read fails for the reason of a refused write: net/http closes the connection after one, and
// may report what its reader says of that instead.
func (c *fencedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil && c.refused.Load() {
		err = oplog.ErrLeaseOver
	}
	return n, err
}
