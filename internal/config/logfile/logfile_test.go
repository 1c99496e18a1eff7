package logfile

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSecretsAreMaskedHoweverTheyAreLogged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "cardtop.log")
	f, err := Open(path)
	must(t, err)
	log := f.Logger(slog.LevelInfo)
	log.Info("request", slog.String("method", "GET"), slog.Int("status", 200))
	log.Warn("trouble with 4111 1111 1111 1111", slog.Any("error", fmt.Errorf("call: %w", errors.New("Bearer sk_test_abcdef0123456789"))))
	log.With(slog.String("pan", "4111111111111111")).Error("a", slog.Group("g", slog.String("key", "sk_live_0123456789abcdef")))
	must(t, f.Close())
	data, err := os.ReadFile(path)
	must(t, err)
	text := string(data)
	for _, secret := range []string{"4111", "abcdef"} {
		if strings.Contains(text, secret) {
			t.Errorf("the log holds %q:\n%s", secret, text)
		}
	}
	if !strings.Contains(text, "method=GET status=200") {
		t.Errorf("a plain line was changed:\n%s", text)
	}
	info, err := os.Stat(path)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the log's mode is %v", info.Mode())
	}
}

func TestTheFileIsTurnedOverAndThreeAreKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f, err := Open(filepath.Join(dir, "cardtop.log"))
	must(t, err)
	f.max = 100
	for i := range 40 {
		if _, err := fmt.Fprintf(f, "line %02d of some length to fill it\n", i); err != nil {
			t.Fatal(err)
		}
	}
	must(t, f.Close())
	files, err := os.ReadDir(dir)
	must(t, err)
	if len(files) != 1+kept {
		t.Errorf("%d files are left", len(files))
	}
	last, err := os.ReadFile(filepath.Join(dir, "cardtop.log"))
	must(t, err)
	if !strings.Contains(string(last), "line 39") {
		t.Errorf("the newest line is not in the newest file: %s", last)
	}
}

func TestTheFileGrowsOnWhenItCannotBeMoved(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cardtop.log")
	f, err := Open(path)
	must(t, err)
	must(t, os.MkdirAll(filepath.Join(path+".3", "x"), 0o700))
	must(t, os.WriteFile(path+".2", nil, 0o600))
	f.max = 10
	const lines = 9
	for range lines {
		if _, err := f.Write([]byte("a line\n")); err != nil {
			t.Fatal(err)
		}
	}
	must(t, f.Close())
	data, err := os.ReadFile(path)
	must(t, err)
	if n := strings.Count(string(data), "a line"); n != lines {
		t.Errorf("%d of %d lines are left", n, lines)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
