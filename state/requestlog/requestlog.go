// Package requestlog holds the last requests, as much of them as may be shown.
package requestlog

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/rows"
)

// Request is one request that left this machine, as much of it as may be
// shown: the route's template and not the path, no query, no body.
type Request struct {
	// N numbers the requests of this run from 1.
	N             uint64
	At            time.Time // when it was over, this machine's clock
	Method, Route string
	Status        int // 0: no answer
	Took          time.Duration
	ID            api.Text // at the service; empty when there was none
	Err           error
}

// Curl is the request as a command. It is not known with which ids, query and
// body it was sent, so the command asks for them: ids by variables, without
// which it ends, and of a write the key and the body as well. So a write that
// is copied does nothing by itself.
func (r Request) Curl() string {
	path := placeholder.ReplaceAllStringFunc(r.Route, func(id string) string {
		return "${" + strings.ToUpper(strings.Trim(id, "{}")) + ":?}"
	})
	text := Curl(r.Method, path, "", nil)
	if r.Method == "GET" {
		return text
	}
	text += " \\\n  -H \"X-Idempotency-Key: ${IDEMPOTENCY_KEY:?}\""
	if r.Method != "DELETE" && !strings.HasSuffix(r.Route, "freeze") {
		text += " \\\n  -H 'Content-Type: application/json' -d @\"${BODY_FILE:?}\""
	}
	return text
}

// kept bounds how many requests are held.
const kept = 500

// Log holds the last requests in a ring. It is not safe for concurrent use.
type Log struct {
	ring []Request
	n    uint64 // how many there were
	news bool
}

// Add appends requests.
func (l *Log) Add(list []Request) {
	for _, r := range list {
		l.n++
		r.N = l.n
		if len(l.ring) < kept {
			l.ring = append(l.ring, r)
		} else {
			l.ring[(l.n-1)%kept] = r
		}
		l.news = true
	}
}

// Changed reports whether there are new ones, once.
func (l *Log) Changed() bool {
	news := l.news
	l.news = false
	return news
}

// All returns how many of the last requests are held; At returns them.
func (l *Log) All() int { return len(l.ring) }

// At returns one of the last requests, 0 for the newest.
func (l *Log) At(i int) Request {
	if i < 0 || i >= len(l.ring) {
		return Request{}
	}
	return l.ring[(l.n-1-uint64(i))%kept]
}

// Failed reports whether it brought nothing.
func (r Request) Failed() bool { return r.Err != nil }

// Cost is what it counts against: one of the minute and of the hour, and some
// against a limit of their own (contract, Limits).
func (r Request) Cost() string {
	switch {
	case r.Method == "POST" && r.Route == "/cards":
		return "1 + create"
	case strings.HasSuffix(r.Route, "/details"):
		return "1 + details"
	}
	return "1"
}

// Outcome is the status, or why there is none.
func (r Request) Outcome(w *lang.Words) string {
	if r.Status == 0 {
		return w.T("no answer")
	}
	return strconv.Itoa(r.Status)
}

// Text is what a request is found by, in lower case; "failed" is part of
// those that did.
func (r Request) Text(w *lang.Words) string {
	text := strings.ToLower(r.Method + " " + r.Route + " " + r.Outcome(w) + " " + string(r.ID))
	if r.Failed() {
		text += " failed " + strings.ToLower(errtext.Explain(w, r.Err))
	}
	return text
}

// asCurl passes the key to curl on its standard input: a list of processes
// reads the arguments of all of them.
const asCurl = `printf 'header = "Authorization: Bearer %s"\n' "$CARDTOP_API_KEY" | curl -K -`

// Curl is a request as a command of a shell's. The key of the API is the
// shell's to put in, as is the address. An idempotency key is in it, so that
// the command acts once however often it is run.
func Curl(method, path string, key api.IdempotencyKey, body json.RawMessage) string {
	parts := []string{asCurl + " -X " + method + ` "$CARDTOP_BASE_URL` + path + `"`}
	if key != "" {
		parts = append(parts, "-H "+shellWord("X-Idempotency-Key: "+string(key)))
	}
	if len(body) > 0 {
		parts = append(parts, "-H 'Content-Type: application/json'", "-d "+shellWord(string(body)))
	}
	return strings.Join(parts, " \\\n  ")
}

// shellWord quotes a text for a shell.
func shellWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// placeholder is what stands in a route for an id.
var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// Rows are requests for other programs: of their paths the templates.
func Rows(requests []Request) rows.Rows {
	list := slices.Clone(requests)
	return rows.Rows{
		What: "requests", N: len(list), Columns: []string{"time", "method", "route", "status", "ms", "cost", "request_id", "error"},
		Row: func(i int) []rows.Cell {
			r := &list[i]
			status, why := rows.Cell{}, ""
			if r.Status != 0 {
				status = rows.Count(r.Status)
			}
			if r.Failed() {
				why = errtext.Explain(nil, r.Err)
			}
			return []rows.Cell{
				rows.Time(r.At), rows.Text(r.Method), rows.Text(r.Route), status, rows.Count(int(r.Took.Milliseconds())),
				rows.Text(r.Cost()), rows.Text(r.ID), rows.Text(why),
			}
		},
	}
}
