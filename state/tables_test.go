package state_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// TestATableUsesOthersByTheirMethods holds that no method of a table reads or
// writes an unexported field of another table.
func TestATableUsesOthersByTheirMethods(t *testing.T) {
	const least = 8
	tables := make(map[string]bool)
	for _, use := range fieldUses(t) {
		tables[use.of] = true
		if strings.HasSuffix(use.by, "Table") && use.by != use.of {
			t.Errorf("%s: %s uses %s.%s", use.at, use.by, use.of, use.field)
		}
	}
	if len(tables) < least {
		t.Errorf("only %d tables are found", len(tables))
	}
}

// TestTablesDoNotKnowTheStore bounds how many files declare a table and name Store.
// Each draws every table that it uses into one circle with the Store: what takes the
// whole Store belongs above.
func TestTablesDoNotKnowTheStore(t *testing.T) {
	const most, least = 6, 8
	fset := token.NewFileSet()
	var tables, know []string
	for _, file := range sources(t, fset) {
		table, store := "", false
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if strings.HasSuffix(n.Name.Name, "Table") {
					table = n.Name.Name
				}
			case *ast.Ident:
				store = store || n.Name == "Store"
			}
			return true
		})
		if table == "" {
			continue
		}
		if tables = append(tables, table); store {
			know = append(know, filepath.Base(fset.Position(file.Pos()).Filename))
		}
	}
	if len(know) > most || len(tables) < least {
		t.Errorf("of %d files with a table these name Store, at most %d may: %v", len(tables), most, know)
	}
}

// fieldUse is one use of a table's unexported field.
type fieldUse struct {
	at        token.Position
	by        string // the receiver's type; empty for a function
	of, field string
}

// fieldUses type-checks the package without its imports: what is missing of
// those is no field of a table.
func fieldUses(t *testing.T) []fieldUse {
	t.Helper()
	fset := token.NewFileSet()
	files := sources(t, fset)
	info := &types.Info{Selections: make(map[*ast.SelectorExpr]*types.Selection)}
	conf := types.Config{Importer: noImports{}, Error: func(error) {}}
	_, _ = conf.Check("state", fset, files, info) // Without imports there are errors.
	var out []fieldUse
	for _, file := range files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				s := info.Selections[sel]
				if s == nil || s.Kind() != types.FieldVal || s.Obj().Exported() || len(s.Index()) > 1 {
					return true
				}
				if of := typeName(s.Recv()); strings.HasSuffix(of, "Table") {
					out = append(out, fieldUse{fset.Position(sel.Pos()), receiver(fn), of, s.Obj().Name()})
				}
				return true
			})
		}
	}
	return out
}

// sources parses the package without its tests.
func sources(t *testing.T, fset *token.FileSet) []*ast.File {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// receiver names the type of a method's receiver.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	x := fn.Recv.List[0].Type
	if star, ok := x.(*ast.StarExpr); ok {
		x = star.X
	}
	if id, ok := x.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

func typeName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// noImports is an importer of empty packages.
type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
	p.MarkComplete()
	return p, nil
}
