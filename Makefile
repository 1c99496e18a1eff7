.PHONY: run test check lint golden gen snapshot

run:        ## open the dashboard on the embedded sandbox
	go run .

test:       ## what a fresh machine runs
	go test ./...

check:      ## what has to pass before a commit
	gofmt -l $$(git ls-files '*.go') | (! grep .)
	go vet ./...
	golangci-lint run ./...
	go test -race ./...

golden:     ## write the golden screens anew; look at the difference
	go test ./ui/uitest ./ui/widget ./ui/theme -update

gen:        ## write generated files anew
	go run . keys --markdown > docs/KEYS.md

snapshot:   ## build a release without publishing it
	goreleaser release --snapshot --clean --skip=publish
