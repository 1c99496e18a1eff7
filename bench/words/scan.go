package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// text is what the code shows, and the file that does.
type text struct{ context, id, plural, file string }

func (t text) key() string {
	if t.context == "" {
		return t.id
	}
	return t.context + "\x04" + t.id
}

// forms is how many forms a translation has: both languages have three.
func (t text) forms() int {
	if t.plural == "" {
		return 1
	}
	return 3
}

// texts returns those that the code shows, by key.
func texts(root string) (map[string]text, error) {
	all := make(map[string]text)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "bench" || d.Name() == "dist" || d.Name() == "lang"):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		file, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			for _, t := range shown(n, f.Name.Name) {
				t.file = filepath.ToSlash(file)
				if _, known := all[t.key()]; !known || all[t.key()].plural == "" {
					all[t.key()] = t
				}
			}
			return true
		})
		return nil
	})
	for _, t := range spans() {
		all[t.key()] = t
	}
	return all, err
}

// spans are what package lang itself shows.
func spans() []text {
	const file = "internal/lang/numbers.go"
	return []text{{context: "age", id: "now", file: file}, {id: "just now", file: file}, {id: "%s ago", file: file}}
}

// shown returns the texts of a call of a method of lang.Words, or of lang.N, and those of
// the table of keys.
func shown(n ast.Node, pkg string) []text {
	id := ""
	switch n := n.(type) {
	case *ast.CallExpr:
		return called(n)
	case *ast.KeyValueExpr:
		if name, ok := n.Key.(*ast.Ident); ok && slices.Contains([]string{"Help", "Short", "Words", "title", "closed"}, name.Name) {
			id, _ = literal(n.Value)
		}
	case *ast.ValueSpec:
		if len(n.Values) == 1 && strings.HasPrefix(n.Names[0].Name, "No") {
			id, _ = literal(n.Values[0]) // Why an action has nothing to act on.
		}
	}
	if id == "" || pkg != "keymap" {
		return nil
	}
	return []text{{id: id}}
}

// called returns the text that a call shows.
func called(call *ast.CallExpr) []text {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	arg := func(i int) string {
		if i >= len(call.Args) {
			return ""
		}
		s, _ := literal(call.Args[i])
		return s
	}
	var t text
	switch f.Sel.Name {
	case "T", "Tf":
		t = text{id: arg(0)}
	case "Tc":
		t = text{context: arg(0), id: arg(1)}
	case "Tn":
		t = text{id: arg(1), plural: arg(2)}
	case "N", "Column":
		if x, ok := f.X.(*ast.Ident); ok && x.Name == "lang" {
			t = text{id: arg(0)}
		}
		if t.id != "" && f.Sel.Name == "Column" {
			t.context = "column"
		}
	}
	if t.id == "" {
		return nil
	}
	return []text{t}
}

// literal returns the value of a text that is written out, in parts perhaps.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			s, err := strconv.Unquote(e.Value)
			return s, err == nil
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			x, xok := literal(e.X)
			y, yok := literal(e.Y)
			return x + y, xok && yok
		}
	case *ast.ParenExpr:
		return literal(e.X)
	}
	return "", false
}
