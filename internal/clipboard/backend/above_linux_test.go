package backend

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

func TestTheProcessesAboveOne(t *testing.T) {
	above := Above(os.Getpid())
	name := filepath.Base(os.Args[0])
	if name = name[:min(len(name), 15)]; len(above) < 2 || above[0] != name {
		t.Fatalf("above %q", above)
	}
	server := filepath.Join(t.TempDir(), moshServer)
	if err := os.WriteFile(server, []byte("#!/bin/sh\nsleep 60 & echo $!; read -r x; kill $!\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(server)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close(); _ = cmd.Wait() }()
	buf := make([]byte, 16)
	n, err := out.Read(buf)
	if err != nil {
		t.Fatal(err)
	}
	pid := 0
	for _, c := range buf[:n-1] {
		pid = 10*pid + int(c-'0')
	}
	if got := Above(pid); !slices.Contains(got, moshServer) || !slices.Contains(got, name) {
		t.Errorf("above the child: %q", got)
	}
	if got := Above(0); got != nil {
		t.Errorf("above nothing: %q", got)
	}
}
