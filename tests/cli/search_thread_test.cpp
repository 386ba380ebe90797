// The desktop window's search in its thread: messages as the page's worker posts them.
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/desktop_search.hpp"
#include "program_run.hpp"

using namespace repetend::test;
using repetend::web::SearchMessage;
using repetend::web::SearchThread;

namespace {

struct Listener {
    std::mutex mutex;
    std::condition_variable told;
    int calls = 0;
    std::vector<SearchMessage> heard;
    std::deque<SearchMessage> waiting;
    SearchThread thread{[this] {
        {
            const std::lock_guard lock(mutex);
            ++calls;
        }
        told.notify_all();
    }};

    // Until a message is as wanted; it is the last one in `heard`.
    bool hear(const std::function<bool(const SearchMessage&)>& wanted) {
        for (int seen = -1;;) {
            for (SearchMessage& message : thread.take()) waiting.push_back(std::move(message));
            while (!waiting.empty()) {
                heard.push_back(std::move(waiting.front()));
                waiting.pop_front();
                if (wanted(heard.back())) return true;
            }
            std::unique_lock lock(mutex);
            if (!told.wait_for(lock, std::chrono::seconds(60), [&] { return calls != seen; })) return false;
            seen = calls;
        }
    }
    bool hear_last(int search) {
        return hear([&](const SearchMessage& message) {
            return message.search == search && message.last && message.kind != SearchMessage::Kind::progress;
        });
    }
};

std::string preset(const std::vector<std::string>& options) {
    std::vector<std::string> words = {"presets"};
    words.insert(words.end(), options.begin(), options.end());
    return run(words).out;
}
// Runs until it is stopped, within any time that a test may take.
std::string hard() { return preset({"nn", "--devices", "16", "--memory", "16", "-n", "48"}); }

}  // namespace

TEST_CASE("the window's search ends with the result of the command line", "[cli][view]") {
    Listener listener;
    listener.thread.start(7, small_problem(), "{}");
    REQUIRE(listener.hear_last(7));
    const auto result = nlohmann::json::parse(listener.heard.back().text);
    const Folder folder;
    const Ran ran = run({"search", folder.write("small.json", small_problem()), "--json", "-q"});
    const auto expected = nlohmann::json::parse(ran.out);
    CHECK(result["status"] == "optimal");
    CHECK(result["schedule"] == expected["schedule"]);
    REQUIRE(listener.heard.size() >= 2);
    CHECK(listener.heard[0].kind == SearchMessage::Kind::progress);
    CHECK(nlohmann::json::parse(listener.heard[0].text).is_array());
}

TEST_CASE("the window's search: a stop keeps the best, another search takes its place", "[cli][view]") {
    Listener listener;
    listener.thread.start(1, hard(), "{}");
    REQUIRE(listener.hear([](const SearchMessage& message) {
        return message.kind == SearchMessage::Kind::result &&
               message.text.find("\"schedule\": null") == std::string::npos;
    }));
    listener.thread.stop();
    REQUIRE(listener.hear_last(1));
    CHECK(nlohmann::json::parse(listener.heard.back().text)["stop"] == "interrupted");

    listener.thread.start(2, hard(), "{}");
    REQUIRE(listener.hear([](const SearchMessage& message) { return message.search == 2; }));
    listener.thread.start(3, small_problem(), "{}");
    REQUIRE(listener.hear_last(3));
    for (const SearchMessage& message : listener.heard) CHECK((message.search != 2 || !message.last));
}

TEST_CASE("the window's search: pausing, and an end in the middle", "[cli][view]") {
    Listener listener;
    listener.thread.start(1, hard(), "{}");
    REQUIRE(listener.hear([](const SearchMessage& message) { return message.work > 0; }));
    listener.thread.pause(true);
    listener.thread.stop();  // heard while it is paused
    REQUIRE(listener.hear_last(1));
    listener.thread.start(2, hard(), "{}");
    REQUIRE(listener.hear([](const SearchMessage& message) { return message.search == 2; }));
    // Goes out of scope while the search runs.
}

TEST_CASE("the window's search: a problem that cannot be is refused in words", "[cli][view]") {
    Listener listener;
    listener.thread.start(1, "{}", "{}");
    REQUIRE(listener.hear_last(1));
    CHECK(listener.heard.back().kind == SearchMessage::Kind::failed);
    CHECK_FALSE(listener.heard.back().text.empty());
    listener.thread.start(2, small_problem(), R"({"colour": 1})");
    REQUIRE(listener.hear_last(2));
    CHECK(listener.heard.back().text.find("colour") != std::string::npos);
}
