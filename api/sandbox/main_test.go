package sandbox

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"testing"
)

// serveVariable makes this test binary a server of the file that it names.
const serveVariable = "SANDBOX_TEST_SERVE"

func TestMain(m *testing.M) {
	if path := os.Getenv(serveVariable); path != "" {
		if err := serveFile(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	debug.SetGCPercent(400) // Tests leave whole worlds behind: to collect them less often saves a tenth of the time.
	code := m.Run()
	removeLarge()
	os.Exit(code)
}

// serveFile serves a world and prints its address, until it is killed.
func serveFile(path string) error {
	s, err := Open(context.Background(), Config{
		Path: path, Quiet: true, NoLimits: true, Cards: -1, Wallet: "1000000", APIKeys: []string{testKey},
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	return http.Serve(listener, s.Handler())
}
