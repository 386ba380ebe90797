// Clusters and models by name.
#include "repetend/presets_profiles.hpp"

#include "presets_embedded.hpp"
#include "repetend/format/profile_files.hpp"

namespace repetend {

namespace {

using Texts = std::vector<std::pair<std::string_view, std::string_view>>;

std::vector<std::string> names_of(const Texts& texts) {
    std::vector<std::string> names;
    for (const auto& [name, text] : texts) names.emplace_back(name);
    return names;
}

template <class T>
Result<T> preset_of(const Texts& texts, std::string_view wanted, const char* kind,
                    Result<T> (*read)(std::string_view)) {
    for (const auto& [name, text] : texts) {
        if (name == wanted) return read(text);
    }
    const std::vector<std::string> names = names_of(texts);
    std::string message = "there is no " + std::string(kind) + " `" + std::string(wanted) + "`";
    if (const std::string near = nearest_name(wanted, names); !near.empty()) {
        message += "; did you mean `" + near + "`?";
    } else {
        message += "; there are";
        for (std::size_t k = 0; k < names.size(); ++k) message += (k > 0 ? ", " : " ") + names[k];
    }
    return Fault{FaultCode::usage, "", std::move(message)};
}

}  // namespace

std::vector<std::string> cluster_names() { return names_of(embedded_clusters()); }
std::vector<std::string> model_names() { return names_of(embedded_models()); }

Result<cost::Cluster> cluster_preset(std::string_view name) {
    return preset_of<cost::Cluster>(embedded_clusters(), name, "cluster", read_cluster);
}

Result<cost::Model> model_preset(std::string_view name) {
    return preset_of<cost::Model>(embedded_models(), name, "model", read_model);
}

}  // namespace repetend
