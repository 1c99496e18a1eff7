// Package ssh measures a hub with many viewers over HTTP and SSH.
package ssh
