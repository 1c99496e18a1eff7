package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/cardtop/cardtop/sim/judge"
)

// liar stands between a program and the provider. While it is sick some requests and answers come to harm.
type liar struct {
	w    *world
	name string
	next http.RoundTripper
	mu   sync.Mutex
	sick float64   // The part of requests that come to harm.
	ill  time.Time // When it was sick last.
	met  map[string]int
	// kinds are the harms of this world: a few, so that each comes often enough to combine with itself.
	kinds []harm
}

// makeLiar draws what a liar does.
func (w *world) makeLiar(next http.RoundTripper, name string) *liar {
	all, r := harms(), draw(w.seed, name)
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return &liar{w: w, name: name, next: next, met: make(map[string]int), kinds: all[:1+r.IntN(6)]}
}

// lie is what a liar does with a request. It is drawn from the moment and the request: what others ask changes nothing.
type lie struct {
	*liar
	rand *rand.Rand
}

// harm is what happens to a request.
type harm struct {
	name string
	do   func(l *lie, r *http.Request) (*http.Response, error)
}

var errCut = errors.New("the connection was cut")

// harms are all of them. Whether a request acted before it came to harm is what programs cannot see.
func harms() []harm { return slices.Concat(losses(), pages(), lies(), novelties()) }

// losses are of connections.
func losses() []harm {
	return []harm{
		{"nobody listens", func(*lie, *http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
		}},
		{"lost on the way", func(_ *lie, r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}},
		{"cut before it acts", func(*lie, *http.Request) (*http.Response, error) { return nil, errCut }},
		{"cut after it acted", func(l *lie, r *http.Request) (*http.Response, error) { l.acts(r); return nil, errCut }},
		{"no answer after it acted", func(l *lie, r *http.Request) (*http.Response, error) {
			l.acts(r)
			<-r.Context().Done()
			return nil, r.Context().Err()
		}},
		{"late", func(l *lie, r *http.Request) (*http.Response, error) {
			if !l.pause(r.Context(), 12*time.Second) {
				return nil, r.Context().Err()
			}
			return l.forward(r)
		}},
		{"answered late", func(l *lie, r *http.Request) (*http.Response, error) {
			resp, err := l.forward(r)
			if !l.pause(r.Context(), 12*time.Second) {
				if err == nil {
					_ = resp.Body.Close() // Nobody waits for it any more.
				}
				return nil, r.Context().Err()
			}
			return resp, err
		}},
		{"doubled", func(l *lie, r *http.Request) (*http.Response, error) { // The second is answered to nobody: the limit may refuse it.
			resp, err := l.forward(r)
			l.acts(r)
			return resp, err
		}},
	}
}

const html, object = "text/html", "application/json"

// pages are answers of something else than the provider's API.
func pages() []harm {
	return []harm{
		{"gateway's page after it acted", func(l *lie, r *http.Request) (*http.Response, error) {
			l.acts(r)
			return made(r, http.StatusBadGateway, html, "<html>bad gateway</html>"), nil
		}},
		{"gateway's page", func(_ *lie, r *http.Request) (*http.Response, error) {
			return made(r, http.StatusServiceUnavailable, html, "<html>try later</html>"), nil
		}},
		{"broken server", func(_ *lie, r *http.Request) (*http.Response, error) {
			return made(r, http.StatusInternalServerError, object, `{"error":"internal","message":"oops"}`), nil
		}},
		{"limited", func(_ *lie, r *http.Request) (*http.Response, error) {
			return made(r, http.StatusTooManyRequests, object, `{"error":"rate_limited","message":"slow down"}`), nil
		}},
		{"empty answer after it acted", func(l *lie, r *http.Request) (*http.Response, error) {
			l.acts(r)
			return made(r, http.StatusOK, object, ""), nil
		}},
	}
}

// lies are answers of the provider that are not what they should be.
func lies() []harm {
	return []harm{
		{"an item twice", func(l *lie, r *http.Request) (*http.Response, error) {
			return l.changed(r, func(o map[string]any) {
				if list, ok := o["data"].([]any); ok && len(list) > 0 {
					o["data"] = append(list, list[l.pick(len(list))])
				}
			})
		}},
		{"a bad item", func(l *lie, r *http.Request) (*http.Response, error) {
			return l.changed(r, func(o map[string]any) {
				if list, ok := o["data"].([]any); ok && len(list) > 0 {
					list[l.pick(len(list))] = map[string]any{"id": nil, "balance": "many"}
				}
			})
		}},
		{"half the amount", func(l *lie, r *http.Request) (*http.Response, error) {
			return l.changed(r, func(o map[string]any) {
				for name, v := range o {
					if n, ok := v.(json.Number); ok && strings.HasSuffix(name, "_amount") {
						if f, err := n.Float64(); err == nil {
							o[name] = math.Floor(f*50) / 100
						}
					}
				}
			})
		}},
		{"a field missing", func(l *lie, r *http.Request) (*http.Response, error) {
			return l.changed(r, func(o map[string]any) {
				names := slices.Sorted(maps.Keys(o))
				delete(o, names[l.pick(len(names))])
			})
		}},
		{"cut answer", func(l *lie, r *http.Request) (*http.Response, error) {
			resp, err := l.forward(r)
			if err != nil {
				return nil, err
			}
			body, err := io.ReadAll(resp.Body)
			if err != nil {
				return nil, err
			}
			resp.Body, resp.ContentLength = io.NopCloser(strings.NewReader(string(body[:len(body)/2]))), -1
			return resp, nil
		}},
	}
}

// novelties are answers that the contract does not have.
func novelties() []harm {
	return []harm{
		{"a read refused", func(l *lie, r *http.Request) (*http.Response, error) {
			if r.Method != http.MethodGet {
				return l.forward(r)
			}
			status := []int{http.StatusForbidden, http.StatusNotFound, http.StatusGone}[l.pick(3)]
			return made(r, status, object, `{"error":"refused","message":"not now"}`), nil
		}},
		{"a value nobody knows", func(l *lie, r *http.Request) (*http.Response, error) {
			return l.changed(r, func(o map[string]any) {
				l.item(o, func(item map[string]any, name string) {
					if _, ok := item[name].(string); ok && name != "id" {
						item[name] = "of tomorrow"
					}
				})
			})
		}},
		{"a null", func(l *lie, r *http.Request) (*http.Response, error) {
			return l.changed(r, func(o map[string]any) { l.item(o, func(item map[string]any, name string) { item[name] = nil }) })
		}},
		{"more than there was", func(l *lie, r *http.Request) (*http.Response, error) {
			return l.changed(r, func(o map[string]any) {
				l.item(o, func(item map[string]any, _ string) {
					item["since_tomorrow"] = map[string]any{"a": []any{1, nil, "x"}}
				})
			})
		}},
	}
}

// item changes a field of an object, or of one that it lists.
func (l *lie) item(o map[string]any, change func(item map[string]any, name string)) {
	if list, ok := o["data"].([]any); ok && len(list) > 0 {
		if one, ok := list[l.pick(len(list))].(map[string]any); ok {
			o = one
		}
	}
	names := slices.Sorted(maps.Keys(o))
	name := names[l.pick(len(names))]
	id, _ := o["id"].(string)
	if name == "label" && l.w.run.Capped[id] {
		return // Caps of labels are by what the provider says of them: nobody could know better.
	}
	was := o[name]
	if change(o, name); reflect.DeepEqual(was, o[name]) {
		return
	}
	l.w.add(func(r *judge.Run) {
		switch {
		case name == "status", name == "label":
			r.Misread[id] = true
		case strings.HasPrefix(id, "txn_") && (name == "type" || name == "currency" || name == "amount") && r.Mistold.IsZero():
			r.Mistold = now()
		}
	})
}

// acts has the provider act. Nobody hears of it.
func (l *liar) acts(r *http.Request) {
	if resp, err := l.forward(r); err == nil {
		_ = resp.Body.Close() // It is in memory.
	}
}

// changed has the provider act and changes the object that it answers. What is no object stays.
func (l *liar) changed(r *http.Request, change func(map[string]any)) (*http.Response, error) {
	resp, err := l.forward(r)
	if err != nil {
		return nil, err
	}
	return rewritten(resp, change)
}

// pick draws one of n.
func (l *lie) pick(n int) int { return l.rand.IntN(n) }

func made(r *http.Request, status int, kind, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}
}

// replayable is a request whose body can be sent more than once.
func replayable(r *http.Request) (*http.Request, error) {
	if r.Body == nil {
		return r, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return r, nil
}

// forward has the provider act, whatever becomes of who asked.
func (l *liar) forward(r *http.Request) (*http.Response, error) {
	copied := r.Clone(context.WithoutCancel(r.Context()))
	if r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		copied.Body = body
	}
	return l.next.RoundTrip(copied)
}

// pause waits for a part of a span.
func (l *lie) pause(ctx context.Context, most time.Duration) bool {
	select {
	case <-time.After(time.Duration(l.rand.Int64N(int64(most)))):
		return true
	case <-ctx.Done():
		return false
	}
}

// RoundTrip forwards a request, or has it come to harm.
func (l *liar) RoundTrip(r *http.Request) (*http.Response, error) {
	r, err := replayable(r)
	if err != nil {
		return nil, err
	}
	if !l.isSick() {
		return l.forward(r)
	}
	drawn := &lie{l, draw(l.w.seed, fmt.Sprint(l.name, now().UnixNano(), r.Method, r.URL))}
	which := l.kinds[drawn.pick(len(l.kinds))]
	if l.hits(drawn.rand.Float64(), which.name) {
		return which.do(drawn, r)
	}
	return l.forward(r)
}

func (l *liar) isSick() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sick > 0
}

// hits reports whether a request comes to a harm.
func (l *liar) hits(drawn float64, harm string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if drawn >= l.sick || !l.w.takes("harm "+harm) {
		return false
	}
	l.met[harm]++
	return true
}

// counts counts a harm that is not of a request.
func (l *liar) counts(harm string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.met[harm]++
}

func (l *liar) setSick(part float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sick > 0 {
		l.ill = now()
	}
	l.sick = part
}

// hurts notes harm that is not of a request, which lasts for a while from now on.
func (l *liar) hurts(harm string, lasts time.Duration) {
	l.counts(harm)
	l.mu.Lock()
	defer l.mu.Unlock()
	if end := now().Add(lasts); end.After(l.ill) {
		l.ill = end
	}
}

// well reports whether nothing has come to harm for a span.
func (l *liar) well(span time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sick == 0 && now().Sub(l.ill) >= span
}
