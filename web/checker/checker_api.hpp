// The checker of proofs behind a C interface, as a module of its own: readers of proofs and the room verify/, nothing
// that searches. Whoever trusts what the page says of a proof trusts this module and no other.
#pragma once

extern "C" {

// What `repetend check --json` says of a proof, as text that stays until the next call: a repetend.check document; or,
// for a text that is no proof, what is wrong with it, one fault a line. With a `problem` (a repetend.problem document,
// else empty) the proof must be about that one.
const char* checker_check(const char* proof, const char* problem);
}
