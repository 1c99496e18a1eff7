package releases_test

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/storage/format"
)

const folder = "../../../testdata/releases"

//nolint:gochecknoglobals // a flag of the test
var release = flag.String("release", "", "write the files of this release, such as v1.2.3")

// kind is a kind of file: how it is written, and how it is read.
type kind struct {
	name  string // of a file, with a star for what differs from run to run
	write func(t *testing.T, dir string)
	// read fails the test when the file does not hold what write wrote. Its error is that of
	// the program.
	read func(t *testing.T, dir string) error
	// change does what would replace the file, or add to it; nil where read may do that.
	change func(dir string) error
	// later makes of a file one of the next format.
	later func(data []byte) []byte
}

// TestWriteFilesOfARelease writes one of each kind of file into the folder of a release,
// when it is asked to.
func TestWriteFilesOfARelease(t *testing.T) {
	if *release == "" {
		t.Skip("-release names none")
	}
	for _, k := range kinds() {
		dir := t.TempDir()
		k.write(t, dir)
		to := filepath.Join(folder, *release, strings.NewReplacer("/", "-", "*", "any").Replace(k.name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, content(t, k.find(t, dir)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTheFilesOfEveryReleaseAreRead reads them, and holds that a release has all of them.
func TestTheFilesOfEveryReleaseAreRead(t *testing.T) {
	releases, err := os.ReadDir(folder)
	if err != nil || len(releases) == 0 {
		t.Fatalf("%d releases, %v", len(releases), err)
	}
	for _, r := range releases {
		files, err := os.ReadDir(filepath.Join(folder, r.Name()))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", r.Name(), len(files), err)
		}
		for _, k := range kinds() {
			t.Run(r.Name()+" "+k.name, func(t *testing.T) {
				from := filepath.Join(folder, r.Name(), strings.NewReplacer("/", "-", "*", "any").Replace(k.name))
				if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) && r.Name() != "unreleased" {
					t.Skip("that release had no such file")
				}
				dir := t.TempDir()
				k.put(t, dir, content(t, from))
				if err := k.read(t, dir); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestALaterFormatIsRefusedAndLeftAsItIs holds that in one line it is said which file, why,
// and what to do.
func TestALaterFormatIsRefusedAndLeftAsItIs(t *testing.T) {
	for _, k := range kinds() {
		if k.later == nil {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			dir := t.TempDir()
			k.write(t, dir)
			path := k.find(t, dir)
			later := k.later(content(t, path))
			if bytes.Equal(later, content(t, path)) {
				t.Fatal("it has no version")
			}
			if err := os.WriteFile(path, later, 0o600); err != nil {
				t.Fatal(err)
			}
			refused := map[string]error{"read": k.read(t, dir)}
			if k.change != nil {
				refused["change"] = k.change(dir)
			}
			for what, err := range refused {
				if !errors.Is(err, format.ErrNewer) {
					t.Errorf("%s: %v", what, err)
					continue
				}
				text := err.Error()
				if !strings.Contains(text, path) || !strings.Contains(text, "update cardtop") || strings.Contains(text, "\n") {
					t.Errorf("%s says %q", what, text)
				}
			}
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, later) {
				t.Errorf("it did not stay as it was: %v\n%q\n%q", err, later, now)
			}
		})
	}
}

// TestEveryReleaseHasItsFiles compares the folder with the headings of the changelog.
func TestEveryReleaseHasItsFiles(t *testing.T) {
	for _, m := range regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\]`).FindAllSubmatch(content(t, "../../../CHANGELOG.md"), -1) {
		if _, err := os.Stat(filepath.Join(folder, "v"+string(m[1]))); err != nil {
			t.Errorf("%v: make release-files VERSION=v%s", err, m[1])
		}
	}
}

// find is the one file of the kind in a folder.
func (k kind) find(t *testing.T, dir string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(k.name)))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %v, %v", k.name, found, err)
	}
	return found[0]
}

// put writes a file of the kind where the program looks for it: the name of one that was
// written there, or one that a process might have made.
func (k kind) put(t *testing.T, dir string, data []byte) {
	t.Helper()
	path := filepath.Join(dir, strings.ReplaceAll(filepath.FromSlash(k.name), "*", "1-any"))
	if strings.HasPrefix(k.name, "usage/") || strings.HasPrefix(k.name, "days/") || strings.HasPrefix(k.name, "push-") {
		k.write(t, dir) // The name is made of the key, the day, or the address.
		path = k.find(t, dir)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
