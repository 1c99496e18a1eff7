// Package wire is the HTTP side of the sandbox that knows no cards: it reads
// request bodies and queries, writes JSON and the documented error body, limits,
// counts and breaks requests, and carries them within a process.
package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Encode returns the JSON of an answer, without HTML escapes.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// List is a list without pagination.
type List[T any] struct {
	Data []T `json:"data"`
}
