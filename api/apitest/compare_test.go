package apitest

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	tests := []struct {
		name      string
		r         Response
		want, got string
		problem   string // part of the only one; "": none
	}{
		{"same", Response{}, `{"a":1}`, `{"a":2}`, ""},
		{"missing key", Response{}, `{"a":1,"b":{"c":1}}`, `{"a":2,"b":{}}`, "b.c: is missing"},
		{"more keys", Response{}, `{"a":1}`, `{"a":2,"b":3}`, "b: is not expected"},
		{"another type", Response{}, `{"a":1}`, `{"a":"1"}`, "a: is a string, not a number"},
		{"null fits", Response{}, `{"a":null,"b":1}`, `{"a":[],"b":null}`, ""},
		{"elements", Response{}, `{"data":[{"a":1}]}`, `{"data":[{"a":1},{"b":1,"a":1}]}`, "data.*.b: is not expected"},
		{"empty list", Response{}, `{"data":[{"a":1}]}`, `{"data":[]}`, "data: is empty"},
		{"empty body", Response{}, `[{"a":1}]`, `[]`, ".: is empty"},
		{"empty tags", Response{}, `{"tags":["a"]}`, `{"tags":[]}`, ""},
		{"optional missing", Response{Optional: []string{"data.*.b"}}, `{"data":[{"a":1,"b":1}]}`, `{"data":[{"a":1}]}`, ""},
		{"optional more", Response{Optional: []string{"b"}}, `{"a":1}`, `{"a":1,"b":2}`, ""},
		{"more allowed", Response{More: []string{"."}}, `{"a":1}`, `{"a":1,"b":2}`, ""},
		{"more allowed, one missing", Response{More: []string{"."}}, `{"a":1}`, `{"b":2}`, "a: is missing"},
		{"open", Response{Open: []string{"m"}}, `{"m":{"a":1}}`, `{"m":{"b":"x"}}`, ""},
		{"exact", Response{Exact: []string{"a.b"}}, `{"a":{"b":1.50}}`, `{"a":{"b":1.5}}`, ""},
		{"exact differs", Response{Exact: []string{"a.b"}}, `{"a":{"b":1.5}}`, `{"a":{"b":1.6}}`, "a.b: is 1.6, not 1.5"},
		{"exact null", Response{Exact: []string{"a"}}, `{"a":null}`, `{"a":0}`, "a: is 0, not null"},
		{"exact object", Response{Exact: []string{"a"}}, `{"a":{"x":"1","y":"2"}}`, `{"a":{"y":"2","x":"1"}}`, ""},
		{"every element", Response{Exact: []string{"data.*.s"}}, `{"data":[{"s":"x"}]}`, `{"data":[{"s":"x"},{"s":"y"}]}`, `data.*.s: is "y", not "x"`},
		{"index", Response{Exact: []string{"1"}}, `["a","b"]`, `["c","b"]`, ""},
		{"nothing there", Response{Exact: []string{"a"}}, `{}`, `{}`, "a: there is nothing"},
		{"not json", Response{}, `{}`, `<html>`, "not json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			problems := tt.r.Compare([]byte(tt.want), []byte(tt.got))
			if tt.problem == "" && len(problems) > 0 {
				t.Errorf("got %q", problems)
			}
			if tt.problem != "" && (len(problems) != 1 || !strings.Contains(problems[0], tt.problem)) {
				t.Errorf("got %q, want %q", problems, tt.problem)
			}
		})
	}
}

func TestVectorsAreSound(t *testing.T) {
	vectors, err := Vectors()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, v := range vectors {
		if names[v.Name] || v.Name == "" || v.Only != "" && !v.ServerOnly() {
			t.Errorf("%q is there twice or malformed", v.Name)
		}
		names[v.Name] = true
		example := []byte(Fill(string(v.Response.Body), v.Vars))
		if problems := v.Response.Compare(example, example); len(problems) > 0 {
			t.Errorf("%s: the example does not meet itself: %q", v.Name, problems)
		}
		if r := v.Request.Fill(v.Vars); !v.ServerOnly() && strings.Contains(r.Path+string(r.Body)+string(example), "{"+"card}") {
			t.Errorf("%s: a name has no value", v.Name)
		}
	}
	if len(names) < 150 {
		t.Errorf("only %d vectors", len(names))
	}
}

// fake answers from a list, and records what it was sent.
type fake struct {
	answers []string // status, space, body
	seen    []string
}

func (f *fake) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	f.seen = append(f.seen, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(body)))
	answer := f.answers[0]
	f.answers = f.answers[1:]
	status := int(answer[0]-'0')*100 + int(answer[1]-'0')*10 + int(answer[2]-'0')
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(answer[4:])),
	}, nil
}

func TestPlayer(t *testing.T) {
	v := Vector{
		Setup: []Step{
			{Request: Request{Method: "POST", Path: "/cards", Body: []byte(`{ "amount" : 1 }`)}, Save: map[string]string{"card": "data.0.id"}},
			{Request: Request{Method: "POST", Path: "/cards/{card}/fund"}, Repeat: 2, Any: true},
		},
		Request:  Request{Method: "GET", Path: "/cards/{card}", Headers: map[string]string{"Authorization": ""}},
		Response: Response{Status: 404, Body: []byte(`{"error":"not_found","message":"no {card}","code":404,"request_id":"req_1"}`), Exact: []string{"message"}},
	}
	const saved = `201 {"data":[{"id":"card_7"}]}`
	tests := []struct {
		name, answer string
		problems     int
	}{
		{"good", `404 {"error":"not_found","message":"no card_7","code":404,"request_id":"req_2"}`, 0},
		{"status", `400 {"error":"not_found","message":"no card_7","code":400,"request_id":"req_2"}`, 1},
		{"value", `404 {"error":"not_found","message":"no","code":404,"request_id":"req_2"}`, 1},
		{"code", `404 {"error":"not_found","message":"no card_7","code":400,"request_id":"req_2"}`, 1},
		{"request id", `404 {"error":"not_found","message":"no card_7","code":404,"request_id":"2"}`, 1},
		{"empty", `404 {"error":"","message":"no card_7","code":404,"request_id":"req_2"}`, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{answers: []string{saved, "500 {}", "200 {}", tt.answer}}
			p := player{"http://127.0.0.1/v1", f, "sk_test_1"}
			vars, err := p.setup(t, v)
			if err != nil {
				t.Fatal(err)
			}
			if problems := p.play(t, v, vars); len(problems) != tt.problems {
				t.Errorf("got %q", problems)
			}
			want := []string{
				`POST /v1/cards Bearer sk_test_1 {"amount":1}`, "POST /v1/cards/card_7/fund Bearer sk_test_1",
				"POST /v1/cards/card_7/fund Bearer sk_test_1", "GET /v1/cards/card_7",
			}
			if strings.Join(f.seen, "\n") != strings.Join(want, "\n") {
				t.Errorf("sent %q", f.seen)
			}
		})
	}
	p := player{"http://127.0.0.1/v1", &fake{answers: []string{"400 {}"}}, "sk_test_1"}
	if _, err := p.setup(t, v); err == nil {
		t.Error("a setup that failed was taken")
	}
}
