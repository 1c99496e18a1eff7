// Targets checks that the program and its tests compile for other systems. It checks the types of all
// packages from their source, dependencies included, and generates no code: seconds where a build takes a
// minute. Assembly and linking are left to the release, which builds each target.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

func main() {
	var group sync.WaitGroup
	failed := make([]error, len(os.Args)-1)
	for i, target := range os.Args[1:] {
		group.Go(func() { failed[i] = check(context.Background(), target) })
	}
	group.Wait()
	report := log.New(os.Stdout, "", 0)
	for i, err := range failed {
		if err != nil {
			report.Printf("%s does not compile:\n%v", os.Args[i+1], err)
		} else {
			report.Printf("%s compiles, with its tests", os.Args[i+1])
		}
	}
	if errors.Join(failed...) != nil {
		os.Exit(1)
	}
}

// listed is a package as go list prints it.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	ImportMap  map[string]string
	Module     *struct {
		Main      bool
		GoVersion string
	}
	Error *struct{ Err string }
}

// check checks one target, such as windows/amd64.
func check(ctx context.Context, target string) error {
	system, processor, ok := strings.Cut(target, "/")
	if !ok {
		return fmt.Errorf("%q is not GOOS/GOARCH", target)
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-test", "-tags", "long,night,nats,crashtest",
		"-json=ImportPath,Dir,GoFiles,ImportMap,Module,Error", "./...")
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	output, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	checked := &checker{packages: map[string]*types.Package{"unsafe": types.Unsafe}, sizes: types.SizesFor("gc", processor)}
	for decoder := json.NewDecoder(output); ; {
		var next listed
		if err := decoder.Decode(&next); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return errors.Join(err, cmd.Wait())
		}
		checked.add(next)
	}
	return errors.Join(cmd.Wait(), errors.Join(checked.errs...))
}

// checker has the packages checked so far; go list prints a package after what it imports.
type checker struct {
	packages map[string]*types.Package
	sizes    types.Sizes
	errs     []error
}

// add checks a package. Errors are collected for this module only: a dependency is not ours to mend, and
// what it lacks shows where it is used.
func (c *checker) add(next listed) {
	if next.ImportPath == "unsafe" || strings.HasSuffix(next.ImportPath, ".test") {
		return
	}
	ours := next.Module != nil && next.Module.Main
	if next.Error != nil {
		c.errs = append(c.errs, errors.New(next.Error.Err))
	}
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range next.GoFiles {
		file, err := parser.ParseFile(files, filepath.Join(next.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			c.errs = append(c.errs, err)
			continue
		}
		parsed = append(parsed, file)
	}
	config := types.Config{
		Sizes:            c.sizes,
		IgnoreFuncBodies: !ours,
		Importer:         c.importer(next.ImportMap),
		Error: func(err error) {
			if ours {
				c.errs = append(c.errs, err)
			}
		},
	}
	if next.Module != nil && next.Module.GoVersion != "" {
		config.GoVersion = "go" + next.Module.GoVersion
	}
	path, _, _ := strings.Cut(next.ImportPath, " ") // A variant built for a test is named "path [path.test]".
	checked, _ := config.Check(path, files, parsed, nil)
	c.packages[next.ImportPath] = checked
}

// imports resolves an import within one package, whose map names the variants built for a test.
type imports func(path string) (*types.Package, error)

// Import implements types.Importer.
func (i imports) Import(path string) (*types.Package, error) { return i(path) }

func (c *checker) importer(renamed map[string]string) types.Importer {
	return imports(func(path string) (*types.Package, error) {
		if other, ok := renamed[path]; ok {
			path = other
		}
		found, ok := c.packages[path]
		if !ok {
			return nil, fmt.Errorf("package %s is not listed before its use", path)
		}
		return found, nil
	})
}
