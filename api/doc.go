// Package api is the typed client of the virtual card service: its resources,
// its errors and one method for every endpoint.
//
// Conventions of the whole package:
//
//   - Money is [USD], an integer number of millionths of a dollar, so that a
//     figure is kept exactly as it was sent (ASSUMED 3). Times are UTC, the
//     zero time stands for a missing one.
//   - Text that comes from the service is [Text]: it passed [Clean] while it
//     was decoded and cannot act on a terminal.
//   - Card numbers, codes and keys are distinct types around [Secret], which
//     no formatter, logger or encoder can print.
//   - An optional field is a pointer (or an empty list): null and absent mean
//     the same (ASSUMED 2). Unknown fields never fail a decode; a missing
//     identifier or a missing figure that decisions rest on does.
//   - A write is first built, by a pure function, as a [Write] with its exact
//     bytes, then sent under an [IdempotencyKey]. The client never repeats a
//     write and never invents a key: [Outcome] says whether it was done,
//     refused, or cannot be known.
package api
