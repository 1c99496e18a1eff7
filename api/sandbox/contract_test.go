package sandbox

import (
	"net/http"
	"testing"
)

func checkContract(tb testing.TB, r *http.Request, body string, got reply) {}
