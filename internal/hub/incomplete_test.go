package hub_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/engine"
)

// spoiling has an item in each list of the service that cannot be read.
type spoiling struct{ http.RoundTripper }

func (s spoiling) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := s.RoundTripper.RoundTrip(r)
	if err != nil || r.Method != http.MethodGet || res.StatusCode != http.StatusOK {
		return res, err
	}
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	bad := fmt.Sprintf(`{"data":[{"id":"bad_%s","status":5,"type":7,"created_at":{}},`, r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:])
	data = bytes.Replace(data, []byte(`{"data":[{`), []byte(bad+"{"), 1)
	res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(data)), -1
	res.Header.Del("Content-Length")
	return res, nil
}

// TestAListThatAHubCannotReadAllOfSaysSo to people, and no more to those who do not see all
// cards.
func TestAListThatAHubCannotReadAllOfSaysSo(t *testing.T) {
	crew(t, func(s *site) {
		s.between = spoiling{s.world.Transport()}
		card := s.card("fb/a")
		s.upstream(http.MethodPost, "/sandbox/challenges", fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":5,"otp":"482913"}`, card))
		s.upstream(http.MethodPost, "/sandbox/transactions", fmt.Sprintf(`{"card_id":%q,"type":"authorization","amount":5,"merchant":"Acme"}`, card))
		s.begin()
		wait(3 * time.Second)
		for path, id := range map[string]string{"/v1/cards": "bad_cards", "/v1/3ds?status=pending": "bad_3ds", "/v1/3ds": "bad_3ds", "/v1/transactions": "bad_transactions"} {
			raw := path == "/v1/transactions" || path == "/v1/3ds"
			// A page of the past is as the service has it.
			if all := s.ask("root", "GET", path, ""); (!raw || !strings.Contains(all.text, id)) && fmt.Sprint(all.body["unread"]) != fmt.Sprintf("[map[id:%s]]", id) || !strings.Contains(all.text, card) {
				s.t.Errorf("%s of who sees all: %s", path, all.text)
			}
			if some := s.ask("ann", "GET", path, ""); fmt.Sprint(some.body["unread"]) != "[map[]]" || !strings.Contains(some.text, card) {
				s.t.Errorf("%s of who sees some: %s", path, some.text)
			}
		}
		dial, stop := s.serve()
		for _, name := range []string{"root", "ann"} {
			v := s.view(name, dial)
			page, err := engine.Read(s.t.Context(), v.eng, "cards", func(ctx context.Context, c *client.Client) (api.Page[api.CardItem], error) {
				return c.ListCards(ctx, api.ListCardsOptions{})
			})
			if err != nil || len(page.Data) != 1 || len(page.Unread) != 1 || page.Unread[0].Route != "/cards" || (page.Unread[0].ID == "bad_cards") != (name == "root") {
				s.t.Errorf("%s: %+v, %v", name, page, err)
			}
			v.stop()
		}
		stop()
	})
}
