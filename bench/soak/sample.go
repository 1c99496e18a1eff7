package main

import (
	"context"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
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

// symbols is where the runtime of the program keeps what it counts. It is read from the
// memory of the process, so that the program needs no door for it.
type symbols struct {
	marked uint64 // bytes that the last collection of garbage found in use
	count  uint64 // of goroutines, the ended ones too
	list   uint64 // of them
	status int64  // within one
}

// readSymbols finds them in the program's file.
func readSymbols(program string) (*symbols, error) {
	f, err := elf.Open(program)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	defer f.Close() //nolint:errcheck // it is only read
	table, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: it is to be built with its symbols", program, err)
	}
	at := make(map[string]uint64)
	for _, s := range table {
		switch s.Name {
		case "runtime.gcController", "runtime.allglen", "runtime.allgptr":
			at[s.Name] = s.Value
		}
	}
	if len(at) != 3 {
		return nil, errors.New("the runtime of this Go names its counts otherwise")
	}
	data, err := f.DWARF()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	marked, err := offset(data, "runtime.gcControllerState", "heapMarked")
	if err != nil {
		return nil, err
	}
	status, err := offset(data, "runtime.g", "atomicstatus")
	if err != nil {
		return nil, err
	}
	return &symbols{marked: at["runtime.gcController"] + uint64(marked), count: at["runtime.allglen"], list: at["runtime.allgptr"], status: status}, nil
}

// offset is where a field stands in a struct.
func offset(data *dwarf.Data, of, field string) (int64, error) {
	for r := data.Reader(); ; {
		e, err := r.Next()
		if err != nil || e == nil {
			return 0, errors.Join(fmt.Errorf("the runtime of this Go has no %s of %s", field, of), err)
		}
		if e.Tag != dwarf.TagStructType || e.Val(dwarf.AttrName) != of {
			continue
		}
		for {
			m, err := r.Next()
			if err != nil || m == nil || m.Tag != dwarf.TagMember {
				break
			}
			if at, ok := m.Val(dwarf.AttrDataMemberLoc).(int64); ok && m.Val(dwarf.AttrName) == field {
				return at, nil
			}
		}
	}
}

// What the status of a goroutine says (runtime2.go).
const (
	scanned   = 0x1000
	ended     = 6
	endedSide = 11
)

// counted is the bytes in use and the goroutines of a process. It is an error where the
// system does not let one read another's memory.
func (s *symbols) counted(pid int) (heap, goroutines float64, err error) {
	mem, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return 0, 0, err
	}
	defer mem.Close() //nolint:errcheck // it is only read
	var word [8]byte
	read := func(at uint64, n int) uint64 {
		if err != nil {
			return 0
		}
		word = [8]byte{}
		_, err = mem.ReadAt(word[:n], int64(at))
		return binary.LittleEndian.Uint64(word[:])
	}
	marked, n, list := read(s.marked, 8), read(s.count, 8), read(s.list, 8)
	if err != nil || n > 1<<20 {
		return 0, 0, errors.Join(err, fmt.Errorf("%d goroutines", n))
	}
	all := make([]byte, 8*n)
	if _, err := mem.ReadAt(all, int64(list)); err != nil && !errors.Is(err, io.EOF) {
		return 0, 0, err
	}
	for i := range n {
		g := binary.LittleEndian.Uint64(all[8*i:])
		if status := read(g+uint64(s.status), 4) &^ scanned; status != ended && status != endedSide {
			goroutines++
		}
	}
	return float64(marked), goroutines, err
}
