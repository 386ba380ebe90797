# Sourced by dev: what the web explorer needs beyond the WebAssembly toolchain.

# The page's fonts and the tool that cuts them down. Without them the page uses ImGui's own font.
setup_site() {
    local packages=()
    if has apt-get; then
        has xz || packages+=(xz-utils) # Dear ImGui's sources are packed with it
        has pyftsubset || packages+=(fonttools)
        [ -e /usr/share/fonts/opentype/inter/Inter-Regular.otf ] || packages+=(fonts-inter)
        [ -e /usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf ] || packages+=(fonts-jetbrains-mono)
        install_packages "${packages[@]}"
    fi
    fetch_sources imgui 1.90.1 "Dear ImGui 1.90.1 (0.8 MB)"
}

# A Chromium from the system, and the library that drives it; the library downloads no browser.
setup_browser() {
    local folder=build/deps/browser packages=()
    has chromium || has google-chrome || packages+=(chromium)
    has node || packages+=(nodejs)
    has npm || packages+=(npm)
    install_packages "${packages[@]}"
    [ -e "$folder/node_modules/playwright-core/package.json" ] ||
        quietly "Installing playwright-core 1.56.1" \
            npm install --prefix "$folder" --no-audit --no-fund --no-save playwright-core@1.56.1
}
