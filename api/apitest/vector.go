// Package apitest has the contract as examples: requests and their answers, in JSON
// files that both sides play. The tests of the client answer each request with the
// example and check what the client sends and returns; [PlayServer] sends each
// request to a server and compares the answer with the example. The package imports
// neither side.
//
// A vector has these fields:
//
//	name      what it shows
//	only      "server": the client never sends this request
//	setup     requests that bring the server into the state needed; values of
//	          their answers are saved under a name
//	vars      the values that stand for the saved ones when the client plays
//	request   the request under test
//	response  status and an example of the body; by default the answer must
//	          have the same keys with values of the same JSON types, null
//	          being of any type, and an array's elements must all be like the
//	          example's first
//
// {name} in a path, header or body stands for a saved value.
package apitest

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"strings"
	"testing"
)

//go:embed vectors/*.json
var files embed.FS

// Vector is one example.
type Vector struct {
	Name     string            `json:"name"`
	Only     string            `json:"only,omitempty"`
	Setup    []Step            `json:"setup,omitempty"`
	Vars     map[string]string `json:"vars,omitempty"`
	Request  Request           `json:"request"`
	Response Response          `json:"response"`
}

// ServerOnly reports whether only a server can play the vector.
func (v Vector) ServerOnly() bool { return v.Only == "server" }

// Request is one request. Its path is below the base path and may have a
// query; an empty header value means that the header is not sent.
type Request struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    json.RawMessage   `json:"body,omitempty"`
	Raw     string            `json:"raw,omitempty"` // a body that is not JSON
}

// Step is a request of the setup. It must succeed unless Any is set.
type Step struct {
	Request
	Save   map[string]string `json:"save,omitempty"`   // name: dotted path in the answer
	Repeat int               `json:"repeat,omitempty"` // 0 is once
	Any    bool              `json:"any,omitempty"`
}

// Response describes the answer. Paths are dotted; a number is an index and * every
// element; "." is the body itself.
type Response struct {
	Status   int             `json:"status"`
	Body     json.RawMessage `json:"body"`
	Exact    []string        `json:"exact,omitempty"`    // values that must be the example's
	Optional []string        `json:"optional,omitempty"` // keys that may be missing
	More     []string        `json:"more,omitempty"`     // objects that may have more keys
	Open     []string        `json:"open,omitempty"`     // objects whose keys are free
}

// Vectors returns all examples, in the order of their files.
func Vectors() ([]Vector, error) {
	names, err := fs.Glob(files, "vectors/*.json")
	if err != nil {
		return nil, fmt.Errorf("list vectors: %w", err)
	}
	var all []Vector
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read vectors: %w", err)
		}
		var some []Vector
		dec := json.NewDecoder(strings.NewReader(string(data)))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&some); err != nil {
			return nil, fmt.Errorf("decode %s: %w", name, err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// Fill replaces the names of values by the values.
func Fill(text string, vars map[string]string) string {
	for name, value := range vars {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}

// Fill returns the request with values in the place of their names, and the body
// without spaces: two steps with the same body send the same bytes, however they are
// indented.
func (r Request) Fill(vars map[string]string) Request {
	r.Path = Fill(r.Path, vars)
	var body bytes.Buffer
	if json.Compact(&body, r.Body) == nil {
		r.Body = json.RawMessage(Fill(body.String(), vars))
	}
	headers := make(map[string]string, len(r.Headers))
	for name, value := range r.Headers {
		headers[name] = Fill(value, vars)
	}
	r.Headers = headers
	return r
}

// PlayServer plays every vector against a new server: newServer returns its base URL,
// the transport to it, and a key that it accepts. The server must hold some BINs,
// transactions, deposits, pending challenges, and a wallet between 1,000 and 50,000 USD.
func PlayServer(t *testing.T, newServer func(t *testing.T) (baseURL string, rt http.RoundTripper, key string)) {
	t.Helper()
	vectors, err := Vectors()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			baseURL, rt, key := newServer(t)
			p := player{baseURL, rt, key}
			vars, err := p.setup(t, v)
			if err != nil {
				t.Fatal(err)
			}
			for _, problem := range p.play(t, v, vars) {
				t.Error(problem)
			}
		})
	}
}

type player struct {
	baseURL string
	rt      http.RoundTripper
	key     string
}

// setup brings the server into the state of a vector and returns the saved values.
func (p player) setup(t *testing.T, v Vector) (map[string]string, error) {
	t.Helper()
	vars := map[string]string{}
	for i, step := range v.Setup {
		for range max(step.Repeat, 1) {
			status, _, body, err := p.send(t, step.Fill(vars))
			if err != nil {
				return nil, fmt.Errorf("setup %d: %w", i, err)
			}
			if status >= http.StatusBadRequest && !step.Any {
				return nil, fmt.Errorf("setup %d: status %d: %s", i, status, body)
			}
			if err := save(vars, step.Save, body); err != nil {
				return nil, fmt.Errorf("setup %d: %w", i, err)
			}
		}
	}
	return vars, nil
}

func save(vars, names map[string]string, body []byte) error {
	if len(names) == 0 {
		return nil
	}
	answer, err := decode(body)
	if err != nil {
		return errors.New("the answer is not json")
	}
	for name, path := range names {
		found := lookup(answer, strings.Split(path, "."), false)
		if len(found) == 0 {
			return fmt.Errorf("there is no %s in %s", path, body)
		}
		value, ok := found[0].(string)
		if !ok {
			return fmt.Errorf("%s is not a string in %s", path, body)
		}
		vars[name] = value
	}
	return nil
}

// play sends the request under test and returns what is wrong with the answer.
func (p player) play(t *testing.T, v Vector, vars map[string]string) []string {
	t.Helper()
	status, header, body, err := p.send(t, v.Request.Fill(vars))
	if err != nil {
		return []string{err.Error()}
	}
	var problems []string
	if status != v.Response.Status {
		problems = append(problems, fmt.Sprintf("status %d, not %d: %s", status, v.Response.Status, body))
	}
	if media, _, err := mime.ParseMediaType(header.Get("Content-Type")); err != nil || media != "application/json" {
		problems = append(problems, fmt.Sprintf("content type %q", header.Get("Content-Type")))
	}
	problems = append(problems, v.Response.Compare([]byte(Fill(string(v.Response.Body), vars)), body)...)
	if status >= http.StatusBadRequest {
		problems = append(problems, errorBody(status, body)...)
	}
	return problems
}

// errorBody checks an error body against the contract (Errors).
func errorBody(status int, body []byte) []string {
	answer, err := decode(body)
	if err != nil {
		return nil // Reported as not JSON already.
	}
	o := asObject(answer)
	var problems []string
	if id, ok := o["request_id"].(string); !ok || !strings.HasPrefix(id, "req_") {
		problems = append(problems, "request_id: does not begin with req_")
	}
	if text(o["code"]) != fmt.Sprint(status) {
		problems = append(problems, fmt.Sprintf("code: is %s, not %d", text(o["code"]), status))
	}
	for _, name := range []string{"error", "message"} {
		if s, ok := o[name].(string); !ok || s == "" {
			problems = append(problems, name+": is empty")
		}
	}
	return problems
}

func (p player) send(t *testing.T, r Request) (int, http.Header, []byte, error) {
	t.Helper()
	payload := r.Raw
	if payload == "" {
		payload = string(r.Body)
	}
	var body io.Reader = http.NoBody
	if payload != "" {
		body = strings.NewReader(payload)
	}
	req, err := http.NewRequestWithContext(t.Context(), r.Method, p.baseURL+r.Path, body)
	if err != nil {
		return 0, nil, nil, fmt.Errorf("build request: %w", err)
	}
	headers := map[string]string{"Authorization": "Bearer " + p.key}
	if payload != "" {
		headers["Content-Type"] = "application/json"
	}
	maps.Copy(headers, r.Headers)
	for name, value := range headers {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	resp, err := p.rt.RoundTrip(req)
	if err != nil {
		return 0, nil, nil, fmt.Errorf("send request: %w", err)
	}
	defer func() { _ = resp.Body.Close() }() // The body has been read whole.
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, nil, nil, fmt.Errorf("read answer: %w", err)
	}
	return resp.StatusCode, resp.Header, answer, nil
}
