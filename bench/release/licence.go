package main

import (
	"fmt"
	"os"
	"path/filepath"
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
