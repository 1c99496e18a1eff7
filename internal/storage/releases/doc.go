// Package releases holds that what one release wrote the next ones read: testdata/releases
// has one of each kind of file of every release, written by make release-files. It has
// tests only.
package releases
