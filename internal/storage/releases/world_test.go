package releases_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
)

// world is the file of a sandbox.
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
			c := must(client.New(client.Config{BaseURL: "http://localhost/v1", Key: api.NewAPIKey("sk_test_releases"), Now: made, Transport: s.Transport()}))(t)
			page := must(c.ListCards(t.Context(), api.ListCardsOptions{}))(t)
			same(t, len(page.Data), 3)
			return nil
		},
	}
}

// TestALaterWorldIsRefused raises the version in a sandbox's file.
func TestALaterWorldIsRefused(t *testing.T) {
	dir := t.TempDir()
	w := world()
	w.write(t, dir)
	path := filepath.Join(dir, "world.db")
	now := must(os.ReadFile(path))(t)
	ok(t, os.WriteFile(path, bytes.Replace(now, []byte("cardtop world 2"), []byte("cardtop world 3"), 1), 0o600))
	if err := w.read(t, dir); err == nil || !strings.Contains(err.Error(), "its format is 3, this cardtop reads 2") {
		t.Errorf("it says %v", err)
	}
}
