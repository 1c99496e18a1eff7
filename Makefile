.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' Makefile)

help:       ## list the commands
	@sed -nE 's/^([a-z-]+): *## (.*)/\1\t\2/p' Makefile | expand -t 22

run:        ## open the dashboard on the embedded sandbox
	go run .

test:       ## what a fresh machine runs
	go test ./...

test-long:  ## the same, and what lives through hours of virtual time
	go test -tags long -timeout 20m ./...

test-night: ## the same, with the built program, kills, terminals, and every case tried
	go test -tags long,night -timeout 60m ./...

check:      ## before a push: formatting, vet, lint, tests, generated files, other systems
	.ci/run subjects lint tests generated targets

ci:         ## what CI runs
	.ci/run

nightly:    ## what the night runs: terminals, displays, kills, clusters, packages; each output in dist/nightly
	.ci/nightly

golden:     ## write the golden screens anew; look at the difference
	go test -tags long ./e2e ./ui/widget ./ui/theme -update

gen:        ## write the pages of docs that the program makes: KEYS.md, CONFIG.md, config.schema.json and the architecture
	go run ./bench/docs -pages

docs:       ## the same, and the pictures under docs/pictures from the running program
	go run ./bench/docs -pages -pictures

site:       ## the documentation as HTML pages in dist/site, every link followed
	cd bench/site && go run .

bench-sandbox: ## pages and writes at 100,000 cards and 1,000,000 transactions
	go test -run '^$$' -bench . -benchtime 200x ./api/sandbox

bench-sync: ## how late codes are, what an hour of requests comes to, polled and with webhooks, what a page costs to merge
	bench/sync.sh

bench-screen: ## keys, frames, bytes and memory of the built program compared with fzf, against the bars
	bench/screen.sh

bench-hub: ## a hub beside its bars: the key's hour and codes of 50 viewers, memory, CPU, reads a second; 20 hubs and 5,000 viewers on NATS
	bench/hub.sh

proof-sandbox-kills: ## 100 SIGKILLs under load: nothing answered is lost
	bench/sandbox-kills.sh -n 100

proof-contract: ## a linter and a validating proxy of others find no fault
	bench/contract.sh

proof-clipboard: ## 100 kills of each kind, under Xvfb, Wayland and tmux
	internal/clipboard/prove/run.sh -n 100

proof-secrets: ## 150 deaths while a number is shown, a leak scan in ten encodings, 10,000 random key sequences, bad answers
	bench/secrets.sh

proof-money: ## 1,000 intents cut at every byte, 200 SIGKILLs: each charged once
	bench/money.sh -i 1000 -n 200

sim:        ## live SEEDS=100 worlds of people, from FROM=1 on, and have them judged
	go run ./sim/lives -seeds $(or $(SEEDS),100) -from $(or $(FROM),1)

sim-again:  ## live SEED=N as it was lived before, and print what happened; with FAULT=NAME planted
	go run ./sim/lives $(if $(FAULT),-fault $(FAULT)) -seed $(SEED)

sim-same:  ## live SEED=N 20 times, and count how often it went as the first time
	go run ./sim/lives -seed $(SEED) -times 20

sim-short:  ## print the least of SEED=N that fails in the same way; with FAULT=NAME planted
	go run ./sim/lives $(if $(FAULT),-fault $(FAULT)) -shorten $(SEED)

proof-sim:  ## each fault that is planted in the program is found by the simulation
	go run ./sim/lives -planted -seeds 50

proof-keys: ## 100,000 keys act where the cursor is; what is pasted writes nothing
	bench/keys.sh -n 100000

proof-insight: ## forecasts, causes of declines, sums in any order, reports of 25 worlds to the cent
	bench/insight.sh

proof-rules: ## rules: caps to the cent over kills at every byte and two programs
	bench/rules.sh

proof-hub: ## a hub: 1,000 random requests as each role tell nothing of hidden cards; removed tokens, slow readers, 10,000 idle connections, forged webhooks, fuzzed requests
	bench/hub-scope.sh

proof-hubs: ## three hubs of the built program, clocks 20 minutes apart: kills, stops and cuts of the leader and of NATS servers while six people write; one writes, 0 double, 0 lost
	bench/hubs.sh

proof-ssh: ## the dashboard over SSH with the stock client: what it shows and what it refuses, 20 kills
	bench/ssh.sh -n 20

proof-screen: ## the screen is right in xterm, tmux, screen and mosh, on a slow line, stopped, killed, in storms of sizes; pictures in dist/screens
	bench/proof-screen.sh -o dist/screens

emulate:    ## 100,000 random sequences of frames on an emulated terminal
	go test -count=1 -v ./ui/screen -run TestTheTerminalShowsExactlyTheLastFrame -rapid.checks=100000

proof-completion: ## command lines completed in bash, zsh and fish with 10,000 cards, an answer in 30 ms
	bench/completion.sh

proof-calc: ## LibreOffice finds no formula in an export of hostile labels, and saves the same labels
	bench/calc.sh

fuzz:       ## every fuzz target, 30 seconds each
	bench/fuzz.sh 30s

proof-all:  ## every proof, every measurement with a bar, and the soak in full, into dist/proofs; takes many hours
	bench/proof-all.sh

soak:       ## dashboard, watch and a hub with viewers on a sandbox with faults for HOURS=2; what they take may grow by 2 %
	bench/soak.sh -t $(or $(HOURS),2)

release-files: ## one of each kind of file into testdata/releases/VERSION, which later releases have to read
	go test ./internal/storage/releases ./internal/hub -count=1 -run TestWriteFilesOfARelease -release $(or $(VERSION),unreleased)

snapshot:   ## build a release without publishing it; goreleaser is installed when it is missing
	bench/release/goreleaser.sh release --snapshot --clean --skip=publish

proof-release: ## two builds of a release, in two folders, are identical to the byte
	bench/reproducible.sh

proof-packages: ## each package for Linux, in a root of its own: installed, used by a new user, and removed
	bench/packages.sh

proof-windows: ## the Windows program under Wine: commands, sandbox, files, clipboard, keyring
	bench/wine.sh
