package cmd

import (
	"os"
	"os/signal"
	"syscall"
)

// outlivePipe keeps the program alive while it sends writes: who reads its output may leave, as head does after a
// line, and the next line would end the program between a write and its record. end puts back that it does.
func outlivePipe() (end func()) {
	left := make(chan os.Signal, 1)
	signal.Notify(left, syscall.SIGPIPE)
	return func() { signal.Stop(left) }
}
