// The narrow C interface between the page's script and the explorer: texts and numbers only. A text that a function
// returns stays until the next call. The script owns frames: it calls page_frame when something happened or moves.
#pragma once

extern "C" {

// 0, or 1 when there is no WebGL 2.
int page_start(double width, double height, double dpr, int touch);
void page_resize(double width, double height, double dpr);
// Draws; 1 while something moves. `page_wake_at`: when to call again although nothing does, in ms; negative: not at
// all.
int page_frame(double now_ms);
double page_wake_at();
void page_prefer(int dark, int contrast, int reduced_motion, int theme);

// Input. Buttons: 0 left, 1 right. Answers of key and text: 1 when the browser should not act on it.
void page_pointer(double x, double y, int inside);
void page_button(int button, int down);
void page_wheel(double dx, double dy);
void page_pinch(double factor, double x, double y, double dx, double dy);
void page_long_press(double x, double y);
int page_key(const char* name, const char* combination, int down, int ctrl, int shift, int alt);
void page_text(const char* text);
int page_wants_text();

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
void page_progress(int search, double seconds, const char* events, double work, double nodes);
void page_search_result(int search, double seconds, const char* result, int last);
void page_search_failed(int search, const char* why);
// After the last frame: milliseconds of CPU that it took.
double page_frame_cost();
// Are blocks drawn by shader? And from now on not any more, as where shaders do not compile.
int page_draws_by_shader();
void page_refuse_shaders();
}
