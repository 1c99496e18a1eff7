package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// use is what a process and its children have used so far.
type use struct {
	threads map[string]thread // by their folders
	rss     int               // bytes of the process now
	peak    int               // bytes of it at most
}

type thread struct {
	cpu   time.Duration
	wakes int // voluntary context switches: each is a sleep that ended
}

// usage reads /proc.
func usage(pid int) (use, error) {
	u := use{threads: make(map[string]thread)}
	if err := u.add(pid); err != nil {
		return u, err
	}
	status := fmt.Sprintf("/proc/%d/status", pid)
	u.rss, u.peak = field(status, "VmRSS:")<<10, field(status, "VmHWM:")<<10
	return u, nil
}

func (u *use) add(pid int) error {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	if err != nil {
		return err
	}
	for _, task := range tasks {
		stat, err := os.ReadFile(task + "/schedstat") //nolint:gosec // a file of /proc
		if err != nil {
			continue // The thread ended.
		}
		ns, err := strconv.ParseInt(strings.Fields(string(stat))[0], 10, 64)
		if err != nil {
			return err
		}
		u.threads[task] = thread{time.Duration(ns), field(task+"/status", "voluntary_ctxt_switches:")}
		children, err := os.ReadFile(task + "/children") //nolint:gosec // a file of /proc
		if err != nil {
			continue
		}
		for _, child := range strings.Fields(string(children)) {
			id, err := strconv.Atoi(child)
			if err != nil {
				return err
			}
			if err := u.add(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// since returns what was used between two readings.
func (u use) since(before use) (cpu time.Duration, wakes int) {
	for task, t := range u.threads {
		cpu += t.cpu - before.threads[task].cpu
		wakes += t.wakes - before.threads[task].wakes
	}
	return cpu, wakes
}

func field(path, name string) int {
	b, err := os.ReadFile(path) //nolint:gosec // a file of /proc
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			return n
		}
	}
	return 0
}
