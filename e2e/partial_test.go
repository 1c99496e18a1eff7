package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"time"
)

// asked lists what was asked for at a path from a moment on.
func (d *driver) asked(g *gate, path string, from time.Time) (out []sent) {
	for _, s := range g.since(from) {
		if s.path == path {
			out = append(out, s)
		}
	}
	return out
}

// without is the list of cards as if one of them had never been.
func without(id string) way {
	return func(r *http.Request, server http.RoundTripper) (*http.Response, error) {
		res, err := server.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		defer func() { _ = res.Body.Close() }()
		var page map[string]any
		if err := json.NewDecoder(res.Body).Decode(&page); err != nil {
			return nil, err
		}
		rows, _ := page["data"].([]any)
		page["data"] = slices.DeleteFunc(rows, func(row any) bool { c, ok := row.(map[string]any); return ok && c["id"] == id })
		if p, ok := page["pagination"].(map[string]any); ok {
			p["total"] = len(rows) - 1
		}
		data, err := json.Marshal(page)
		if err != nil {
			return nil, err
		}
		return response(r, res.StatusCode, res.Header, io.NopCloser(bytes.NewReader(data)), int64(len(data))), nil
	}
}
