package releases_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
)

// world is a sandbox's database.
func world() kind {
	open := func(dir string) (*sandbox.Server, error) {
		return sandbox.Open(context.Background(), sandbox.Config{
			Path: filepath.Join(dir, "world.db"), Seed: 7, Cards: 3, Transactions: 10, Quiet: true, NoLimits: true,
			APIKeys: []string{"sk_test_releases"}, Now: made,
		})
	}
	return kind{
		name: "world.db",
		write: func(t *testing.T, dir string) {
			t.Helper()
			ok(t, must(open(dir))(t).Close())
		},
		read: func(t *testing.T, dir string) error {
			t.Helper()
			s, err := open(dir)
			if err != nil {
				return err
			}
			defer s.Close() //nolint:errcheck // it was only read
			client := must(api.New(api.Config{BaseURL: "http://localhost/v1", Key: api.NewAPIKey("sk_test_releases"), Now: made, Transport: s.Transport()}))(t)
			page := must(client.ListCards(t.Context(), api.ListCardsOptions{}))(t)
			same(t, len(page.Data), 3)
			return nil
		},
	}
}

// TestALaterWorldIsRefused raises the version in a sandbox's database.
func TestALaterWorldIsRefused(t *testing.T) {
	dir := t.TempDir()
	w := world()
	w.write(t, dir)
	db := must(sql.Open("sqlite", filepath.Join(dir, "world.db")))(t)
	must(db.ExecContext(t.Context(), "UPDATE meta SET value = value + 1 WHERE name = 'version'"))(t)
	ok(t, db.Close())
	if err := w.read(t, dir); err == nil || !strings.Contains(err.Error(), "its format is 2, this cardtop reads 1") {
		t.Errorf("it says %v", err)
	}
}
