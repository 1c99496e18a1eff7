package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// three are the groups of a small program: main, ui and state.
func three() []group {
	return []group{
		{"main.go", "entry", []string{"."}, 0, 300, 0, 0},
		{"ui", "screen", []string{"ui", "ui/*"}, 0, 200, 1, 1},
		{"state", "store", []string{"state"}, 0, 300, 2, 2},
	}
}

func TestAnArrowThatOthersImplyIsLeftOut(t *testing.T) {
	got, err := grouped(three(), map[string][]string{".": {"ui", "state"}, "ui": {"ui/cards"}, "ui/cards": {"state"}, "state": nil, "e2e": {"state"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := [][2]int{{0, 1}, {1, 2}}; !reflect.DeepEqual(got.arrows, want) {
		t.Errorf("arrows %v, want %v", got.arrows, want)
	}
	if want := []string{"ui", "ui/cards"}; !reflect.DeepEqual(got.packages[1], want) {
		t.Errorf("ui holds %v, want %v", got.packages[1], want)
	}
}

func TestThePictureRefusesWhatItCannotShow(t *testing.T) {
	for want, imports := range map[string]map[string][]string{
		"package internal/new is in no group": {".": {"internal/new"}, "internal/new": nil},
		"import each other":                   {"ui": {"state"}, "state": {"ui/cards"}, "ui/cards": nil},
	} {
		if _, err := grouped(three(), imports); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestTheLongestPatternCounts(t *testing.T) {
	for path, title := range map[string]string{"ui/pane": "ui/pane ui/dialog ui/widget ui/theme", "ui/cards": "ui/*", "ui": "ui", "internal/storage/fsafe": "internal/storage/fsafe internal/config/redact"} {
		if i, shown := groupOf(groups(), path); i < 0 || !shown || groups()[i].title != title {
			t.Errorf("%s is in group %d, want %s", path, i, title)
		}
	}
}

func TestThePictureIsTheSameEachTime(t *testing.T) {
	imports, err := imported(t.Context(), filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	first, err := architecture(groups(), imports)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if again, err := architecture(groups(), imports); err != nil || !bytes.Equal(again, first) {
			t.Fatalf("another picture of the same imports: %v", err)
		}
	}
	for dec := xml.NewDecoder(bytes.NewReader(first)); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"main.go", ">state<", ">api<", "journal", "prefers-color-scheme"} {
		if !bytes.Contains(first, []byte(name)) {
			t.Errorf("the picture lacks %s", name)
		}
	}
}

// TestTheTextsFitTheirBoxes holds that no word is wider than its box.
func TestTheTextsFitTheirBoxes(t *testing.T) {
	for _, g := range groups() {
		for _, w := range strings.Fields(g.title) {
			if float64(len(w))*titleWidth > g.x1-g.x0-boxPad {
				t.Errorf("%s is wider than its box", w)
			}
		}
		if g.x1 > pictureWidth || g.x0 >= g.x1 || g.top > g.bottom {
			t.Errorf("%s stands nowhere", g.title)
		}
	}
}
