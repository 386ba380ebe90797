# Sourced by dev: what the native build needs, from the system's packages.

has() { command -v "$1" >/dev/null 2>&1; }
has_header() { [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ]; }

# version_at_least 3.1.69 3.1.50
version_at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]; }

# Names the Debian packages that are missing for the native build.
missing_native_packages() {
    has "${CXX:-g++}" || echo g++
    has cmake || echo cmake
    has ninja || echo ninja-build
    has_header boost/graph/adjacency_list.hpp || echo libboost-dev
    has_header nlohmann/json.hpp || echo nlohmann-json3-dev
    has_header CLI/CLI.hpp || echo libcli11-dev
    has_header zlib.h || echo zlib1g-dev
    has mpicxx || echo libopenmpi-dev
    has mpirun || echo openmpi-bin
    has_header httplib.h || echo libcpp-httplib-dev
}

# The explorer's desktop window. The command line alone needs none of it.
setup_window() {
    local packages=()
    if has apt-get; then
        has_header GLFW/glfw3.h || packages+=(libglfw3-dev)
        has_header GL/glcorearb.h || packages+=(libgl-dev)
        install_packages "${packages[@]}"
    fi
}

# A display without a screen, and OpenGL without a graphics card, to test the window with.
setup_window_tests() {
    local packages=()
    if has apt-get; then
        has xvfb-run || packages+=(xvfb)
        has xauth || packages+=(xauth)
        compgen -G '/usr/lib/*/dri/swrast_dri.so' >/dev/null || packages+=(libgl1-mesa-dri)
        install_packages "${packages[@]}"
    fi
}

# The system's package lists are read once per run of dev, and only when something is missing.
apt_lists_fresh=no
update_package_lists() {
    [ "$apt_lists_fresh" = no ] || return 0
    quietly "Reading the system's package lists" "${as_root[@]}" apt-get update -qq
    apt_lists_fresh=yes
}

# as_root becomes the prefix that runs a command as root; without one, says what to run and ends.
#   find_root [packages that are wanted]
find_root() {
    as_root=(env DEBIAN_FRONTEND=noninteractive)
    if [ "$(id -u)" = 0 ]; then
        return
    elif has sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        as_root=(sudo "${as_root[@]}")
    else
        die "root is needed for the system's packages. Run this, then ./dev again:
  sudo apt-get update${*:+ && sudo apt-get install -y --no-install-recommends $*}"
    fi
}

install_packages() {
    [ $# -gt 0 ] || return 0
    has apt-get || die "please install what these Debian packages hold: $*"
    find_root "$@"
    update_package_lists
    # One sync at the end instead of one per file: there are some 15,000 of them, most in Boost.
    quietly "Installing $*" "${as_root[@]}" apt-get install -y -qq --no-install-recommends \
        -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-unsafe-io "$@"
    sync
}

# Runs a command, its output into the log; the end of the log only when it fails.
quietly() {
    local what=$1
    shift
    say "$what"
    if ! "$@" >>"$log" 2>&1 </dev/null; then
        tail -n 20 "$log" >&2
        die "failed: $what (all of the output: $log)"
    fi
}

debian_archive() {
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | sed -n 1p
}

# Below build/, so that an interrupted run leaves nothing elsewhere.
empty_work_folder() {
    rm -rf build/setup
    mkdir -p build/setup
    echo "$PWD/build/setup"
}

# A view of Debian 13's packages, apart from the system's own and without touching it. Sets `view`, the options
# that make apt-get use it. Same archive as the system already uses.
#   open_trixie_view FOLDER "deb deb-src"
open_trixie_view() {
    local folder=$1 types=$2 archive keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    archive=$(debian_archive)
    if [ -z "$archive" ]; then # not known before the system's lists have been read
        find_root
        update_package_lists
        archive=$(debian_archive)
    fi
    [ -n "$archive" ] || die "apt's sources name no Debian archive, from which to take Debian 13's packages"
    [ -e "$keyring" ] || install_packages debian-archive-keyring
    mkdir -p "$folder/lists/partial"
    printf '%s\n' "Types: $types" "URIs: $archive" "Suites: trixie" "Components: main" "Signed-By: $keyring" \
        >"$folder/trixie.sources"
    view=(-o "Dir::Etc::sourcelist=$folder/trixie.sources" -o Dir::Etc::sourceparts=/dev/null
        -o "Dir::State::Lists=$folder/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
        -o APT::Sandbox::User=root)
    quietly "Reading Debian 13's package lists" apt-get "${view[@]}" update -qq
}

is_debian_12_or_13() {
    (. /etc/os-release 2>/dev/null && [ "$ID" = debian ] && { [ "$VERSION_ID" = 12 ] || [ "$VERSION_ID" = 13 ]; })
}

# The sources of one of Debian 13's packages into build/deps/PACKAGE-VERSION. Elsewhere CMake fetches them itself.
#   fetch_sources PACKAGE VERSION TITLE
fetch_sources() {
    local package=$1 version=$2 title=$3 target=build/deps/$1-$2 work
    if [ -e "$target/.ok" ] || ! is_debian_12_or_13; then
        return
    fi
    work=$(empty_work_folder)
    open_trixie_view "$work" deb-src
    quietly "Downloading $title" \
        env -C "$work" apt-get "${view[@]}" source --download-only --only-source "$package"
    rm -rf "$target"
    mkdir -p "$target"
    tar -xf "$work/${package}_$version"*.orig.tar.* -C "$target" --strip-components=1
    touch "$target/.ok"
    rm -rf "$work"
}

setup_native() {
    local missing
    mapfile -t missing < <(missing_native_packages)
    install_packages "${missing[@]}"
    fetch_sources catch2 3.7.1 "Catch2 3.7.1 (1.2 MB)"
}
