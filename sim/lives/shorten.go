package main

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
)

// named is what differs between judgements of one kind: ids, keys, amounts, times.
var named = regexp.MustCompile(`\S*\d\S*`)

func kind(judged string) string { return named.ReplaceAllString(judged, "#") }

// shortener leaves out what a seed fails without.
type shortener struct {
	p      program
	seed   uint64
	kind   string // Of the judgement that stays.
	within time.Duration
	gone   []string
	last   life // The shortest that fails.
	tries  int
	to     io.Writer
}

// shorten prints the least of a seed that fails in the same way: hours, people, kinds of harm, and single things that
// people do are left out, each for as long as it fails without them.
func (p program) shorten(ctx context.Context, to io.Writer, seed uint64) error {
	first := p.live(ctx, seed)
	switch {
	case first.err == nil:
		return fmt.Errorf("seed %d passes: there is nothing to shorten", seed)
	case len(first.judged) == 0:
		return fmt.Errorf("seed %d is not judged: %s", seed, first.verdict())
	}
	s := &shortener{p: p, seed: seed, kind: kind(first.judged[0]), within: most, last: first, to: to}
	whole := len(first.parts)
	for least := time.Duration(0); s.within-least > 2*time.Minute; {
		if half := (s.within + least) / 2; s.fails(ctx, half, s.gone) {
			s.within = half
		} else {
			least = half
		}
	}
	for n := -1; n != len(s.gone) && ctx.Err() == nil; {
		n = len(s.gone)
		s.cut(ctx, false)
		s.cut(ctx, true)
	}
	rest := s.rest()
	_, err := fmt.Fprintf(to, "%s\nseed %d fails within %s with %d of its %d parts: %s\n", s.last.out, seed, s.within, len(rest), whole, strings.Join(rest, ", "))
	return err
}

// rest are the parts that are still there.
func (s *shortener) rest() []string {
	return slices.DeleteFunc(slices.Clone(s.last.parts), func(part string) bool { return slices.Contains(s.gone, part) })
}

// cut leaves out single acts of people, or all that is no such: halves first, then ever smaller pieces.
func (s *shortener) cut(ctx context.Context, acts bool) {
	rest := slices.DeleteFunc(s.rest(), func(part string) bool { return acts != strings.ContainsAny(part, "0123456789") })
	for size := max(1, len(rest)/2); size > 0 && len(rest) > 0; size /= 2 {
		for from := 0; from < len(rest); {
			piece := rest[from:min(from+size, len(rest))]
			if s.fails(ctx, s.within, slices.Concat(s.gone, piece)) {
				s.gone = slices.Concat(s.gone, piece)
				rest = slices.Delete(rest, from, from+len(piece))
				continue
			}
			from += size
		}
	}
}

// fails reports whether the seed fails in the same way without some parts.
func (s *shortener) fails(ctx context.Context, within time.Duration, without []string) bool {
	s.tries++
	l := s.p.live(ctx, s.seed, "-within", within.String(), "-without", strings.Join(without, ","))
	same := slices.ContainsFunc(l.judged, func(judged string) bool { return kind(judged) == s.kind })
	if same {
		s.last = l
	}
	_, _ = fmt.Fprintf(s.to, "try %d: %s, without %d parts: %t\n", s.tries, within, len(without), same) // Of the way.
	return same && ctx.Err() == nil
}
