package sandbox

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

var loadContract = sync.OnceValues(func() (routers.Router, error) {
	doc, err := openapi3.NewLoader().LoadFromFile("../openapi.yaml")
	if err != nil {
		return nil, err
	}
	return legacy.NewRouter(doc)
})

// checkContract holds an exchange against openapi.yaml: every answer has to
// fit, and a request that was granted too.
func checkContract(tb testing.TB, r *http.Request, body string, got reply) {
	tb.Helper()
	isJSON := checkBody(tb, r, got)
	if strings.HasPrefix(r.URL.Path, "/sandbox") {
		return
	}
	router, err := loadContract()
	if err != nil {
		tb.Fatalf("load contract: %v", err)
	}
	request := r.Clone(r.Context())
	request.URL = &url.URL{Path: r.URL.Path, RawQuery: r.URL.RawQuery}
	request.Body = io.NopCloser(strings.NewReader(body))
	found, params, err := router.FindRoute(request)
	if err != nil || !isJSON {
		if got.status < 400 {
			tb.Errorf("%s %s: %d on a path that the contract does not know: %v", r.Method, r.URL.Path, got.status, err)
		}
		return
	}
	input := &openapi3filter.RequestValidationInput{
		Request: request, PathParams: params, Route: found,
		Options: &openapi3filter.Options{
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true,
		},
	}
	if got.status < 300 && saidInFull(r) {
		if err := openapi3filter.ValidateRequest(r.Context(), input); err != nil {
			tb.Errorf("%s %s was granted against the contract: %v", r.Method, r.URL, err)
		}
	}
	err = openapi3filter.ValidateResponse(r.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: got.status, Header: got.header,
		Body: io.NopCloser(bytes.NewReader(got.raw)), Options: input.Options,
	})
	if err != nil {
		tb.Errorf("%s %s answers against the contract: %v", r.Method, r.URL, err)
	}
}

// saidInFull leaves out a body that does not say what it is, which the sandbox
// takes for JSON.
func saidInFull(r *http.Request) bool {
	return r.Header.Get("Content-Type") == "application/json" || r.Method == http.MethodGet
}

func TestContractIsValid(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromFile("../openapi.yaml")
	must(t, err)
	must(t, doc.Validate(t.Context()))
	// Both readings know the same endpoints.
	var stated, served []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			stated = append(stated, method+" "+path)
		}
	}
	for _, rt := range contractRoutes() {
		served = append(served, rt.name())
	}
	slices.Sort(stated)
	slices.Sort(served)
	if !slices.Equal(stated, served) {
		t.Errorf("stated %v\nserved %v", stated, served)
	}
}
