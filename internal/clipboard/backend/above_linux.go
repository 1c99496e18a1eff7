package backend

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// mostAbove bounds how far up processes are looked at.
const mostAbove = 64

// Above names the processes above one, the nearest first.
func Above(pid int) []string {
	var names []string
	for range mostAbove {
		name, parent, ok := process(pid)
		if !ok || parent <= 0 {
			return names
		}
		names, pid = append(names, name), parent
	}
	return names
}

// process returns the name and the parent of a process, which may have ended.
func process(pid int) (name string, parent int, ok bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", 0, false
	}
	from, to := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if from < 0 || to < from {
		return "", 0, false
	}
	fields := strings.Fields(string(stat[to+1:]))
	if len(fields) < 2 {
		return "", 0, false
	}
	parent, err = strconv.Atoi(fields[1])
	return string(stat[from+1 : to]), parent, err == nil
}
