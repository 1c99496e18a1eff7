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
	"fmt"
	"io/fs"
	"strings"
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
