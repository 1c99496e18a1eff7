//go:build night

package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
)

func TestLicencesAreNamedByTheirWords(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n   Version 2.0, January 2004":                                    "Apache-2.0",
		"Permission is hereby granted, free of\ncharge, to any person":                    "MIT",
		"Redistribution and use in source and binary forms, used to endorse\n or promote": "BSD-3-Clause",
		"Redistribution and use in source and binary forms, with or without":              "BSD-2-Clause",
		"Permission to use, copy, modify, and distribute this software":                   "ISC",
		"Mozilla Public License, version 2.0":                                             "MPL-2.0",
		"GNU Lesser General Public License. It refers to the GNU General Public License":  "LGPL",
		"GNU AFFERO GENERAL PUBLIC LICENSE":                                               "AGPL",
		"GNU GENERAL PUBLIC LICENSE. Permission is hereby granted, free of charge":        "GPL",
		"The author disclaims copyright: this is in the public domain":                    "blessing",
		"All rights reserved.": "",
	} {
		if got := identify(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestEveryModuleHasAPermissiveLicence reads those that are linked on any
// system; a new dependency with another licence fails here.
func TestEveryModuleHasAPermissiveLicence(t *testing.T) {
	t.Chdir("../..")
	var out bytes.Buffer
	if err := writeNotices(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Go standard library", "golang.org/x/crypto v", "github.com/danieljoos/wincred v", "github.com/nats-io/nats.go v"} {
		if !strings.Contains(out.String(), "\n"+name) {
			t.Errorf("the notices do not name %q", name)
		}
	}
}

func TestAModuleWithoutALicenceIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte("All rights reserved."), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := licencesIn(dir)
	if err != nil || len(files) != 1 || permissive(files[0].name) {
		t.Errorf("%v %v", files, err)
	}
}

func TestTheGraphIsReadByPath(t *testing.T) {
	got := parseGraph([]byte("a b@v1.0.0\na c@v1.2.0\nb@v1.0.0 c@v1.1.0\nb@v0.9.0 c@v1.0.0\n\n"))
	if want := map[string][]string{"a": {"b", "c"}, "b": {"c"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestTheBillNamesEveryModuleOfTheProgram(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte("Permission is hereby granted, free of charge"), 0o600); err != nil {
		t.Fatal(err)
	}
	info := &buildinfo.BuildInfo{
		GoVersion: "go1.26.8", Main: debug.Module{Path: "example.com/top", Version: "v1.0.0"},
		Deps: []*debug.Module{{Path: "example.com/a", Version: "v1.2.3+incompatible", Sum: "h1:x="}, {Path: "example.com/b", Version: "v0.1.0"}},
		Settings: []debug.BuildSetting{
			{Key: "GOOS", Value: "linux"},
			{Key: "vcs.time", Value: "2026-11-01T10:00:00Z"},
		},
	}
	needs := map[string][]string{"example.com/top": {"example.com/a", "example.com/gone"}, "example.com/a": {"example.com/b"}}
	modules := []module{{Path: "example.com/a", Version: "v1.2.3+incompatible", Dir: dir}, {Path: "example.com/b", Version: "v0.1.0", Dir: dir}}
	sum := sha256.Sum256([]byte("the program"))
	b, err := newBill(info, sum, needs, modules)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"timestamp":"2026-11-01T10:00:00Z"`, `"purl":"pkg:golang/std@1.26.8"`, `"purl":"pkg:golang/example.com/a@v1.2.3%2Bincompatible"`, `{"license":{"id":"MIT"}}`,
		`{"ref":"pkg:golang/example.com/top@v1.0.0","dependsOn":["pkg:golang/example.com/a@v1.2.3%2Bincompatible","pkg:golang/std@1.26.8"]}`,
		`{"ref":"pkg:golang/example.com/a@v1.2.3%2Bincompatible","dependsOn":["pkg:golang/example.com/b@v0.1.0","pkg:golang/std@1.26.8"]}`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the bill lacks %s in\n%s", want, text)
		}
	}
	if again, err := newBill(info, sum, needs, modules); err != nil || !reflect.DeepEqual(again, b) {
		t.Errorf("a second bill differs: %v", err)
	}
	if _, err := newBill(info, sum, needs, modules[:1]); err == nil {
		t.Error("a module that go.mod does not have was let through")
	}
}
