package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The most that a reader has to look through to find a place.
const (
	maxFields       = 28 // of the store and of the program
	maxStoreMethods = 120
)

// TestTheStoreAndTheProgramStaySmall counts the fields of the two types that
// everything is in, and the methods that are the store's own.
func TestTheStoreAndTheProgramStaySmall(t *testing.T) {
	if n := fieldsOf(t, "state", "Store"); n == 0 || n > maxFields {
		t.Errorf("Store has %d fields, at most %d", n, maxFields)
	}
	if n := fieldsOf(t, "ui", "App"); n == 0 || n > maxFields {
		t.Errorf("App has %d fields, at most %d", n, maxFields)
	}
	if n := len(methodsOf(t, "state", "Store")); n == 0 || n > maxStoreMethods {
		t.Errorf("Store has %d methods, at most %d", n, maxStoreMethods)
	}
}

// TestPackagesBelowTheStoreDoNotKnowIt holds that what lies under state is
// used by it and not the other way.
func TestPackagesBelowTheStoreDoNotKnowIt(t *testing.T) {
	for path, imports := range packages(t) {
		if strings.HasPrefix(path, "state/") && slices.Contains(imports, "state") {
			t.Errorf("%s imports state", path)
		}
	}
}

// TestEachPaneHasTests holds that no package of the screen is tested only from
// above.
func TestEachPaneHasTests(t *testing.T) {
	for path := range packages(t) {
		if !strings.HasPrefix(path, "ui/") || strings.HasSuffix(path, "test") {
			continue
		}
		if tests, err := filepath.Glob(filepath.FromSlash(path) + "/*_test.go"); err != nil || len(tests) == 0 {
			t.Errorf("%s has no test of its own", path)
		}
	}
}

// TestPropertiesDrawTheSameCases holds that a run of the tests fails for a change alone.
func TestPropertiesDrawTheSameCases(t *testing.T) {
	draws, fixed := make(map[string]bool), make(map[string]bool)
	err := filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, in := range f.Imports {
			draws[filepath.Dir(path)] = draws[filepath.Dir(path)] || in.Path.Value == `"pgregory.net/rapid"`
			fixed[filepath.Dir(path)] = fixed[filepath.Dir(path)] || in.Path.Value == `"`+module+`internal/rapidtest"`
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir := range draws {
		if draws[dir] && !fixed[dir] {
			t.Errorf("%s draws other cases in each run: import internal/rapidtest", dir)
		}
	}
}

func declarations(t *testing.T, dir string) []ast.Decl {
	t.Helper()
	var out []ast.Decl
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, file.Decls...)
	}
	return out
}

func fieldsOf(t *testing.T, dir, name string) int {
	t.Helper()
	n := 0
	for _, d := range declarations(t, dir) {
		gen, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range gen.Specs {
			s, ok := spec.(*ast.TypeSpec)
			if !ok || s.Name.Name != name {
				continue
			}
			for _, f := range s.Type.(*ast.StructType).Fields.List { //nolint:forcetypeassert // a test that breaks is one that fails
				n += max(1, len(f.Names))
			}
		}
	}
	return n
}

func methodsOf(t *testing.T, dir, name string) []string {
	t.Helper()
	var out []string
	for _, d := range declarations(t, dir) {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil {
			continue
		}
		typ := fn.Recv.List[0].Type
		if star, ok := typ.(*ast.StarExpr); ok {
			typ = star.X
		}
		if id, ok := typ.(*ast.Ident); ok && id.Name == name {
			out = append(out, fn.Name.Name)
		}
	}
	return out
}
