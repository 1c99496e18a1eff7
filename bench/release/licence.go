package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A licence is the text of one file and its SPDX name, empty where the text is
// none of those that are known here.
type licence struct{ name, file, text string }

// licencesIn reads the licence files of a module: its own first, then what it
// names of others.
func licencesIn(dir string) ([]licence, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read the source of a module: %w", err)
	}
	var found []licence
	for _, e := range entries {
		upper := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(upper, "LICEN") && !strings.HasPrefix(upper, "COPYING") && !strings.HasPrefix(upper, "NOTICE") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name())) //nolint:gosec // a file of the module cache
		if err != nil {
			return nil, fmt.Errorf("read a licence: %w", err)
		}
		found = append(found, licence{identify(string(text)), e.Name(), string(text)})
	}
	slices.SortStableFunc(found, func(a, b licence) int { return len(a.file) - len(b.file) })
	return found, nil
}

// identify names a licence by words that only it has.
func identify(text string) string {
	words := strings.ToLower(strings.Join(strings.Fields(text), " "))
	has := func(s string) bool { return strings.Contains(words, s) }
	switch {
	case has("apache license") && has("version 2.0"):
		return "Apache-2.0"
	case has("mozilla public license") && has("version 2.0"):
		return "MPL-2.0"
	case has("gnu lesser general public license"):
		return "LGPL"
	case has("gnu affero general public license"):
		return "AGPL"
	case has("gnu general public license"):
		return "GPL"
	case has("permission is hereby granted, free of charge"):
		return "MIT"
	case has("redistribution and use in source and binary forms") && has("endorse or promote"):
		return "BSD-3-Clause"
	case has("redistribution and use in source and binary forms"):
		return "BSD-2-Clause"
	case has("permission to use, copy, modify, and"):
		return "ISC"
	case has("public domain"):
		return "blessing"
	}
	return ""
}

// permissive tells the licences that ask for no more than their text.
func permissive(name string) bool {
	return slices.Contains([]string{"Apache-2.0", "MIT", "BSD-3-Clause", "BSD-2-Clause", "ISC", "blessing"}, name)
}

// writeNotices writes the licence of Go and of every module that is linked on
// any system. Most of them ask that their text goes with the program.
func writeNotices(ctx context.Context, out io.Writer) error {
	modules, err := linked(ctx, ".")
	if err != nil {
		return err
	}
	root, err := goTool(ctx, "", "env", "GOROOT")
	if err != nil {
		return err
	}
	modules = append([]module{{Path: "Go standard library", Dir: strings.TrimSpace(string(root))}}, modules...)
	var text strings.Builder
	text.WriteString("cardtop contains the following software.\n")
	for _, m := range modules {
		files, err := licencesIn(m.Dir)
		if err != nil {
			return err
		}
		if len(files) == 0 || !permissive(files[0].name) {
			return fmt.Errorf("%s %s has no licence that is known: read %s and add it to licence.go", m.Path, m.Version, filepath.ToSlash(m.Dir))
		}
		for _, f := range files {
			fmt.Fprintf(&text, "\n%s\n%s\n\n%s\n", strings.Repeat("-", 72), strings.TrimSpace(m.Path+" "+m.Version+" "+f.file), strings.TrimSpace(f.text))
		}
	}
	_, err = io.WriteString(out, text.String())
	return err
}

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
