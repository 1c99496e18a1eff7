// Package sim lives days of people with cardtop in seconds, and has them judged by somebody else.
//
// A seed makes a world: a provider (the sandbox) with a liar in front of it, machines with homes of their own, and
// people, sensible and careless, who run command lines of the real program in virtual time. Everything runs in one
// process, from the command line down to HTTP and files. At the end the world heals, people settle what is open,
// and package judge compares what they were told with the provider's books.
//
//	go test ./sim                  # a few seeds
//	go run ./sim/lives -seeds 1000 # many, each the same way each time
//	go run ./sim/lives -seed 17    # one again, with what happened
//
// With go test what a seed draws is the same each time, and the order of goroutines is not.
package sim
