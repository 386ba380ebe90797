# Sourced by dev: the WebAssembly toolchain. In this order:
#   1. an emcc on PATH that is new enough;
#   2. the system's package, where it is new enough (Debian 13);
#   3. on Debian 12, Debian 13's Emscripten in a private folder, on top of Debian 12's own LLVM 19. Nothing else on
#      the system changes, and the folder serves every clone.

emscripten_wanted=3.1.50
emscripten_prefix=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/repetend/emscripten-3.1.69

usable_emcc() {
    local version
    has "$1" || return 1
    version=$("$1" --version 2>/dev/null | sed -n '1s/.* \([0-9][0-9]*\.[0-9.]*[0-9]\).*/\1/p')
    [ -n "$version" ] && version_at_least "$version" "$emscripten_wanted"
}

# Makes `emcc` and `node` available on PATH.
setup_web() {
    has node || install_packages nodejs
    if usable_emcc emcc; then
        return
    fi
    if [ ! -e "$emscripten_prefix/.ok" ]; then
        has apt-get || die "Emscripten $emscripten_wanted or newer is needed: install it and put emcc on PATH"
        if packaged_emscripten_is_usable; then
            install_packages emscripten
            usable_emcc emcc || die "the emscripten package was installed, but emcc does not answer"
            return
        fi
        is_debian_12 || die "Emscripten $emscripten_wanted or newer is needed: install it and put emcc on PATH"
        build_emscripten_prefix
    fi
    export PATH=$emscripten_prefix/emscripten:$PATH
    usable_emcc emcc || die "Emscripten in $emscripten_prefix does not work: remove that folder and run ./dev again"
}

is_debian_12() { (. /etc/os-release 2>/dev/null && [ "$ID" = debian ] && [ "$VERSION_ID" = 12 ]); }

packaged_emscripten_is_usable() {
    local candidate
    candidate=$(apt-cache policy emscripten 2>/dev/null | sed -n 's/^ *Candidate: \([0-9.]*\).*/\1/p')
    [ -n "$candidate" ] && version_at_least "$candidate" "$emscripten_wanted"
}

build_emscripten_prefix() {
    local packages=() package work prefix=$emscripten_prefix
    for package in clang-19 lld-19 llvm-19 python3; do
        [ -e "/usr/share/doc/$package" ] || packages+=("$package")
    done
    install_packages "${packages[@]}"

    say "Preparing Emscripten 3.1.69 in $prefix (once; about a minute, 250 MB to download)"
    rm -rf "$prefix"
    mkdir -p "$prefix"
    work=$(empty_work_folder)
    open_trixie_view "$work" deb
    quietly "Downloading Emscripten" env -C "$work" apt-get "${view[@]}" download \
        emscripten:all binaryen node-acorn libc6 libstdc++6 libgcc-s1
    say "Unpacking Emscripten"
    for package in emscripten binaryen node-acorn; do
        dpkg -x "$work/$package"_*.deb "$work/programs"
    done
    for package in libc6 libstdc++6 libgcc-s1; do
        dpkg -x "$work/$package"_*.deb "$work/libraries"
    done
    place_emscripten "$work/programs" "$prefix"
    place_binaryen "$work" "$prefix"
    rm -rf "$work"
    touch "$prefix/.ok" # last: an interrupted run starts over
}

# place_emscripten UNPACKED PREFIX
place_emscripten() {
    local emscripten=$2/emscripten
    mv "$1/usr/share/emscripten" "$emscripten"
    rm -rf "$emscripten"/{docs,test,out}
    # The optimizer is an ES module, for which node looks beside it only.
    mkdir -p "$emscripten/node_modules"
    rm -rf "$emscripten/node_modules/acorn"
    cp -rL "$1/usr/share/nodejs/acorn" "$emscripten/node_modules/acorn"
    (cd "$emscripten/cache/sysroot/lib" &&
        find . -regextype egrep -regex '.*(asan|lsan|ubsan|tracing|-memvalidate|-verbose).*' -delete)
    cat >"$emscripten/.emscripten" <<CONFIG
LLVM_ROOT = '/usr/lib/llvm-19/bin'
BINARYEN_ROOT = '$2/binaryen'
NODE_JS = '$(command -v node)'
FROZEN_CACHE = True
CONFIG
}

# Debian 13's binaryen needs a newer C library than Debian 12 has: it gets its own beside it, through its own loader.
#   place_binaryen WORK PREFIX
place_binaryen() {
    local runtime=$2/rt program name
    mkdir -p "$runtime/lib" "$2/binaryen/bin"
    find "$1/programs" "$1/libraries" \( -name 'libbinaryen*.so*' -o -name 'libc.so.6' -o -name 'libm.so.6' \
        -o -name 'libpthread.so.0' -o -name 'libstdc++.so.6*' -o -name 'libgcc_s.so.1' \
        -o -name 'ld-linux-x86-64.so.2' \) -exec cp -L {} "$runtime/lib/" \;
    for program in "$1/programs/usr/bin"/wasm*; do
        name=$(basename "$program")
        cp -L "$program" "$runtime/$name"
        printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' \
            "$runtime/lib/ld-linux-x86-64.so.2" "$runtime/lib" "$runtime/$name" >"$2/binaryen/bin/$name"
        chmod +x "$2/binaryen/bin/$name"
    done
}
