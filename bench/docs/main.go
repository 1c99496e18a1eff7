// Command docs makes the pages and pictures under docs that come from the
// program itself: the keys, the settings, the architecture, and what its screen
// shows.
//
//	go run ./bench/docs [-pages] [-pictures [-only checkout]] [-out docs]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/keymap"
)

func main() {
	out := flag.String("out", "docs", "folder of the pages")
	pages := flag.Bool("pages", false, "make the pages")
	pictures := flag.Bool("pictures", false, "make the pictures")
	only := flag.String("only", "", "make those pictures whose names contain it")
	flag.Parse()
	if err := run(context.Background(), *out, *pages, *pictures, *only); err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out string, pages, pictures bool, only string) error {
	if pages {
		all, err := made(ctx, ".")
		if err != nil {
			return err
		}
		for name, text := range all {
			if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o644); err != nil { //nolint:gosec // a page of the repository
				return err
			}
		}
	}
	if pictures {
		return draw(ctx, filepath.Join(out, "pictures"), only)
	}
	return nil
}

// made returns the pages by their names, of the module whose root is dir.
func made(ctx context.Context, dir string) (map[string]string, error) {
	schema, err := config.JSONSchema()
	if err != nil {
		return nil, err
	}
	imports, err := imported(ctx, dir)
	if err != nil {
		return nil, err
	}
	packages, err := architecture(groups(), imports)
	return map[string]string{
		"KEYS.md": keymap.New(keymap.Defaults()).Markdown(), "CONFIG.md": settings(), "config.schema.json": string(schema),
		"pictures/architecture.svg": string(packages),
	}, err
}
