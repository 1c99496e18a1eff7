package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// leads matches what a page leads to: [text](target), src="target" and href="target".
var leads = regexp.MustCompile(`\]\(([^)#\s]+)[^)]*\)|(?:src|href)="([^"#]+)`)

// checkLinks is an error for each link of a page below a folder that leads to no file there.
// Addresses of sites are not followed; the headings are checked by bench/site.
func checkLinks(dir string) error {
	var wrong []error
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { //nolint:gosec // a folder that its caller named
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path) //nolint:gosec // a page of the repository
		if err != nil {
			return err
		}
		for _, m := range leads.FindAllStringSubmatch(string(text), -1) {
			to := m[1] + m[2]
			if strings.Contains(to, ":") {
				continue
			}
			target := filepath.Join(filepath.Dir(path), to)
			inside, err := filepath.Rel(dir, target)
			if err == nil && filepath.IsLocal(inside) {
				_, err = os.Stat(target) //nolint:gosec // as above
			} else if err == nil {
				err = errors.New("it is outside")
			}
			if err != nil {
				wrong = append(wrong, fmt.Errorf("%s leads to %s, which is not released", path, to))
			}
		}
		return nil
	})
	return errors.Join(err, errors.Join(wrong...))
}
