#!/bin/sh
# Brings a machine that has Python >= 3.11, make and git to where Muster runs:
#   bootstrap.sh run     the libraries and Python packages that `make run` needs
#   bootstrap.sh dev     the same, and the tools of `make check`
#   bootstrap.sh test    the same, and the servers and the browser that tests use
# What is there already is left alone, so a second call takes a moment.
set -eu

purpose=${1:?run, dev or test}
root=$(cd "$(dirname "$0")/.." && pwd)
venv=${VENV:-.venv}
cd "$root"

say() { printf 'muster: %s\n' "$*"; }
stop() { printf 'muster: %s\n' "$*" >&2; exit 1; }

# --- Python -----------------------------------------------------------------------------------------------------------

is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

python=
for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
    if command -v "$candidate" >/dev/null && is_new_enough "$candidate"; then
        python=$(command -v "$candidate")
        break
    fi
done
if [ -z "$python" ]; then
    found=$(python3 --version 2>/dev/null || echo "no python3")
    stop "Muster needs Python 3.11 or newer; this machine has $found. Install one, or name it: make run PYTHON=/path/to/python3.12"
fi

# --- system packages --------------------------------------------------------------------------------------------------

packages=
reasons=
need() { # package, reason
    packages="$packages $1"
    reasons="$reasons
  $1: $2"
}
has_library() { "$python" -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$1" 2>/dev/null; }
has_command() { command -v "$1" >/dev/null; }
has_postgres() { has_command postgres || ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1; }
has_chromium() { has_command chromium || has_command chromium-browser || has_command google-chrome || has_command google-chrome-stable; }
is_root() { [ "$(id -u)" = 0 ]; }
is_offered() { # package: apt has it, and not as a wrapper around a snap
    apt-cache show "$1" 2>/dev/null | grep -q '^Version:' && ! apt-cache show "$1" 2>/dev/null | grep -qi '^Description.*snap'
}

if [ ! -x "$venv/bin/python" ] && ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    need python3-venv "makes the environment in $venv"
fi
has_library libpango-1.0.so.0 || need libpango-1.0-0 "sets the text of cards and sheets (PDF)"
has_library libpangoft2-1.0.so.0 || need libpangoft2-1.0-0 "gives Pango its fonts"
has_library libharfbuzz-subset.so.0 || need libharfbuzz-subset0 "embeds only the letters a PDF uses, three times faster"
if [ "$purpose" = test ]; then
    has_postgres || need postgresql "the tests' database server"
    has_command redis-server || need redis-server "the tests' message broker"
    has_command pdftotext || need poppler-utils "reads the PDFs that tests make"
    has_command gs || need ghostscript "finds what printers would stop at in these PDFs"
    has_command mutool || need mupdf-tools "checks the same PDFs with a second reader"
    has_chromium || [ -e "$venv/.muster-browser" ] || need chromium "the browser that tests drive"
fi

if [ -n "$packages" ] && [ "${MUSTER_SKIP_PACKAGES:-0}" != 1 ]; then
    say "missing on this machine:$reasons"
    by_hand="apt-get update && apt-get install --no-install-recommends$packages"
    if ! has_command apt-get; then
        stop "this machine has no apt. Install what these Debian packages hold:$packages; then start again."
    elif is_root; then
        as_root=
    elif has_command sudo && sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    else
        stop "installing them needs root. Run this, then start again:
  sudo sh -c '$by_hand'
(MUSTER_SKIP_PACKAGES=1 starts without them; then there are no PDFs.)"
    fi
    say "installing with apt, which takes a minute ..."
    log=$(mktemp)
    apt() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >"$log" 2>&1 </dev/null; }
    apt update || { cat "$log" >&2; stop "apt-get update failed, see above."; }
    offered=
    for package in $packages; do
        if is_offered "$package"; then
            offered="$offered $package"
        else
            say "apt does not offer $package here"
        fi
    done
    # shellcheck disable=SC2086  # a list of package names
    [ -z "$offered" ] || apt install -y --no-install-recommends $offered || {
        cat "$log" >&2
        stop "apt-get install failed, see above."
    }
    rm -f "$log"
fi

# --- Python packages --------------------------------------------------------------------------------------------------

case $purpose in
run) file=requirements.txt ;;
*) file=requirements-dev.txt ;;
esac
# An environment belongs to one Python and one folder; the packages in it to one set of pins.
home=$("$python" --version; echo "$root/$venv")
fingerprint=$({ cat requirements.txt requirements-dev.txt; echo "$home"; } | cksum)
stamped() { [ "$(cat "$venv/.muster-$1" 2>/dev/null)" = "$fingerprint" ]; }

if [ "$venv" = .venv ] && ! stamped "$file" && ! stamped requirements-dev.txt; then
    if [ "$(cat "$venv/.muster-home" 2>/dev/null)" != "$home" ] || ! "$venv/bin/python" -c '' 2>/dev/null; then
        [ ! -L "$venv" ] || stop "$venv is a link, so Muster doesn't install packages into it. Use it as it is: make ... VENV=$(readlink -f "$venv")"
        say "making the Python environment in $venv ($("$python" --version)) ..."
        "$python" -m venv --clear "$venv"
        echo "$home" >"$venv/.muster-home"
    fi
    say "installing the packages of $file, most of a minute of downloads ..."
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input -r "$file" </dev/null ||
        stop "pip could not install them, see above. Is the network up?"
    echo "$fingerprint" >"$venv/.muster-$file"
fi

if [ "$purpose" = test ] && ! has_chromium && [ ! -e "$venv/.muster-browser" ]; then
    say "fetching a Chromium for the tests, with its libraries ..."
    "$venv/bin/python" -m playwright install --with-deps chromium </dev/null ||
        stop "no Chromium: install one (Debian: apt-get install chromium), then start again."
    : >"$venv/.muster-browser"
fi
