package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/net/html"
)

// check follows every link of every page in a folder and returns how many there are.
// Addresses of other sites are not followed.
func check(dir string) (links int, err error) {
	ids := make(map[string]map[string]bool) // of each page
	to := make(map[string][]string)         // the links of each page
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".html") {
			return err
		}
		data, err := os.ReadFile(path) //nolint:gosec // our own page
		if err != nil {
			return err
		}
		root, err := html.Parse(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		ids[path] = make(map[string]bool)
		for n := range root.Descendants() {
			for _, a := range n.Attr {
				switch {
				case a.Key == "id":
					ids[path][a.Val] = true
				case (a.Key == "href" || a.Key == "src") && !strings.Contains(a.Val, ":"):
					to[path] = append(to[path], a.Val)
				}
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	var wrong []error
	for page, all := range to {
		for _, l := range all {
			links++
			file, id, _ := strings.Cut(l, "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			if _, err := os.Stat(target); err != nil {
				wrong = append(wrong, fmt.Errorf("%s leads to %s, which is not there", page, l))
			} else if id != "" && !ids[target][id] {
				wrong = append(wrong, fmt.Errorf("%s leads to %s, which has no such heading", page, l))
			}
		}
	}
	return links, errors.Join(wrong...)
}
