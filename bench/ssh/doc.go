// Package ssh has the proofs of the dashboard over SSH that need many clients.
package ssh
