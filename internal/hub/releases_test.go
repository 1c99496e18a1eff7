package hub_test

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/kept"
	"github.com/cardtop/cardtop/internal/storage/format"
)

const releases = "../../testdata/releases"

//nolint:gochecknoglobals // a flag of the test
var release = flag.String("release", "", "write the hub's files of this release, such as v1.2.3")

func hubFiles() []string { return []string{"approvals.json", "claims.json"} }

// askAndClaim has a hub store a request that waits for a lead, and a claim of a code.
func askAndClaim(s *site, card, code string) {
	s.t.Helper()
	s.begin()
	s.want(s.ask("ann", "POST", "/v1/cards/"+card+"/fund", `{"amount":300}`, "X-Idempotency-Key", "k"), 403, "approval_required")
	s.want(s.ask("bob", "POST", "/hub/v1/claims", fmt.Sprintf(`{"challenge_id":%q}`, code)), 200, "")
	s.end()
}

// cardAndCode are there in the sandbox.
func (s *site) cardAndCode() (card, code string) {
	s.t.Helper()
	card = s.card("fb/a")
	made := s.upstream(http.MethodPost, "/sandbox/challenges", fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":3,"otp":"482913"}`, card))
	return card, fmt.Sprint(made["id"])
}

// TestWriteFilesOfARelease writes what a hub stores into the folder of a release, when it is
// asked to.
func TestWriteFilesOfARelease(t *testing.T) {
	if *release == "" {
		t.Skip("-release names none")
	}
	crew(t, func(s *site) {
		card, code := s.cardAndCode()
		askAndClaim(s, card, code)
		must(s.t, os.MkdirAll(filepath.Join(releases, *release), 0o755))
		for _, name := range hubFiles() {
			data, err := os.ReadFile(filepath.Join(s.dir, "hub", name))
			if err == nil {
				err = os.WriteFile(filepath.Join(releases, *release, name), data, 0o644)
			}
			if err != nil {
				s.t.Error(err)
			}
		}
	})
}

// TestAHubReadsTheFilesOfEveryRelease: the code is taken, the request waits, and moves its money
// when it is approved.
func TestAHubReadsTheFilesOfEveryRelease(t *testing.T) {
	t.Parallel()
	all, err := os.ReadDir(releases)
	if err != nil || len(all) == 0 {
		t.Fatalf("%d releases, %v", len(all), err)
	}
	for _, r := range all {
		t.Run(r.Name(), func(t *testing.T) {
			crew(t, func(s *site) {
				card, code := s.cardAndCode()
				for _, name := range hubFiles() {
					data, err := os.ReadFile(filepath.Join(releases, r.Name(), name))
					must(s.t, err)
					// A sandbox of another release may name its rows otherwise.
					data = regexp.MustCompile(`"card_[0-9a-z]{8,}"`).ReplaceAll(data, []byte(`"`+card+`"`))
					data = regexp.MustCompile(`"3ds_[0-9a-z]{8,}"`).ReplaceAll(data, []byte(`"`+code+`"`))
					s.store(name, data)
				}
				s.begin()
				s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
				waits := s.waiting("lea")
				if len(waits) != 1 || waits[0]["by"] != "ann" || waits[0]["amount"] != 300.0 || waits[0]["card_balance_after"] != 350.0 {
					s.t.Fatalf("waiting: %v", waits)
				}
				if rows := s.rows("ann", "/hub/v1/claims"); len(rows) != 1 || rows[0]["by"] != "bob" || rows[0]["challenge_id"] != code {
					s.t.Errorf("claims: %v", rows)
				}
				decide, body := approval(waits[0])
				s.want(s.ask("lea", "POST", decide, body), 200, "")
				if got := s.balance(card); got != 350 {
					s.t.Errorf("the card holds %v", got)
				}
			})
		})
	}
}

// TestAHubDoesNotStartOnFilesOfALaterFormat, and leaves them as they are.
func TestAHubDoesNotStartOnFilesOfALaterFormat(t *testing.T) {
	t.Parallel()
	for _, name := range hubFiles() {
		t.Run(name, func(t *testing.T) {
			crew(t, func(s *site) {
				card, code := s.cardAndCode()
				askAndClaim(s, card, code)
				path := filepath.Join(s.dir, "hub", name)
				data, err := os.ReadFile(path)
				must(s.t, err)
				later := bytes.Replace(data, []byte(`"version":1`), []byte(`"version":2`), 1)
				s.store(name, later)
				err = hub.New(hub.Config{Keep: kept.Dir{Path: filepath.Dir(path)}, Team: s.people, Now: clock}).Run(s.t.Context())
				if text := fmt.Sprint(err); !strings.Contains(text, path) || !strings.Contains(text, "update cardtop") || strings.Contains(text, "\n") {
					s.t.Errorf("it starts with %q, want %v", text, format.ErrNewer)
				}
				if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, later) || bytes.Equal(now, data) {
					s.t.Errorf("it did not stay as it was: %s, %v", now, err)
				}
			})
		})
	}
}

func (s *site) store(name string, data []byte) {
	s.t.Helper()
	path := filepath.Join(s.dir, "hub", name)
	must(s.t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(s.t, os.WriteFile(path, data, 0o600))
}
