// `repetend serve`: the built web explorer on the loopback address. Loopback only: it is for the person at this
// machine; for others any static web server does. cpp-httplib serves; what is decided here is which folder, which
// address, and that nothing is answered to a page of another site that found a name for 127.0.0.1 (the Host header is
// looked at).
#include <httplib.h>

#include <filesystem>
#include <iostream>
#include <optional>

#include "commands.hpp"
#include "exit_status.hpp"
#include "messages.hpp"
#include "program_folder.hpp"

namespace repetend::native {
namespace {

constexpr int first_port = 8731;  // without --port: this one or the next free
constexpr int ports_tried = 20;

std::optional<std::filesystem::path> find_site() {
    const std::filesystem::path folder = program_folder();
    std::error_code ignored;
    for (const char* beside : {"../web/site", "../share/repetend/site", "site"}) {
        const std::filesystem::path site = folder / beside;
        if (std::filesystem::exists(site / "index.html", ignored))
            return std::filesystem::weakly_canonical(site, ignored);
    }
    return std::nullopt;
}

bool is_local(const std::string& host) {
    const std::string name = host.substr(0, host.rfind(':'));
    return name == "127.0.0.1" || name == "localhost";
}

void set_up(httplib::Server& server, const std::filesystem::path& site) {
    server.set_mount_point("/", site.string());
    server.set_file_extension_and_mimetype_mapping("wasm", "application/wasm");
    server.set_file_extension_and_mimetype_mapping("js", "text/javascript");
    server.set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
        if (is_local(request.get_header_value("Host"))) return httplib::Server::HandlerResponse::Unhandled;
        response.status = 403;
        response.set_content("this server answers to 127.0.0.1 and localhost only\n", "text/plain");
        return httplib::Server::HandlerResponse::Handled;
    });
    server.set_default_headers({{"Cache-Control", "no-cache"}, {"X-Content-Type-Options", "nosniff"}});
}

// The port that is listened on, or 0.
int bind(httplib::Server& server, const std::optional<std::int64_t>& wanted) {
    if (wanted == 0) return std::max(server.bind_to_any_port("127.0.0.1"), 0);
    if (wanted) return server.bind_to_port("127.0.0.1", static_cast<int>(*wanted)) ? static_cast<int>(*wanted) : 0;
    for (int port = first_port; port < first_port + ports_tried; ++port)
        if (server.bind_to_port("127.0.0.1", port)) return port;
    return 0;
}

}  // namespace

int run_serve(const Invocation& invocation) {
    const auto site = find_site();
    if (!site) {
        complain("serve", "the web explorer is not built; ./dev build makes it");
        return exit_failure;
    }
    httplib::Server server;
    set_up(server, *site);
    const std::optional<std::int64_t> wanted =
        invocation.options.has("port") ? invocation.options.integer("port") : std::nullopt;
    const int port = bind(server, wanted);
    if (port == 0) {
        complain("serve", wanted
                              ? "port " + std::to_string(*wanted) + " is taken or not allowed"
                              : "no port from " + std::to_string(first_port) + " on is free; choose one with --port");
        return exit_failure;
    }
    // The address alone on standard output, so that a script can read it.
    std::cout << "http://127.0.0.1:" << port << "/" << std::endl;
    if (!invocation.options.flag("quiet")) std::cerr << "Serving " << site->string() << "; Ctrl-C ends it\n";
    return server.listen_after_bind() ? exit_good : exit_failure;
}

}  // namespace repetend::native
