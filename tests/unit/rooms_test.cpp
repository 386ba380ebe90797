// The rooms and their one direction, read from the #include lines: engine rooms use what stands before them, hosts use
// the engine's public headers, native and web never meet. The engine stays a value machine: no clock, thread, file,
// environment or printing. Boost and nlohmann/json stay out of headers.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/paths.hpp"

namespace {

using Strings = std::vector<std::string>;

// Which rooms a room may include, beside itself. The same lists stand in engine/CMakeLists.txt as links.
const std::map<std::string, std::set<std::string>>& uses() {
    static const std::map<std::string, std::set<std::string>> table = {
        {"model", {}},
        {"schedule", {"model"}},
        {"verify", {"model"}},
        {"execution", {"model"}},
        {"placement", {"model"}},
        {"cost", {"model", "placement"}},
        {"periodic", {"model"}},
        {"completion", {"model", "schedule", "periodic", "verify"}},
        {"baseline", {"model", "schedule", "placement"}},
        {"session", {"model", "schedule", "verify", "placement", "periodic", "completion", "baseline"}},
        {"format", {"model", "schedule", "verify", "cost", "execution", "periodic", "completion", "session"}},
        {"presets", {"model", "placement", "cost", "format"}},
    };
    return table;
}

// Standard headers that a value machine needs; what is not here needs a reason.
bool standard_header_is_allowed(const std::string& name) {
    static const std::set<std::string> allowed = {
        "algorithm",  "climits",          "array",    "bit",         "bitset",        "cassert",
        "cctype",     "charconv",         "cmath",    "compare",     "concepts",      "cstddef",
        "cstdint",    "cstdio",           "cstdlib",  "cstring",     "deque",         "exception",
        "functional", "initializer_list", "iterator", "limits",      "list",          "map",
        "memory",     "memory_resource",  "new",      "numbers",     "numeric",       "optional",
        "queue",      "ranges",           "set",      "span",        "stack",         "stdexcept",
        "string",     "string_view",      "tuple",    "type_traits", "unordered_map", "unordered_set",
        "utility",    "variant",          "vector"};
    return allowed.contains(name);
}

// Names that reach outside, or differ between machines.
const std::regex& forbidden_names() {
    static const std::regex pattern(
        R"(\b(printf|fprintf|puts|putchar|fputs|fopen|getenv|system|rand|srand|cout|cerr|clog|abort|exit|random_device|)"
        R"(uniform_int_distribution|uniform_real_distribution|shuffle|mt19937|mt19937_64)\s*[(<;])"
        R"(|\bstd::(cout|cerr|clog)\b|\bthread_local\b)"
        R"(|\blong\b(?!\s+double))");  // 32 bits in WebAssembly
    return pattern;
}

struct Include {
    std::string name;
    bool quoted = false;
};

std::vector<Include> includes_of(const std::string& text) {
    static const std::regex line(R"(^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"])", std::regex::multiline);
    std::vector<Include> found;
    for (auto i = std::sregex_iterator(text.begin(), text.end(), line); i != std::sregex_iterator(); ++i)
        found.push_back({(*i)[2].str(), (*i)[1].str() == "\""});
    return found;
}

// The code alone: comments and the inside of literals become blanks. (Raw strings are kept; the engine has few.)
std::string code_of(const std::string& text) {
    std::string code;
    std::size_t i = 0;
    const auto at = [&](std::size_t k) { return k < text.size() ? text[k] : '\0'; };
    while (i < text.size()) {
        if (at(i) == '/' && at(i + 1) == '/') {
            while (i < text.size() && text[i] != '\n') ++i;
        } else if (at(i) == '/' && at(i + 1) == '*') {
            i = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
        } else if (at(i) == '"') {
            for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
                if (text[i] == '\\') ++i;
            ++i;
            code += "\"\"";
        } else {
            code += text[i++];
        }
    }
    return code;
}

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

std::string first_part(std::string_view path) { return std::string(path.substr(0, path.find_first_of("/."))); }

// The room of an engine file or of what stands behind "repetend/" in an include; empty when it is none.
std::string engine_room(std::string_view path) {
    for (const std::string_view top : {"engine/include/repetend/", "engine/src/", "repetend/"})
        if (starts_with(path, top)) path.remove_prefix(top.size());
    std::string room = first_part(path);
    if (starts_with(room, "presets")) room = "presets";
    return uses().contains(room) ? room : "";
}

void check_engine_include(const std::string& path, const Include& include, Strings& faults) {
    const auto fault = [&](const std::string& words) { faults.push_back(path + ": " + include.name + ": " + words); };
    const bool header = path.ends_with(".hpp");
    const std::string room = engine_room(path);
    if (starts_with(include.name, "boost/") || starts_with(include.name, "nlohmann/")) {
        if (header) fault("belongs into a .cpp");
        if (starts_with(include.name, "boost/") && !starts_with(include.name, "boost/graph/") &&
            !starts_with(include.name, "boost/property_map/"))
            fault("of Boost only Boost.Graph is used");
        return;
    }
    if (!include.quoted) {
        if (!standard_header_is_allowed(include.name)) fault("not in the engine");
        return;
    }
    const bool is_public = starts_with(include.name, "repetend/");
    if (header && starts_with(path, "engine/include/") && !is_public)
        fault("a public header needs public headers only");
    if (include.name.find('/') == std::string::npos) {
        // Beside the including file: same room.
        if (engine_room(include.name) == "presets" && room != "presets") fault(room + " may not use presets");
        return;
    }
    const std::string other = engine_room(include.name);
    if (other.empty()) {
        fault("no room of the engine");
    } else if (other != room && !uses().at(room).contains(other)) {
        fault(room + " may not use " + other);
    }
}

void check_host_include(const std::string& path, const Include& include, Strings& faults) {
    const auto fault = [&](const std::string& words) { faults.push_back(path + ": " + include.name + ": " + words); };
    const std::string host = first_part(path);
    const std::string other = host == "native" ? "web" : "native";
    if (starts_with(include.name, other + "/") || include.name.find("../" + other) != std::string::npos)
        fault(host + " may not use " + other);
    if (include.name.find("engine/") != std::string::npos) fault("only the engine's public headers");
    if (starts_with(include.name, "nlohmann/") && path.ends_with(".hpp")) fault("belongs into a .cpp");
}

// All that is wrong with one file, by its path from the top of the repository.
Strings faults_of(const std::string& path, const std::string& text) {
    Strings faults;
    const bool engine = starts_with(path, "engine/");
    if (engine && engine_room(path).empty()) faults.push_back(path + ": no known room");
    for (const Include& include : includes_of(text)) {
        if (include.name.find("..") != std::string::npos) faults.push_back(path + ": " + include.name + ": climbs");
        if (!engine)
            check_host_include(path, include, faults);
        else if (!engine_room(path).empty())
            check_engine_include(path, include, faults);
    }
    std::smatch match;
    const std::string code = engine ? code_of(text) : std::string();
    if (std::regex_search(code, match, forbidden_names())) faults.push_back(path + ": uses " + match.str());
    return faults;
}

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE(file);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Every source of a part of the repository: path from the top, ordered.
Strings sources_of(const std::string& part) {
    Strings found;
    const std::filesystem::path top = repetend::test::source_dir();
    for (const auto& entry : std::filesystem::recursive_directory_iterator(top / part)) {
        const std::string extension = entry.path().extension().string();
        if (extension == ".cpp" || extension == ".hpp" || extension == ".h")
            found.push_back(std::filesystem::relative(entry.path(), top).generic_string());
    }
    std::sort(found.begin(), found.end());
    return found;
}

TEST_CASE("every source keeps to the direction of the rooms") {
    std::size_t engine_files = 0;
    for (const char* part : {"engine", "native", "web"}) {
        for (const std::string& path : sources_of(part)) {
            if (starts_with(path, "engine/")) ++engine_files;
            const Strings faults = faults_of(path, read(repetend::test::source_dir() / path));
            for (const std::string& fault : faults) FAIL_CHECK(fault);
        }
    }
    CHECK(engine_files > 10);  // else this test looks in the wrong place
}

TEST_CASE("the direction of the rooms has no circle") {
    std::set<std::string> settled;
    for (std::size_t round = 0; round <= uses().size(); ++round)
        for (const auto& [room, used] : uses())
            if (std::includes(settled.begin(), settled.end(), used.begin(), used.end())) settled.insert(room);
    CHECK(settled.size() == uses().size());
}

TEST_CASE("the libraries link what the rooms may use") {
    const std::string text = read(repetend::test::source_dir() / "engine" / "CMakeLists.txt");
    const std::regex call(R"(\nrepetend_room\(([a-z ]+)\))");
    std::map<std::string, std::set<std::string>> linked;
    for (auto i = std::sregex_iterator(text.begin(), text.end(), call); i != std::sregex_iterator(); ++i) {
        std::istringstream words((*i)[1].str());
        std::string room, other;
        words >> room;
        linked[room];
        while (words >> other) linked[room].insert(other);
    }
    auto expected = uses();
    expected.erase("presets");  // built from loose files, not by repetend_room
    CHECK(linked == expected);
}

TEST_CASE("planted violations are found") {
    const auto planted = [](const std::string& path, const std::string& line) {
        INFO(path << ": " << line);
        CHECK(faults_of(path, "#pragma once\n" + line + "\n").size() == 1);
    };
    SECTION("a room that uses a later one") {
        planted("engine/src/model/a.cpp", "#include \"repetend/periodic/periodic.hpp\"");
        planted("engine/src/periodic/a.cpp", "#include \"repetend/session/session.hpp\"");
        planted("engine/src/periodic/a.hpp", "  #  include \"session/state.hpp\"");
        planted("engine/include/repetend/session/a.hpp", "#include \"repetend/format/json.hpp\"");
        planted("engine/src/format/a.cpp", "#include \"repetend/presets.hpp\"");
    }
    SECTION("a verifier that shares code with a generator") {
        planted("engine/src/verify/a.cpp", "#include \"repetend/schedule/measures.hpp\"");
    }
    SECTION("the engine reaching for a host, a host reaching into the engine or for the other host") {
        planted("engine/src/model/a.cpp", "#include \"native/runner.hpp\"");
        planted("native/a.cpp", "#include \"web/worker/api.hpp\"");
        planted("web/worker/a.cpp", "#include \"native/runner.hpp\"");
        planted("native/a.cpp", "#include \"engine/src/periodic/bounds.hpp\"");
        planted("native/a.cpp", "#include \"x/../y.hpp\"");
    }
    SECTION("libraries in headers") {
        planted("engine/include/repetend/model/a.hpp", "#include <boost/graph/adjacency_list.hpp>");
        planted("engine/src/format/a.hpp", "#include <nlohmann/json.hpp>");
        planted("engine/include/repetend/model/a.hpp", "#include \"model/private.hpp\"");
        planted("engine/src/model/a.cpp", "#include <boost/algorithm/string.hpp>");
    }
    SECTION("clock, thread, file, environment and printing") {
        for (const char* header : {"chrono", "thread", "mutex", "fstream", "iostream", "filesystem", "ctime", "random",
                                   "unistd.h", "emscripten.h"})
            planted("engine/src/session/a.cpp", "#include <" + std::string(header) + ">");
        planted("engine/src/session/a.cpp", "const char* home = getenv(\"HOME\");");
        planted("engine/src/session/a.cpp", "void f() { std::printf(\"x\"); }");
        planted("engine/src/session/a.cpp", "long ticks = 0;");
    }
    SECTION("a file that belongs to no room") { planted("engine/src/helpers/a.cpp", "int a = 0;"); }
}

TEST_CASE("what is allowed raises no fault") {
    const auto clean = [](const std::string& path, const std::string& text) {
        INFO(path << ": " << text);
        CHECK(faults_of(path, text).empty());
    };
    clean("engine/src/model/a.cpp",
          "#include \"repetend/model/graph.hpp\"\n#include <boost/graph/adjacency_list.hpp>\n");
    clean("engine/src/format/a.cpp", "#include <nlohmann/json.hpp>\n#include \"json_value.hpp\"\n");
    clean("engine/src/periodic/a.cpp", "#include \"periodic/bounds.hpp\"\n#include \"repetend/model/problem.hpp\"\n");
    clean("engine/src/presets.cpp", "#include \"presets_embedded.hpp\"\n#include \"repetend/format/json.hpp\"\n");
    clean("engine/src/format/a.cpp",
          "// printf(x) in a comment\n/* exit(1) */\nauto s = \"printf(x)\";\nstd::snprintf(b, 3, f);");
    clean("native/a.cpp", "#include \"repetend/session/session.hpp\"\n#include <thread>\n#include \"runner.hpp\"\n");
    clean("web/worker/a.cpp", "#include <emscripten.h>\n#include \"repetend/session/session.hpp\"\n");
}

}  // namespace
