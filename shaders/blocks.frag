// Paints one block: rounded corners, and the pattern of its kind, so that kinds differ without colour. The #version line
// and the precision are added when this file is loaded.
flat in vec3 v_colour;
flat in float v_pattern;   // 0 plain, 1 hatch, 2 border, 3 foot, 4 outline
flat in vec2 v_size;
in vec2 v_at;

uniform float u_pixel;     // device pixels per page pixel

out vec4 o_colour;

void main() {
    float radius = v_size.x >= 6.0 * u_pixel ? 2.0 * u_pixel : 0.0;
    vec2 inset = abs(v_at - v_size * 0.5) - (v_size * 0.5 - radius);
    float edge = length(max(inset, 0.0)) + min(max(inset.x, inset.y), 0.0) - radius;
    float cover = clamp(0.5 - edge, 0.0, 1.0);
    vec3 colour = v_colour;
    bool roomy = v_size.x >= 7.0 * u_pixel;
    if (v_pattern == 1.0 && roomy) {
        float line = abs(fract((v_at.x + v_at.y) / (6.0 * u_pixel)) - 0.5) * 6.0 * u_pixel;
        colour = mix(mix(colour, vec3(1.0), 0.4), colour, clamp(line - 0.5 * u_pixel + 0.5, 0.0, 1.0));
    } else if (v_pattern == 2.0 && roomy) {
        if (edge > -1.5 * u_pixel) colour = vec3(0.478, 0.322, 0.0);
    } else if (v_pattern == 3.0 && roomy) {
        if (v_at.y > v_size.y - 3.0 * u_pixel) colour *= 0.78;
    } else if (v_pattern == 4.0 && v_size.x >= 4.0 * u_pixel) {
        cover *= edge > -1.2 * u_pixel ? 1.0 : 0.16;
    }
    o_colour = vec4(colour, cover);
}
