package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// edit replaces the first place of a text in a file.
type edit struct{ file, old, new string }

// repeatable are edits of Go's runtime, whose files are named from GOROOT: with one processor, what goroutines, selects
// and maps do is the same each time. Each is of a cause of something else.
func repeatable() []edit {
	return []edit{
		// No thread takes the processor from a goroutine, or preempts it, by the machine's time.
		{"src/runtime/proc.go", `const haveSysmon = GOARCH != "wasm"`, "const haveSysmon = false"},
		// Without that thread the newest goroutine never runs first. It does by chance, as if the thread was there.
		{"src/runtime/proc.go", "if !haveSysmon && next {", "if next && randn(2) == 0 {"},
		// What is random comes from one sequence, and not from one of each thread.
		{"src/runtime/rand.go", "var readRandomFailed bool", "var readRandomFailed bool\n\nvar sequence chacha8rand.State"},
		{"src/runtime/rand.go", "c := &mp.chacha8", "c := &sequence"},
		{"src/runtime/rand.go", "mp.cheaprand = rand()", "mp.cheaprand = bootstrapRand()"},
		{"src/runtime/rand.go", "globalRand.state.Init(*seed)", "clear(seed[:])\n\tglobalRand.state.Init(*seed)"},
		{"src/runtime/select.go", "cheaprandn(uint32(norder + 1))", "randn(uint32(norder + 1))"},
		{"src/runtime/time.go", "t.rand = cheaprand()", "t.rand = uint32(rand())"},
		// Nobody gets a lock earlier because they waited for a millisecond of the machine's time.
		{"src/runtime/sema.go", "func internal_sync_nanotime() int64 {\n\treturn nanotime()", "func internal_sync_nanotime() int64 {\n\treturn 0"},
	}
}

// compile builds the simulation with edits of the program, and returns the program.
func compile(ctx context.Context, dir, name string, edits []edit) (program, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return program{}, fmt.Errorf("find Go's sources: %w", err)
	}
	replace := make(map[string]string)
	for base, edits := range map[string][]edit{strings.TrimSpace(string(root)): repeatable(), ".": edits} {
		if err := overlay(replace, base, filepath.Join(dir, name), edits); err != nil {
			return program{}, fmt.Errorf("%s: %w", name, err)
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return program{}, err
	}
	to := filepath.Join(dir, name)
	if err := os.WriteFile(to+".json", data, 0o600); err != nil {
		return program{}, err
	}
	out, err := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", to+".json", "-o", to+".test", "./sim").CombinedOutput() //nolint:gosec // our own
	if err != nil {
		return program{}, fmt.Errorf("build %s: %w\n%s", name, err, out)
	}
	return program{to + ".test"}, nil
}

// overlay writes the changed files, and adds to what the compiler replaces by them.
func overlay(replace map[string]string, base, prefix string, edits []edit) error {
	texts := make(map[string]string)
	for _, e := range edits {
		text, ok := texts[e.file]
		if !ok {
			data, err := os.ReadFile(filepath.Join(base, e.file)) //nolint:gosec // of Go, or our own
			if err != nil {
				return err
			}
			text = string(data)
		}
		if !strings.Contains(text, e.old) {
			return fmt.Errorf("%s has no %q any more", e.file, e.old)
		}
		texts[e.file] = strings.Replace(text, e.old, e.new, 1)
	}
	for file, text := range texts {
		from, err := filepath.Abs(filepath.Join(base, file))
		if err != nil {
			return err
		}
		to := prefix + "-" + strings.ReplaceAll(file, "/", "-")
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return err
		}
		replace[from] = to
	}
	return nil
}
