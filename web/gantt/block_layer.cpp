#include "block_layer.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "level_of_detail.hpp"
#include "platform/host.hpp"
#include "platform/opengl.hpp"
#include "shaders_embedded.hpp"

namespace repetend::web {
namespace {

struct Vertex {
    float start_high, start_low, length, lane;
    std::uint8_t colour[4];
};

constexpr std::size_t most_blocks_drawn = 2'000'000;  // 160 MB of vertices; beyond, bands serve better

unsigned compile(unsigned kind, std::string_view body) {
    const unsigned shader = glCreateShader(kind);
    const std::string text = shader_prologue() + std::string(body);
    const char* source = text.c_str();
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    int good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good != 0) return shader;
    glDeleteShader(shader);
    return 0;
}

std::uint8_t pattern_of(BlockKind kind, ColourScheme colours) {
    if (kind == BlockKind::transfer) return 4;
    if (colours != ColourScheme::kind) return 0;
    if (kind == BlockKind::weight_gradient) return 1;
    if (kind == BlockKind::input_gradient) return 2;
    return kind == BlockKind::backward ? 3 : 0;
}

}  // namespace

BlockLayer::BlockLayer() {
    const unsigned vertex = compile(GL_VERTEX_SHADER, shader_blocks_vert);
    const unsigned fragment = compile(GL_FRAGMENT_SHADER, shader_blocks_frag);
    if (vertex != 0 && fragment != 0) {
        program_ = glCreateProgram();
        glAttachShader(program_, vertex);
        glAttachShader(program_, fragment);
        glLinkProgram(program_);
        int good = 0;
        glGetProgramiv(program_, GL_LINK_STATUS, &good);
        if (good == 0) {
            glDeleteProgram(program_);
            program_ = 0;
        }
    }
    if (vertex != 0) glDeleteShader(vertex);
    if (fragment != 0) glDeleteShader(fragment);
    if (program_ == 0) return;
    u_from_ = glGetUniformLocation(program_, "u_from");
    u_scale_ = glGetUniformLocation(program_, "u_scale");
    u_lanes_ = glGetUniformLocation(program_, "u_lanes");
    u_screen_ = glGetUniformLocation(program_, "u_screen");
    u_gap_ = glGetUniformLocation(program_, "u_gap");
    u_pixel_ = glGetUniformLocation(program_, "u_pixel");
    glGenVertexArrays(1, &array_);
    glGenBuffers(1, &vertices_);
    glGenBuffers(1, &indices_);
}

BlockLayer::~BlockLayer() {
    if (program_ == 0) return;
    glDeleteProgram(program_);
    glDeleteVertexArrays(1, &array_);
    glDeleteBuffers(1, &vertices_);
    glDeleteBuffers(1, &indices_);
}

void BlockLayer::upload(const ScheduleView& view, ColourScheme colours, bool dark) {
    const int key = static_cast<int>(colours) * 2 + (dark ? 1 : 0);
    if (uploaded_id_ == view.id && uploaded_colours_ == key) return;
    uploaded_id_ = view.id;
    uploaded_colours_ = key;
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> indices;
    for (std::size_t d = 0; d < view.lanes.size(); ++d) {
        for (const LaneItem& item : view.lanes[d].items) {
            if (vertices.size() >= 4 * most_blocks_drawn) break;
            const Block& block = view.block_of(item.operation);
            const Rgb rgb = block_colour(block, view.operation(item.operation).micro_batch, colours, dark);
            const auto start = static_cast<double>(item.start);
            const auto high = static_cast<float>(start);
            const Vertex vertex{high,
                                static_cast<float>(start - static_cast<double>(high)),
                                static_cast<float>(item.end - item.start),
                                static_cast<float>(d),
                                {static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8 & 255),
                                 static_cast<std::uint8_t>(rgb & 255), pattern_of(block.kind, colours)}};
            const auto first = static_cast<std::uint32_t>(vertices.size());
            vertices.insert(vertices.end(), 4, vertex);
            for (const std::uint32_t corner : {0u, 1u, 2u, 2u, 1u, 3u}) indices.push_back(first + corner);
        }
    }
    glBindVertexArray(array_);
    glBindBuffer(GL_ARRAY_BUFFER, vertices_);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vertex)), vertices.data(),
                 GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(Vertex), nullptr);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Vertex),
                          reinterpret_cast<const void*>(4 * sizeof(float)));
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size() * sizeof(std::uint32_t)),
                 indices.data(), GL_STATIC_DRAW);
    glBindVertexArray(0);
    count_ = static_cast<std::int32_t>(indices.size());
    while (glGetError() != GL_NO_ERROR) refused_ = true;  // no memory for it: the painter draws
}

void BlockLayer::draw(ImDrawList& list, const Look& look, const ScheduleView& view, const LaneLayout& layout,
                      const TimeScale& scale, ImVec2 origin, ColourScheme colours) {
    upload(view, colours, look.colours.dark);
    if (refused_) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float dpr = look.dpr;
    const auto high = static_cast<float>(scale.from());
    call_ = {this,
             high,
             static_cast<float>(scale.from() - static_cast<double>(high)),
             static_cast<float>(scale.pixels_per_tick()) * dpr,
             (origin.x + layout.left) * dpr,
             static_cast<float>(static_cast<int>((origin.y + layout.top_of(0)) * dpr + 0.5f)),
             layout.pitch * dpr,
             static_cast<float>(static_cast<int>(layout.lane * dpr + 0.5f)),
             screen.x * dpr,
             screen.y * dpr,
             static_cast<float>(least_item_pixels) * dpr,
             dpr,
             dpr,
             {(origin.x + layout.left) * dpr, (origin.y + layout.ruler - 1) * dpr, (origin.x + layout.right) * dpr,
              (origin.y + layout.bottom) * dpr}};
    list.AddCallback(&BlockLayer::run, &call_);
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void BlockLayer::run(const ImDrawList*, const ImDrawCmd* command) {
    const auto* call = static_cast<const Call*>(command->UserCallbackData);
    call->layer->run(*call);
}

void BlockLayer::run(const Call& call) const {
    glUseProgram(program_);
    glScissor(static_cast<int>(call.clip[0]), static_cast<int>(call.height - call.clip[3]),
              std::max(static_cast<int>(call.clip[2] - call.clip[0]), 0),
              std::max(static_cast<int>(call.clip[3] - call.clip[1]), 0));
    glUniform2f(u_from_, call.from_high, call.from_low);
    glUniform1f(u_scale_, call.scale);
    glUniform4f(u_lanes_, call.left, call.top, call.pitch, call.lane);
    glUniform3f(u_screen_, call.width, call.height, call.least);
    glUniform1f(u_gap_, call.gap);
    glUniform1f(u_pixel_, call.dpr);
    glBindVertexArray(array_);
    glDrawElements(GL_TRIANGLES, count_, GL_UNSIGNED_INT, nullptr);
    glBindVertexArray(0);
}

}  // namespace repetend::web
