// Command hub is a hub for the proof of the cluster: it takes part, and while it leads
// it sends what it is asked for to a service that counts.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster"
	"github.com/cardtop/cardtop/internal/hub/cluster/bus"
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
)

func main() {
	var h hub
	servers := flag.String("servers", "", "addresses of NATS, with commas")
	listen := flag.String("listen", "", "where writes are asked for")
	flag.StringVar(&h.name, "name", "", "name of the hub")
	flag.StringVar(&h.service, "service", "", "address of the service")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := h.run(ctx, strings.Split(*servers, ","), *listen); err != nil && ctx.Err() == nil {
		_, _ = fmt.Fprintln(os.Stderr, err) // There is nowhere else to say it.
		os.Exit(1)
	}
}

// hub takes part in the cluster.
type hub struct {
	name, service string
	log           *slog.Logger
	pause         atomic.Bool // stop this process after the next append

	mu   sync.Mutex
	term *cluster.Term // nil while another leads
	send cluster.Send
}

func (h *hub) run(ctx context.Context, servers []string, listen string) error {
	h.log = slog.New(slog.NewTextHandler(os.Stderr, nil)).With(slog.String("hub", h.name))
	b, err := bus.Connect(bus.Config{Servers: servers, Account: "proof", Hub: h.name, Replicas: len(servers), Log: h.log})
	if err != nil {
		return err
	}
	defer b.Close()
	register, err := b.Register(ctx, "leader")
	if err != nil {
		return err
	}
	stream, err := b.Log(ctx)
	if err != nil {
		return err
	}
	// From here on it takes part.
	mux := http.NewServeMux()
	mux.HandleFunc("POST /op/{key}", h.write)
	mux.HandleFunc("POST /pause", func(http.ResponseWriter, *http.Request) { h.pause.Store(true) })
	server := &http.Server{Addr: listen, Handler: mux, ReadHeaderTimeout: time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.ListenAndServe() }()
	go func() {
		failed <- cluster.Run(ctx, cluster.Config{
			Lease: lease.Config{Register: register, Name: h.name, TTL: 3 * time.Second, Clock: lease.SystemClock()},
			Log:   pausing{stream, h}, Logger: h.log, Now: time.Now, //nolint:forbidigo // a command of its own
		}, h.lead)
	}()
	return <-failed
}

// pausing stops the process when an append has been acknowledged: the worst moment.
type pausing struct {
	oplog.Stream
	h *hub
}

func (p pausing) Append(ctx context.Context, last uint64, subject string, data []byte) (uint64, error) {
	n, err := p.Stream.Append(ctx, last, subject, data)
	if err == nil && p.h.pause.Swap(false) {
		return n, stopSelf()
	}
	return n, err
}

func (h *hub) lead(ctx context.Context, t *cluster.Term) error {
	h.log.Info("leads", slog.Uint64("lease", t.Lease.Number()), slog.Int("open", len(t.Log.Unsettled())))
	send := h.sender(t)
	if err := t.Settle(ctx, send); err != nil {
		return err
	}
	h.set(t, send)
	defer h.set(nil, nil)
	<-ctx.Done()
	return nil
}

func (h *hub) set(t *cluster.Term, send cluster.Send) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.term, h.send = t, send
}

// sender sends an operation to the service, with the number of the lease.
func (h *hub) sender(t *cluster.Term) cluster.Send {
	fence := cluster.Fence{Left: t.Lease.Left}
	client := http.Client{Transport: fence.Transport(&http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return fence.Conn(c), nil
	}})}
	return func(ctx context.Context, r oplog.Record) cluster.Answer {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.service, nil)
		if err != nil {
			return cluster.Answer{State: oplog.Unknown}
		}
		req.Header.Set("X-Idempotency-Key", string(r.Op.Key))
		req.Header.Set("X-Lease", strconv.FormatUint(t.Lease.Number(), 10))
		res, err := client.Do(req)
		if err != nil {
			h.log.Warn("no answer", slog.String("key", string(r.Op.Key)), slog.Any("error", err))
			return cluster.Answer{State: oplog.Unknown}
		}
		defer res.Body.Close() //nolint:errcheck // It has no body.
		if res.StatusCode != http.StatusOK {
			return cluster.Answer{State: oplog.Unknown}
		}
		return cluster.Answer{State: oplog.Done, RequestID: "req_1"}
	}
}

// write does an operation while this hub leads.
func (h *hub) write(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	t, send := h.term, h.send
	h.mu.Unlock()
	if t == nil {
		w.WriteHeader(http.StatusMisdirectedRequest)
		return
	}
	request, err := oplog.NewRequest(api.Write{Method: http.MethodPost, Route: "/cards/{card_id}/fund", Path: "/cards/card_1/fund", Body: []byte(`{"amount":5.00}`)})
	var answer cluster.Answer
	if err == nil {
		op := oplog.Op{Key: api.IdempotencyKey(r.PathValue("key")), Kind: "fund", Card: "card_1", Begun: time.Now(), Request: request} //nolint:forbidigo // a command of its own
		answer, err = t.Do(context.WithoutCancel(r.Context()), op, send)
	}
	if err != nil {
		h.log.Warn("write", slog.String("key", r.PathValue("key")), slog.String("state", string(answer.State)), slog.Any("error", err))
	}
	out, err := json.Marshal(map[string]any{"state": answer.State, "lease": t.Lease.Number()})
	if err = errors.Join(err, writeAll(w, out)); err != nil {
		h.log.Warn("answer", slog.Any("error", err))
	}
}

func writeAll(w http.ResponseWriter, data []byte) error {
	_, err := w.Write(data)
	return err
}
