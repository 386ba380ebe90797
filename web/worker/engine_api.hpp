// The narrow C interface between a Web Worker's script and the engine: texts and numbers only. One Engine holds one
// search at a time. A text that a function returns belongs to the Engine and stays until its next call.
//
// The script starts a search, calls engine_step in slices short enough to notice messages in between, passes the
// events on, and asks for the result whenever it wants one. The engine has no clock: the script measures the seconds.
#pragma once

extern "C" {

struct Engine;

Engine* engine_create();
void engine_free(Engine* engine);

// Starts a search, in place of an earlier one. `problem` is a repetend.problem document; `options` an object whose
// fields are the search options of the command line with `_` for `-` ({"copies": "auto", "seed": 7}), or empty. The
// answer is empty, or says what is wrong, one fault a line.
const char* engine_start(Engine* engine, const char* problem, const char* options);

// Does about `work` units; 1 while there is more to do.
int engine_step(Engine* engine, double work);

// Events since the last call, oldest first: a JSON array of {"kind", "work", "nodes", "copies", "value", "text"}.
const char* engine_events(Engine* engine);

// Where the search stands: {"work", "nodes"}. Cheap, unlike a result.
const char* engine_progress(Engine* engine);

// The best so far as a repetend.result document; empty when no search was started.
const char* engine_result(Engine* engine, double seconds);

// The proof of what was found, as a document that the checker reads; or, where there is none, why, in words. `what`:
// `period` or `makespan`. Best asked when the search has ended.
const char* engine_proof(Engine* engine, const char* what);

// Ends the search, the best so far stays. The reason is what the result will say: `timeout`, `budget` or
// `interrupted` (the meaning of anything else, too).
void engine_stop(Engine* engine, const char* reason);
}
