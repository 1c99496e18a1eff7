package hub_test

import (
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/hub/limit"
)

// normalising is what stands in front of some services: it decodes a path and takes the
// dots out of it before it passes the request on.
type normalising struct{ s *site }

func (n normalising) RoundTrip(r *http.Request) (*http.Response, error) {
	if at := r.URL.EscapedPath(); !regexp.MustCompile(`^[A-Za-z0-9_/-]+$`).MatchString(at) {
		n.s.t.Errorf("%s %s is passed on", r.Method, at)
	}
	r = r.Clone(r.Context())
	r.URL.Path, r.URL.RawPath = path.Clean(r.URL.Path), ""
	return n.s.world.Transport().RoundTrip(r)
}

// TestWhatIsNoIDIsNotPassedOn: a path is made of ids, and the service may read it in
// another way than the hub. The audit says who tried.
func TestWhatIsNoIDIsNotPassedOn(t *testing.T) {
	crew(t, func(s *site) {
		s.between = normalising{s}
		card := s.card("gg/hidden")
		code, _ := s.upstream(http.MethodPost, "/sandbox/challenges", `{"card_id":"`+card+`","merchant":"Acme","otp":"482913","amount":1}`)["id"].(string)
		s.begin()
		s.want(s.ask("eve", "GET", "/v1/cards/"+card, ""), 200, "")
		n := 0
		for _, id := range []string{
			"..%2Fcards%2F" + card + "%2Fdetails", "..%2f3ds%2f" + code, "%2e%2e%2f3ds%2f" + code, "..%5C3ds%5C" + code, "..%252F3ds%252F" + code,
			"..;%2F3ds%2F" + code, "..%3B", card + "%3Fx=1", card + "%23", card + "%00", card + ";x=1", "%2E%2E", "..", card + "%20", "c%C3%A4rd", "ⅽard",
			card + ".json", strings.Repeat("a", 300),
		} {
			for _, at := range []string{"GET /v1/cards/", "GET /v1/transactions/", "GET /v1/3ds/", "DELETE /v1/webhooks/", "DELETE /v1/cards/", "POST /hub/v1/operations/"} {
				method, before, _ := strings.Cut(at, " ")
				for _, who := range []string{"eve", "ann", "root"} {
					r := s.ask(who, method, before+id, "")
					n++
					if r.status != 404 && r.status != 400 && r.status != 403 || strings.Contains(r.text, "pan") || strings.Contains(r.text, "482913") {
						s.t.Errorf("%s %s%s as %s: %d %s", method, before, id, who, r.status, r.text)
					}
				}
			}
			s.want(s.ask("bob", "POST", "/v1/cards/"+id+"/fund", `{"amount":5}`), 404, "not_found")
			s.want(s.ask("root", "GET", "/v1/transactions?card_id="+id, ""), 400, "invalid_request")
			s.want(s.ask("root", "GET", "/v1/3ds?card_id="+id, ""), 400, "invalid_request")
		}
		s.end()
		records, err := s.past.Load(10 * n)
		must(s.t, err)
		tried := 0
		for _, r := range records {
			if r.Action == "invalid-id" && r.By.Name == "eve" && r.Outcome == "refused" {
				tried++
			}
		}
		if tried == 0 {
			s.t.Error("the audit does not say who tried")
		}
		if got := s.balance(card); got != 50 {
			s.t.Errorf("the card has %v", got)
		}
	})
}

// TestWhoTriesWhatIsNoIDIsSlowedDown as one who reads details.
func TestWhoTriesWhatIsNoIDIsSlowedDown(t *testing.T) {
	crew(t, func(s *site) {
		s.limits = limit.Limits{Requests: 1e9, Details: 3, Pages: 1e9, Streams: 9}
		s.begin()
		for range 3 {
			s.want(s.ask("eve", "GET", "/v1/transactions/..%2Fcards", ""), 404, "not_found")
		}
		s.want(s.ask("eve", "GET", "/v1/transactions/..%2Fcards", ""), 429, "rate_limited")
	})
}
