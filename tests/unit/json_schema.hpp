// Documents against the JSON schemas of presets/schema/.
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "support/paths.hpp"

namespace repetend::test {

inline std::string read_text(const std::filesystem::path& path) {
    INFO(path.string());
    std::ifstream file(path, std::ios::binary);
    REQUIRE(file);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

// The part of JSON Schema (draft 2020-12) that the schema files use. Answers the path of the first mismatch, or
// "" when the value fits. A keyword that is not known here is an error of the test.
class Schema {
public:
    explicit Schema(const std::string& file) : root_(read(file)) {}

    std::string mismatch(const nlohmann::json& value) const { return mismatch(root_, root_, value, "$"); }
    const nlohmann::json& root() const { return root_; }

private:
    static nlohmann::json read(const std::string& file) {
        return nlohmann::json::parse(read_text(source_dir() / "presets" / "schema" / file));
    }

    static bool has_type(const std::string& type, const nlohmann::json& value) {
        if (type == "object") return value.is_object();
        if (type == "array") return value.is_array();
        if (type == "string") return value.is_string();
        if (type == "integer") return value.is_number_integer();
        if (type == "number") return value.is_number();
        if (type == "boolean") return value.is_boolean();
        if (type == "null") return value.is_null();
        FAIL("unknown type " << type);
        return false;
    }

    static bool within(const nlohmann::json& schema, const char* least, const char* most, std::int64_t value) {
        return value >= schema.value(least, INT64_MIN) && value <= schema.value(most, INT64_MAX);
    }

    std::string mismatch(const nlohmann::json& root, const nlohmann::json& schema, const nlohmann::json& value,
                         const std::string& path) const {
        if (schema.is_boolean()) return schema.get<bool>() ? "" : path;
        static const std::set<std::string> known = {"$schema",
                                                    "$id",
                                                    "$defs",
                                                    "$ref",
                                                    "title",
                                                    "description",
                                                    "type",
                                                    "const",
                                                    "enum",
                                                    "anyOf",
                                                    "minimum",
                                                    "maximum",
                                                    "minItems",
                                                    "maxItems",
                                                    "minLength",
                                                    "items",
                                                    "required",
                                                    "properties",
                                                    "patternProperties",
                                                    "additionalProperties"};
        for (const auto& [keyword, argument] : schema.items()) {
            INFO(keyword);
            REQUIRE(known.count(keyword) == 1);
        }
        if (schema.contains("$ref")) {
            const std::string target = schema["$ref"];
            if (target[0] != '#') {
                const nlohmann::json other = read(target);
                return mismatch(other, other, value, path);
            }
            return mismatch(root, root.at(nlohmann::json::json_pointer(target.substr(1))), value, path);
        }
        if (schema.contains("type") && !has_type(schema["type"], value)) return path;
        if (schema.contains("const") && value != schema["const"]) return path;
        if (schema.contains("enum")) {
            const nlohmann::json& all = schema["enum"];
            if (std::find(all.begin(), all.end(), value) == all.end()) return path;
        }
        if (schema.contains("anyOf")) {
            const nlohmann::json& ways = schema["anyOf"];
            if (std::none_of(ways.begin(), ways.end(),
                             [&](const nlohmann::json& way) { return mismatch(root, way, value, path).empty(); })) {
                return path;
            }
        }
        if (value.is_number_integer() && !within(schema, "minimum", "maximum", value.get<std::int64_t>())) return path;
        if (value.is_string() && value.get<std::string>().size() < schema.value("minLength", std::size_t{0}))
            return path;
        if (value.is_array()) {
            if (!within(schema, "minItems", "maxItems", static_cast<std::int64_t>(value.size()))) return path;
            for (std::size_t i = 0; schema.contains("items") && i < value.size(); ++i) {
                const std::string wrong =
                    mismatch(root, schema["items"], value[i], path + "[" + std::to_string(i) + "]");
                if (!wrong.empty()) return wrong;
            }
        }
        return value.is_object() ? object_mismatch(root, schema, value, path) : "";
    }

    std::string object_mismatch(const nlohmann::json& root, const nlohmann::json& schema, const nlohmann::json& value,
                                const std::string& path) const {
        for (const nlohmann::json& name : schema.value("required", nlohmann::json::array())) {
            if (!value.contains(name.get<std::string>())) return path + "." + name.get<std::string>();
        }
        const nlohmann::json properties = schema.value("properties", nlohmann::json::object());
        for (const auto& [name, member] : value.items()) {
            if (name.rfind("x_", 0) == 0 && schema.contains("patternProperties")) continue;
            const std::string inner = path + "." + name;
            if (!properties.contains(name)) {
                if (schema.value("additionalProperties", true)) continue;
                return inner;
            }
            const std::string wrong = mismatch(root, properties[name], member, inner);
            if (!wrong.empty()) return wrong;
        }
        return "";
    }

    nlohmann::json root_;
};

}  // namespace repetend::test
