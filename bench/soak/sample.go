package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// sample is what was seen at a moment: figures by process and by name. What cannot be read
// is not there.
type sample map[string]map[string]float64

// The figures.
const (
	memory      = "memory MiB"
	heap        = "heap MiB"
	descriptors = "descriptors"
	threads     = "threads"
	goroutines  = "goroutines"
	staleness   = "a code shows after s"
	missed      = "codes not shown"
	requests    = "requests"
)

// look reads the figures of all programs. late is nil when no code was made.
func (w *world) look(ctx context.Context, late map[string]time.Duration) (sample, error) {
	all := make(sample)
	for _, p := range w.measured {
		f, err := w.figures(p.cmd.Process.Pid)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		if d, ok := late[p.name]; ok {
			f[staleness] = d.Seconds()
		}
		if late != nil && p.name != "hub" {
			f[missed] = 0
			if _, ok := f[staleness]; !ok {
				f[missed] = 1
			}
		}
		all[p.name] = f
	}
	var report struct {
		Total float64 `json:"total"`
	}
	if err := w.ask(ctx, http.MethodGet, w.sandbox+"/sandbox/report", "", nil, &report); err != nil {
		return nil, err
	}
	all["sandbox"] = map[string]float64{requests: report.Total}
	return all, nil
}

// figures are those of one process.
func (w *world) figures(pid int) (map[string]float64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return nil, err
	}
	f := make(map[string]float64)
	for line := range strings.Lines(string(data)) {
		name, rest, _ := strings.Cut(line, ":")
		fields := strings.Fields(rest)
		if (name != "VmRSS" && name != "Threads") || len(fields) == 0 {
			continue
		}
		n, err := strconv.ParseFloat(fields[0], 64)
		if err != nil {
			return nil, err
		}
		if name == "Threads" {
			f[threads] = n
		} else {
			f[memory] = n / 1024
		}
	}
	if open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid)); err == nil {
		f[descriptors] = float64(len(open))
	}
	if inUse, n, err := w.symbols.counted(pid); err == nil {
		f[heap], f[goroutines] = inUse/(1<<20), n
	}
	return f, nil
}
