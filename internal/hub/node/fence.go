package node

import (
	"io"
	"net/http"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
)

// left is for how long a hub leads without another renewal; 0 when it leads no more.
type left func() time.Duration

// fence sends a write only while this hub leads. It is asked before the request is sent
// and again when its body is read, which is before its first byte leaves: a process may
// have been stopped while it connected.
type fence struct {
	next http.RoundTripper
	left left
}

// RoundTrip sends a request.
func (f fence) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		return f.next.RoundTrip(r)
	}
	if f.left() == 0 {
		if r.Body != nil {
			_ = r.Body.Close() // It holds nothing.
		}
		return nil, oplog.ErrLeaseOver
	}
	if r.Body != nil && r.Body != http.NoBody {
		r = r.Clone(r.Context())
		r.Body, r.GetBody = fencedBody{r.Body, f.left}, nil
	}
	return f.next.RoundTrip(r)
}

// CloseIdleConnections closes those of the transport.
func (f fence) CloseIdleConnections() {
	if t, ok := f.next.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// fencedBody is a body that is not read when the lease is over.
type fencedBody struct {
	io.ReadCloser
	left left
}

func (b fencedBody) Read(p []byte) (int, error) {
	if b.left() == 0 {
		return 0, oplog.ErrLeaseOver
	}
	return b.ReadCloser.Read(p)
}
