package apitest

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"strings"
	"testing"
)

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
