package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// exported writes what is shown to a file, and returns it.
func (d *driver) exported(dir, what string) string {
	d.t.Helper()
	d.press("E")
	rows := " " + strings.TrimSuffix(what, "s")
	d.see("Export ", rows)
	d.press("1")
	d.see("written to "+dir, rows)
	paths, err := filepath.Glob(filepath.Join(dir, "cardtop-"+what+"-*.csv"))
	if err != nil || len(paths) != 1 {
		d.t.Fatalf("%v, %v", paths, err)
	}
	data, err := os.ReadFile(paths[0])
	must(d.t, err)
	return string(data)
}

// written gives the one file of an export, and its name.
func (d *driver) written(dir string) (name, text string) {
	d.t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "cardtop-*"))
	if err != nil || len(paths) != 1 {
		d.t.Fatalf("%v, %v\n%s", paths, err, d.screen())
	}
	data, err := os.ReadFile(paths[0])
	must(d.t, err)
	return filepath.Base(paths[0]), string(data)
}

// since counts what the server has of all cards from a time on.
func (d *driver) since(from time.Time) (n int) {
	d.t.Helper()
	for page := 1; ; page++ {
		path := "/transactions?per_page=100&from=" + from.UTC().Format(time.RFC3339) + "&page=" + strconv.Itoa(page)
		rows := objects(d.t, d.api(http.MethodGet, path, nil)["data"])
		if n += len(rows); len(rows) < 100 {
			return n
		}
	}
}
