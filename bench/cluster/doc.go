// Package cluster proves what docs/adr/0025 promises of several hubs: its test kills,
// stops and cuts off hubs and NATS servers while people write, and counts what reaches
// the service.
package cluster
