//go:build unix

package config_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state/settings"
)

const withKey = "[profiles.a]\nbase_url = 'https://a/v1'\napi_key = 'sk_test_a'\nca_file = 'ca.pem'\n"

func TestLoadTrust(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		mode       fs.FileMode
		want       string
	}{
		{"key in a private file", withKey, 0o600, ""},
		{"key that others may read", withKey, 0o644, "it holds an API key and others may read it (mode 0644); run: chmod 600 "},
		{"key and a slip, others may read", withKey + "pol = 1", 0o640, "others may read it (mode 0640); run: chmod 600 "},
		{"no key, others may read", "theme = 'dark'", 0o644, ""},
		{"no key, others may write", "theme = 'dark'", 0o666, "others may write to it (mode 0666); run: chmod 600 "},
		{"slip", "pol = 1", 0o644, "config.toml:1:1: unknown setting"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			source := place(t, tt.text, tt.mode)
			settings, err := source.Load()
			if tt.want == "" {
				must(t, err)
				if p, ok := settings.Profiles["a"]; ok && p.CAFile != filepath.Join(filepath.Dir(source.Path), "ca.pem") {
					t.Errorf("ca_file = %s", p.CAFile)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("Load = %v, want one line with %q", err, tt.want)
			}
			var trust *fsafe.TrustError
			if strings.Contains(tt.want, "chmod") != errors.As(err, &trust) {
				t.Errorf("Load = %v: not the type that it should be", err)
			}
		})
	}
}

// linked is a configuration as programs for dotfiles place it: a link to the file.
func linked(t *testing.T, text string) (source config.Source, target string) {
	t.Helper()
	target = place(t, text, 0o600).Path
	source = config.Source{Path: filepath.Join(t.TempDir(), "config.toml")}
	must(t, os.Symlink(target, source.Path))
	return source, target
}

func TestLoadFollowsLinks(t *testing.T) {
	t.Parallel()
	file, _ := linked(t, "theme = 'dark'")
	dir := config.Source{Path: filepath.Join(t.TempDir(), "cardtop", "config.toml")}
	must(t, os.Symlink(filepath.Dir(place(t, "theme = 'dark'", 0o600).Path), filepath.Dir(dir.Path)))
	for _, source := range []config.Source{file, dir} {
		if settings, err := source.Load(); err != nil || settings.Theme != "dark" {
			t.Errorf("Load of %s = %q, %v", source.Path, settings.Theme, err)
		}
	}
}

func TestLoadRefusesLinksThatOthersChange(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, want string
		open       func(link, target string) error
	}{
		{"target", "others may write to it", func(_, target string) error { return os.Chmod(target, 0o666) }},
		{"directory of the target", "may write to the directory", func(_, target string) error { return os.Chmod(filepath.Dir(target), 0o777) }},
		{"directory of the link", "others may write to the directory", func(link, _ string) error { return os.Chmod(filepath.Dir(link), 0o775) }},
		{"no target", "which does not exist", func(_, target string) error { return os.Remove(target) }},
		{"circle", "too many symbolic links", func(link, target string) error {
			return errors.Join(os.Remove(target), os.Symlink(link, target))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			source, target := linked(t, "theme = 'dark'")
			must(t, tt.open(source.Path, target))
			if _, err := source.Load(); err == nil || !strings.Contains(err.Error(), tt.want) || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("Load = %v, want %q", err, tt.want)
			}
		})
	}
}

func TestChangeKeepsTheLink(t *testing.T) {
	t.Parallel()
	source, target := linked(t, "theme = 'dark'\n")
	light := []settings.Setting{{Path: []string{"theme"}, Value: "'light'"}}
	must(t, source.Save(light))
	text, err := os.ReadFile(target)
	if to, lerr := os.Readlink(source.Path); err != nil || lerr != nil || to != target || !strings.Contains(string(text), "light") {
		t.Errorf("target = %q, %v; link = %q, %v", text, err, to, lerr)
	}
}

func TestReadOnlyTargetIsReadAndSaid(t *testing.T) {
	t.Parallel()
	source, target := linked(t, "theme = 'dark'\n")
	must(t, os.Chmod(target, 0o444))
	if settings, err := source.Load(); err != nil || settings.Theme != "dark" {
		t.Errorf("Load = %q, %v", settings.Theme, err)
	}
	err := source.Save([]settings.Setting{{Path: []string{"theme"}, Value: "'light'"}})
	if err == nil || !strings.Contains(err.Error(), target+" is read-only") {
		t.Errorf("Save = %v, want the target named", err)
	}
}

func TestWatchFollowsTheLink(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	source, target := linked(t, "theme = 'dark'")
	other := place(t, "theme = 'plain'", 0o600).Path
	reloads, err := source.Watch(ctx)
	must(t, err)
	for _, step := range []struct {
		theme  string
		change func() error
	}{
		{"light", func() error { return fsafe.WriteFile(target, []byte("theme = 'light'")) }},
		{"plain", func() error {
			return errors.Join(os.Symlink(other, source.Path+".new"), os.Rename(source.Path+".new", source.Path))
		}},
		{"dark", func() error { return fsafe.WriteFile(other, []byte("theme = 'dark'")) }},
	} {
		must(t, step.change())
		if reload := <-reloads; reload.Err != nil || reload.Settings.Theme != step.theme {
			t.Errorf("theme %q, %v, want %s", reload.Settings.Theme, reload.Err, step.theme)
		}
	}
}

func TestSource(t *testing.T) {
	t.Parallel()
	paths := config.PathsUnder(t.TempDir())
	source, err := paths.Source(config.Env{}, config.Flags{})
	if err != nil || source.Path != paths.Config || source.Asked {
		t.Fatalf("Source = %+v, %v", source, err)
	}
	if settings, err := source.Load(); err != nil || settings.Reveal != 15*time.Second {
		t.Errorf("Load without a file = %+v, %v, want the defaults", settings, err)
	}
	for _, tt := range []struct {
		env, flag, want string
	}{{"/e", "", "/e"}, {"/e", "/f", "/f"}, {"", "/f", "/f"}} {
		source, err := paths.Source(config.Env{Config: tt.env}, config.Flags{Config: tt.flag})
		if err != nil || source.Path != tt.want || !source.Asked {
			t.Errorf("Source = %+v, %v, want %s", source, err, tt.want)
		}
		if _, err := source.Load(); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Load of a named file that is not there = %v", err)
		}
	}
	if entries, err := os.ReadDir(paths.Home); err != nil || len(entries) != 0 {
		t.Errorf("loading made %v, %v", entries, err)
	}
}

func TestCAFileAtHome(t *testing.T) {
	t.Parallel()
	source := place(t, strings.Replace(withKey, "ca.pem", "~/ca.pem", 1), 0o600)
	source.Home = "/home/u"
	settings, err := source.Load()
	if err != nil || settings.Profiles["a"].CAFile != "/home/u/ca.pem" {
		t.Errorf("ca_file = %q, %v", settings.Profiles["a"].CAFile, err)
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	source, err := config.PathsUnder(t.TempDir()).Source(config.Env{}, config.Flags{})
	must(t, err)
	reloads, err := source.Watch(ctx) // Its directory is not there yet.
	must(t, err)
	if info, err := os.Stat(filepath.Dir(source.Path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("directory = %v, %v", info, err)
	}
	steps := []struct {
		name   string
		change func() error
		theme  string // Empty: an error.
	}{
		{"made", func() error { return os.WriteFile(source.Path, []byte("theme = 'dark'"), 0o600) }, "dark"},
		{"replaced", func() error { return fsafe.WriteFile(source.Path, []byte("theme = 'light'")) }, "light"},
		{"broken", func() error { return os.WriteFile(source.Path, []byte("them = 'x'"), 0o600) }, ""},
		{"mended", func() error { return os.WriteFile(source.Path, []byte("theme = 'plain'"), 0o600) }, "plain"},
		{"opened to others", func() error { return os.Chmod(source.Path, 0o666) }, ""},
		{"closed again", func() error { return os.Chmod(source.Path, 0o600) }, "plain"},
		{"removed", func() error { return os.Remove(source.Path) }, "auto"},
	}
	for _, step := range steps {
		must(t, os.WriteFile(source.Path+".other", nil, 0o600))
		must(t, step.change())
		reload, open := <-reloads
		if !open {
			t.Fatalf("%s: the channel is closed", step.name)
		}
		if step.theme == "" && reload.Err == nil || step.theme != "" && (reload.Err != nil || reload.Settings.Theme != step.theme) {
			t.Errorf("%s: theme %q, %v", step.name, reload.Settings.Theme, reload.Err)
		}
	}
	cancel()
	if reload, open := <-reloads; open {
		t.Errorf("a change after the end: %+v", reload)
	}
}

func TestWatchDirectoryGone(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	source := place(t, "", 0o600)
	reloads, err := source.Watch(ctx)
	must(t, err)
	must(t, os.RemoveAll(filepath.Dir(source.Path)))
	var last config.Reload
	for reload := range reloads {
		last = reload
	}
	if last.Err == nil || ctx.Err() != nil {
		t.Errorf("last = %v, %v, want the end told", last.Err, ctx.Err())
	}
}

// place writes a configuration file.
func place(t *testing.T, text string, mode fs.FileMode) config.Source {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "cardtop")
	path := filepath.Join(dir, "config.toml")
	must(t, errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, mode)))
	return config.Source{Path: path}
}
