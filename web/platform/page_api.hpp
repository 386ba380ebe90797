// The narrow C interface between the page's script and the explorer: texts and numbers only. A text that a function
// returns stays until the next call. The script owns frames: it calls page_frame when something happened or moves.
#pragma once

extern "C" {

// 0, or 1 when there is no WebGL 2. From then on GLFW hears the mouse and the keys of the page by itself, and
// `Module.wantFrame()` is called whenever a frame is wanted.
int page_start(int width, int height, int touch);
void page_resize(int width, int height);
// Draws; 1 while another frame shall follow at once. `page_wake_at`: when to call again although nothing does, in ms;
// negative: not at all.
int page_frame(double now_ms);
void page_wake(int frames);
double page_wake_at();
// Settings: a theme below 0 or no workers leave what is.
void page_prefer(int dark, int contrast, int reduced_motion, int theme, int workers);

// Input that Emscripten's GLFW does not know, or rounds: fingers, wheels, screen keyboards, pasted text.
enum FingerPhase : int { finger_down = 0, finger_moves = 1, finger_up = 2, finger_cancelled = 3 };
void page_finger(double x, double y, int phase);
void page_leave();
void page_wheel(double x, double y, double dx, double dy);
void page_pinch(double factor, double x, double y, double dx, double dy);
void page_long_press(double x, double y);
void page_text(const char* text);
void page_erase();
int page_wants_text();
// 1 when the last key or character has done its work: the browser should not act on it. Asked once.
int page_handled();

// What contract calls window.repetend.
const char* page_open(const char* link, int push);
const char* page_load(const char* text, const char* name);
const char* page_search(const char* options);
void page_stop();
const char* page_state();
const char* page_result();
int page_command(const char* id);
const char* page_items();
const char* page_caption();
const char* page_table();
void page_notice(const char* words);
const char* page_why_idle(int device, double tick);
const char* page_facts(int block, double micro_batch);

void page_gallery(const char* lines);
const char* page_tour(const char* json);

// What the host shall do: a JSON array of actions, see app/app.hpp.
const char* page_actions();
void page_progress(int search, double seconds, const char* events, double work, double nodes, int worker);
void page_search_result(int search, double seconds, const char* result, int last, int worker);
void page_search_failed(int search, const char* why, int worker);
void page_proof(int search, const char* what, const char* text);
void page_checked(int check, double seconds, const char* answer, const char* failed);
// The proof of the `period` or the `makespan`, once it is written; else empty.
const char* page_proof_text(const char* what);
// After the last frame: milliseconds of CPU that it took.
double page_frame_cost();
// Are blocks drawn by shader? And from now on not any more, as where shaders do not compile.
int page_draws_by_shader();
void page_refuse_shaders();
}
