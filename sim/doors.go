package sim

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// A door is where webhooks are delivered to on a machine.

// openDoor gives one machine in three a door. It returns the settings that say so.
func (m *machine) openDoor() string {
	if m.w.team() || draw(m.w.seed, m.name+" door").IntN(3) > 0 {
		return ""
	}
	m.door = fmt.Sprintf("127.0.0.1:%d", 9000+len(m.w.machines))
	return fmt.Sprintf("[profiles.default]\nbase_url = %q\npush_listen = %q\npush_url = %q\n", m.at, m.door, "http://"+m.door+"/hook")
}

// deliveryWithin is how long the provider waits for an answer to a webhook.
const deliveryWithin = 10 * time.Second

// courier is how the provider delivers: what it sends comes to harm as requests do, and some of it is of somebody else.
func (w *world) courier() *liar {
	way := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, at string) (net.Conn, error) {
		for _, m := range w.machines {
			if m.door == at {
				return m.wire.dial(ctx, network, at)
			}
		}
		return nil, &net.OpError{Op: "dial", Net: network, Err: errCut}
	}}
	l := w.makeLiar(roundTrip(func(r *http.Request) (*http.Response, error) {
		resp, err := way.RoundTrip(r)
		if err == nil && resp.StatusCode < 300 {
			w.liar.counts("(deliveries)")
		}
		return resp, err
	}), "courier")
	l.kinds = append(l.kinds, harm{"forged", func(l *lie, r *http.Request) (*http.Response, error) {
		forged := r.Clone(context.WithoutCancel(r.Context()))
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(body)
		if err != nil {
			return nil, err
		}
		data = bytes.ReplaceAll(data, []byte(`"amount":`), []byte(`"amount":9`))
		data = append(data, ' ') // Its signature is another in any case.
		forged.Body, forged.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
		if resp, err := l.next.RoundTrip(forged); err == nil {
			_ = resp.Body.Close() // Nobody reads it.
			if resp.StatusCode < 300 {
				l.w.crashes("a forged webhook was taken")
			}
		}
		return l.forward(r)
	}})
	return l
}

// outside is how programs of a machine send what is not for the API, until they are killed.
func (m *machine) outside(ctx context.Context) http.RoundTripper {
	way := &http.Transport{DisableKeepAlives: true, DialContext: m.wire.dial}
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		if ctx.Err() != nil {
			return nil, errCut
		}
		return way.RoundTrip(r)
	})
}
