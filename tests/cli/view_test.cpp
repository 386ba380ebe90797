// `repetend view`: what it refuses without a display, and, under a display without a screen, the picture of its window.
#include <zlib.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "program_run.hpp"

using namespace repetend::test;
namespace fs = std::filesystem;

namespace {

bool window_is_built() { return fs::exists(binary_dir() / "repetend-view"); }

struct Picture {
    std::uint32_t width = 0, height = 0;
    std::map<std::uint32_t, int> pixels;  // how many of each colour, 0xRRGGBB
};

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k) value = value << 8 | static_cast<unsigned char>(bytes.at(at + k));
    return value;
}

// Of the PNGs that the window writes: 8 bits of red, green, blue; rows less the pixel before.
Picture read_png(const std::string& path) {
    const std::string bytes = slurp(path);
    REQUIRE(bytes.substr(0, 8) == "\x89PNG\r\n\x1a\n");
    Picture picture;
    std::string packed;
    for (std::size_t at = 8; at < bytes.size(); at += 12 + number_at(bytes, at)) {
        const std::string name = bytes.substr(at + 4, 4), data = bytes.substr(at + 8, number_at(bytes, at));
        const std::uint32_t sum = number_at(bytes, at + 8 + data.size());
        const std::string body = name + data;
        CHECK(sum == crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
        if (name == "IHDR") picture.width = number_at(data, 0), picture.height = number_at(data, 4);
        if (name == "IDAT") packed += data;
    }
    const std::size_t row = std::size_t{picture.width} * 3;
    std::vector<unsigned char> rows((row + 1) * picture.height);
    uLongf size = rows.size();
    REQUIRE(uncompress(rows.data(), &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size()) == Z_OK);
    REQUIRE(size == rows.size());
    for (std::size_t y = 0; y < picture.height; ++y) {
        unsigned char* line = rows.data() + y * (row + 1);
        REQUIRE(line[0] == 1);
        for (std::size_t k = 4; k <= row; ++k) line[k] = static_cast<unsigned char>(line[k] + line[k - 3]);
        for (std::size_t k = 1; k < row; k += 3)
            ++picture.pixels[static_cast<std::uint32_t>(line[k] << 16 | line[k + 1] << 8 | line[k + 2])];
    }
    return picture;
}

// The program under xvfb, which draws in software. Leaks in graphics drivers are not ours.
int run_in_xvfb(const std::string& words, const std::string& errors) {
    const std::string command =
        "LIBGL_ALWAYS_SOFTWARE=1 ASAN_OPTIONS=detect_leaks=0 xvfb-run -a -s '-screen 0 640x480x24 +extension GLX' '" +
        program().string() + "' view " + words + " 2> '" + errors + "'";
    return std::system(command.c_str());
}
bool has_xvfb() { return std::system("command -v xvfb-run > /dev/null") == 0; }

}  // namespace

TEST_CASE("view says that its program is not built", "[cli][view]") {
    const Folder folder;
    const std::string errors = folder / "errors.txt";
    fs::copy_file(program(), folder / "repetend");
    CHECK(std::system(("'" + (folder / "repetend") + "' view 2> '" + errors + "'").c_str()) != 0);
    CHECK(slurp(errors) ==
          "repetend: view: the window is not built; ./dev build makes it where GLFW and OpenGL are installed\n");
}

TEST_CASE("view refuses what it cannot open in one line, before any window", "[cli][view]") {
    if (!window_is_built()) SKIP("built without a window");
    const Folder folder;
    const auto refused = [](const std::vector<std::string>& words, int status, const std::string& part) {
        const Ran ran = run(words);
        INFO(ran.err);
        CHECK(ran.status == status);
        CHECK(ran.out.empty());
        CHECK(ran.err.rfind("repetend: ", 0) == 0);
        CHECK(ran.err.find(part) != std::string::npos);
        CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);
    };
    refused({"view"}, 1, "no window with OpenGL 3.3 can be opened: ");
    refused({"view", folder / "nothing.json"}, 1, "nothing.json: cannot be read: ");
    refused({"view",
             folder.write(
                 "bad.json",
                 R"({"format": "repetend.problem", "version": 1, "devices": [{}], "blocks": [], "dependencies": []})")},
            3, "bad.json: blocks: ");
    refused({"view", folder.write("cut.json", R"({"format": "repetend.result", )")}, 3, "cut.json: ");
    refused({"view", "#v=1&preset=zzz"}, 3, "link: there is no preset `zzz`");
    refused({"view", "#v=9"}, 3, "link: ");
    refused({"view", "x.json", "--preset", "v"}, 2, "give a FILE or --preset, not both");
    refused({"view", folder.write("v.json", run({"presets", "v"}).out), "--devices", "3"}, 2, "--devices");
    refused({"view", "--preset", "v", "--width", "10"}, 2, "--width");
}

TEST_CASE("the window draws a schedule, found or given, light or dark, at any scale", "[cli][view]") {
    if (!window_is_built()) SKIP("built without a window");
    if (!has_xvfb()) SKIP("xvfb is not installed");
    const Folder folder;
    const std::string errors = folder / "errors.txt", picture = folder / "picture.png";
    const auto drawn = [&](const std::string& words) {
        fs::remove(picture);
        const int status = run_in_xvfb(words + " --picture '" + picture + "'", errors);
        INFO(slurp(errors));
        REQUIRE(status == 0);
        return read_png(picture);
    };
    // The kinds' colours fill a good part of the lanes, the page's colour most of the rest.
    SECTION("a preset is searched") {
        const Picture light = drawn("--preset v --memory 4 --micro-batches 16");
        CHECK(light.width == 1280);
        CHECK(light.height == 800);
        CHECK(light.pixels.at(0x0072B2) > 10'000);
        CHECK(light.pixels.at(0xE69F00) > 40'000);
        CHECK(light.pixels.at(0xFFFFFF) > 200'000);
    }
    SECTION("a result is shown as it is, in dark colours and large") {
        const std::string result = folder / "result.json";
        REQUIRE(run({"search", "--preset", "x", "-m", "4", "-q", "--json", "-o", result}).status == 0);
        const Picture dark = drawn("'" + result + "' --theme dark --width 1500 --height 900 --scale 125");
        CHECK(dark.width == 1500);
        CHECK(dark.height == 900);
        CHECK(dark.pixels.at(0xE69F00) > 30'000);
        CHECK(dark.pixels.at(0x0F1317) > 200'000);
        CHECK_FALSE(dark.pixels.contains(0xFFFFFF));
    }
    SECTION("a problem of a link, proved infeasible, has no lanes") {
        const Picture none = drawn("'#v=1&preset=v&devices=4&micro_batches=4&memory=0'");
        CHECK_FALSE(none.pixels.contains(0xE69F00));
        CHECK(none.pixels.size() > 20);
    }
}
