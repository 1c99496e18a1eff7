package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

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
