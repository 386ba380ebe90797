// `repetend serve`: the site beside the program, on the loopback address, to local names only.
#include <httplib.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "program_run.hpp"

using namespace repetend::test;
namespace fs = std::filesystem;

namespace {

std::string line_of(FILE* pipe) {
    std::string line;
    for (int c = std::fgetc(pipe); c != EOF && c != '\n'; c = std::fgetc(pipe)) line += static_cast<char>(c);
    return line;
}

}  // namespace

TEST_CASE("serve answers with the site that was built, to this machine only", "[cli][serve]") {
    const Folder folder;
    const fs::path top = folder / ".";
    fs::create_directories(top / "web" / "site");
    fs::create_directories(top / "native");
    fs::copy_file(program(), top / "native" / "repetend", fs::copy_options::overwrite_existing);
    std::ofstream(top / "web" / "site" / "index.html") << "<p>explorer</p>";
    std::ofstream(top / "web" / "site" / "app.wasm") << "wasm";
    std::ofstream(top / "secret.txt") << "secret";

    // The shell's number becomes the program's.
    const std::string command =
        "echo $$; exec '" + (top / "native" / "repetend").string() + "' serve --port 0 --quiet 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    const std::string number = line_of(pipe);
    const std::string address = line_of(pipe);
    REQUIRE(address.rfind("http://127.0.0.1:", 0) == 0);
    {
        httplib::Client client(address.substr(0, address.size() - 1));
        const auto page = client.Get("/");
        REQUIRE(page);
        CHECK(page->status == 200);
        CHECK(page->body == "<p>explorer</p>");
        CHECK(client.Get("/app.wasm")->get_header_value("Content-Type") == "application/wasm");
        CHECK(client.Get("/../../secret.txt")->status == 404);
        CHECK(client.Get("/nothing")->status == 404);
        CHECK(client.Get("/", httplib::Headers{{"Host", "evil.example"}})->status == 403);
    }
    CHECK(std::system(("kill " + number).c_str()) == 0);
    pclose(pipe);
}

TEST_CASE("serve says when there is no site", "[cli][serve]") {
    const Folder folder;
    const fs::path top = folder / ".";
    fs::create_directories(top / "native");
    fs::copy_file(program(), top / "native" / "repetend", fs::copy_options::overwrite_existing);
    FILE* pipe = popen(("'" + (top / "native" / "repetend").string() + "' serve 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    CHECK(line_of(pipe).find("the web explorer is not built") != std::string::npos);
    CHECK(pclose(pipe) != 0);
}
