package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cardtop/cardtop/internal/lang"
)

// TestTitlesFitTheirColumns holds what tables of a pane are titled: a translation is cut
// where the English title is not.
func TestTitlesFitTheirColumns(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../ui/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			title, least, ok := column(n)
			if !ok {
				return true
			}
			seen++
			for _, language := range lang.Names()[1:] {
				text := lang.Of(language).Title(title)
				if cells := utf8.RuneCountInString(text); cells > max(least, len(title)) {
					t.Errorf("%s: %q is %q in %s: %d cells of %d", name, title, text, language, cells, least)
				}
			}
			return true
		})
	}
	if seen < 50 {
		t.Errorf("%d titles found", seen)
	}
}

// column returns the title of a column that is written out, and its least width.
func column(n ast.Node) (title string, least int, ok bool) {
	lit, is := n.(*ast.CompositeLit)
	if !is {
		return "", 0, false
	}
	for _, e := range lit.Elts {
		kv, is := e.(*ast.KeyValueExpr)
		if !is {
			continue
		}
		switch key, _ := kv.Key.(*ast.Ident); {
		case key == nil:
		case key.Name == "Title":
			if call, is := kv.Value.(*ast.CallExpr); is && len(call.Args) == 1 {
				title, _ = literal(call.Args[0])
			}
		case key.Name == "Min":
			if number, is := kv.Value.(*ast.BasicLit); is {
				least, _ = strconv.Atoi(number.Value)
			}
		}
	}
	return title, least, title != "" && least > 0
}
