package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// fault is a change that breaks a promise.
type fault struct {
	name string
	// seed is one that found it. Others do as well, but this one costs one life.
	seed uint64
	// says is a part of what the judge says of it: another judgement does not find it.
	says  string
	edits []edit
}

// prove has each planted fault found within some seeds.
func prove(ctx context.Context, to io.Writer, dir string, seeds int, names []string) error {
	for _, name := range names {
		if !slices.ContainsFunc(faults(), func(f fault) bool { return f.name == name }) {
			return fmt.Errorf("no fault is called %q", name)
		}
	}
	found, all := 0, 0
	for _, f := range faults() {
		if len(names) > 0 && !slices.Contains(names, f.name) {
			continue
		}
		all++
		p, err := compile(ctx, dir, f.name, f.edits)
		if err != nil {
			return err
		}
		text := "NOT FOUND"
		order := slices.DeleteFunc(numbers(0, seeds+1), func(n uint64) bool { return n == 0 || n == f.seed })
		p.all(ctx, slices.Concat([]uint64{f.seed}, order), func(l life) bool {
			if l.err == nil {
				return false
			}
			i := slices.IndexFunc(l.judged, func(text string) bool { return strings.Contains(text, f.says) })
			if i < 0 {
				text = "NOT FOUND, but " + l.verdict()
				return false
			}
			found++
			text = fmt.Sprintf("seed %d: %s", l.seed, l.judged[i])
			return true
		})
		if err := errors.Join(ctx.Err(), os.Remove(p.path)); err != nil { // They are large, and many.
			return err
		}
		if _, err := fmt.Fprintf(to, "%-42s %s\n", f.name, text); err != nil {
			return err
		}
	}
	if found < all {
		return fmt.Errorf("%d of %d planted faults are found within %d seeds each", found, all, seeds)
	}
	_, err := fmt.Fprintf(to, "all %d planted faults are found\n", all)
	return err
}
