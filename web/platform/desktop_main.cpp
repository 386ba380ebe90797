// repetend-view: the explorer as a desktop window. `repetend view` starts it and has then read the options already;
// what is wrong is said here in the same form: one line, the exit status of the contract.
//   repetend-view [--NAME=VALUE...] [FILE or #link]
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "desktop_explorer.hpp"
#include "desktop_files.hpp"
#include "desktop_host.hpp"
#include "opengl.hpp"
#include "repetend/format/share.hpp"
#include "repetend/session/options.hpp"

namespace repetend::web {
namespace {

enum Status : int { status_good = 0, status_failure = 1, status_usage = 2, status_bad_input = 3 };

void complain(std::string_view source, std::string_view words) {
    std::string line = "repetend: ";
    if (!source.empty()) line.append(source).append(": ");
    line.append(words);
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';  // not to a terminal
    std::fprintf(stderr, "%s\n", line.c_str());
}
int complain(std::string_view source, const Faults& faults, Status status) {
    for (const Fault& fault : faults) complain(fault.path.starts_with("--") ? "" : source, to_string(fault));
    return status;
}

struct Wanted {
    OptionValues options;
    std::string what;  // a file or a link
};

int read_words(int count, char** words, Wanted& wanted) {
    for (int k = 1; k < count; ++k) {
        const std::string_view word = words[k];
        if (!word.starts_with("--")) {
            wanted.what = word;
            continue;
        }
        const std::size_t end = std::min(word.find('='), word.size());
        const std::string_view name = word.substr(2, end - 2);
        if (find_option(name) == nullptr) {
            complain("", std::string(word) + ": unknown option");
            return status_usage;
        }
        if (const auto fault = wanted.options.set(name, word.substr(std::min(end + 1, word.size()))))
            return complain("", {*fault}, status_usage);
    }
    return status_good;
}

// What is looked at, as a recipe that makes a document; else the answer is what went wrong.
int read_recipe(const Wanted& wanted, Recipe& recipe) {
    const std::string& what = wanted.what;
    const bool link = what.starts_with("#") || what.starts_with("http://") || what.starts_with("https://");
    const std::string label = what == "-" ? "standard input" : link ? "link" : what;
    const bool preset = wanted.options.has("preset");
    if (preset && !what.empty()) {
        complain(label, "give a FILE or --preset, not both");
        return status_usage;
    }
    if (link) {
        Result<Recipe> read = read_link(what);
        if (!read) return complain(label, read.faults(), status_bad_input);
        recipe = std::move(read).value();
    } else if (!what.empty()) {
        std::string error;
        const auto text = read_text_file(what, error);
        if (!text) {
            complain(label, error);
            return status_failure;
        }
        Result<Recipe> read = read_any(*text, name_of_file(what));
        if (!read) return complain(label, read.faults(), status_bad_input);
        recipe = std::move(read).value();
    } else if (preset) {
        recipe.preset = wanted.options.text("preset");
    } else {
        recipe = default_recipe();
    }
    bool changed = false;
    for (const auto& [name, value] : wanted.options.given()) {
        const OptionRow& row = *find_option(name);
        if (!travels_in_links(row) || name == "preset") continue;
        if (!preset && row.group == OptionGroup::preset && name != "micro-batches" && name != "memory" &&
            !is_family(recipe)) {
            complain("", "--" + name + ": shapes presets alone");
            return status_usage;
        }
        recipe.options.set(name, value);
        changed = true;
    }
    if (changed) recipe.schedule.reset();  // it is to be searched again
    Result<Document> document = make_document(recipe);
    if (!document) return complain(what.empty() ? "" : label, document.faults(), status_bad_input);
    return status_good;
}

std::string last_error;  // GLFW's words

int view(int count, char** words) {
    Wanted wanted;
    Recipe recipe;
    if (const int status = read_words(count, words, wanted); status != status_good) return status;
    if (const int status = read_recipe(wanted, recipe); status != status_good) return status;

    const bool to_file = wanted.options.has("picture");
    const auto width = static_cast<int>(wanted.options.integer("width").value_or(1280));
    const auto height = static_cast<int>(wanted.options.integer("height").value_or(800));
    if (!may_have_display()) {
        complain("view", "no window with OpenGL 3.3 can be opened: there is no display");
        return status_failure;
    }
    glfwSetErrorCallback([](int, const char* text) { last_error = text; });
    std::unique_ptr<Window> window = Window::open(width, height, "Repetend", !to_file);
    if (window == nullptr) {
        complain("view", "no window with OpenGL 3.3 can be opened: " + last_error);
        return status_failure;
    }
    const std::string theme = wanted.options.text("theme");
    window->app.theme = theme == "dark"       ? ThemeChoice::dark
                        : theme == "contrast" ? ThemeChoice::contrast
                                              : ThemeChoice::light;
    if (wanted.options.has("scale"))
        window->force_scale(static_cast<float>(wanted.options.integer("scale").value_or(100)) / 100);
    else if (to_file)
        window->force_scale(1);
    window->app.open_recipe(std::move(recipe), false);
    DesktopExplorer explorer(std::move(window));
    if (!to_file) {
        explorer.run();
        return status_good;
    }
    std::string error;
    const std::string bytes = explorer.settled_picture(error);
    if (!error.empty()) {
        complain("view", error);
        return status_failure;
    }
    if (write_named_file(wanted.options.text("picture"), bytes, error)) return status_good;
    complain(wanted.options.text("picture"), error);
    return status_failure;
}

}  // namespace
}  // namespace repetend::web

int main(int count, char** words) {
    try {
        return repetend::web::view(count, words);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "repetend: out of memory\n");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "repetend: internal error: %s\n", error.what());
    }
    return 1;
}
