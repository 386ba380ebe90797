// One block: a rectangle of four vertices that carry the same values; the vertex number says which corner. Times come
// in two parts (high and low), so that nanoseconds of hours keep their place at any zoom. The #version line is added when
// this file is loaded.
layout(location = 0) in vec4 a_time;    // start high, start low, length, lane
layout(location = 1) in vec4 a_colour;  // red, green, blue; alpha is the pattern / 255

uniform vec2 u_from;       // visible begin: high, low
uniform float u_scale;     // device pixels per tick
uniform vec4 u_lanes;      // left, top of the first lane, distance, height, in device pixels
uniform vec3 u_screen;     // width, height of the framebuffer; least width of a block that is drawn
uniform float u_gap;       // between neighbours

flat out vec3 v_colour;
flat out float v_pattern;
flat out vec2 v_size;
out vec2 v_at;             // from the block's top left, device pixels

void main() {
    float begin = ((a_time.x - u_from.x) + (a_time.y - u_from.y)) * u_scale;
    float width = a_time.z * u_scale;
    vec2 corner = vec2(float(gl_VertexID & 1), float((gl_VertexID >> 1) & 1));
    float left = floor(begin + u_gap * 0.5 + 0.5);
    float right = max(floor(begin + width - u_gap * 0.5 + 0.5), left + 1.0);
    v_size = vec2(right - left, u_lanes.w);
    v_at = corner * v_size;
    v_colour = a_colour.rgb;
    v_pattern = floor(a_colour.a * 255.0 + 0.5);
    vec2 place = vec2(u_lanes.x + left, u_lanes.y + a_time.w * u_lanes.z) + v_at;
    // Narrower blocks are folded into bands elsewhere: they become empty here.
    if (width < u_screen.z) place = vec2(-10.0);
    gl_Position = vec4(place.x / u_screen.x * 2.0 - 1.0, 1.0 - place.y / u_screen.y * 2.0, 0.0, 1.0);
}
