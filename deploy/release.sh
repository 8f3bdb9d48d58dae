#!/bin/sh
# Makes a release of the commit that is checked out; nothing leaves this machine:
#   release.sh wheel   dist/muster_systems-VERSION-py3-none-any.whl alone
#   release.sh all     the wheel, dist/muster-VERSION-image.tar.gz (what the image is built of), their checksums, and the tag vVERSION
# The version is that of pyproject.toml. PYTHON names the Python that builds the wheel.
set -eu

say() { printf 'muster: %s\n' "$*"; }
stop() { printf 'muster: %s\n' "$*" >&2; exit 1; }

cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' pyproject.toml)
tag=v$version
wheel=muster_systems-$version-py3-none-any.whl
context=muster-$version-image.tar.gz

check() {
    changed=$(git status --porcelain)
    [ -z "$changed" ] || stop "commit or put aside these first:
$changed"
    ! git rev-parse --quiet --verify "refs/tags/$tag" >/dev/null ||
        stop "$tag is there already. Raise the version in pyproject.toml, or take the tag away: git tag -d $tag"
    grep -q "^## $version\$" CHANGELOG.md || stop "CHANGELOG.md has no section \"## $version\""
    ! grep -q '^## Unreleased$' CHANGELOG.md || stop "CHANGELOG.md has a section \"## Unreleased\": move its lines to \"## $version\""
}

build_wheel() {
    rm -f dist/muster_systems-*.whl
    "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist ./systems
    [ -f "dist/$wheel" ] || stop "the wheel is not called $wheel, see dist/"
    say "built dist/$wheel"
}

build_context() { # what deploy/Dockerfile copies, as committed, and the Dockerfile itself
    # shellcheck disable=SC2046  # a list of paths
    git archive --format=tar.gz --output="dist/$context" HEAD $(sed -n 's/^!//p' deploy/Dockerfile.dockerignore)
    say "built dist/$context"
}

case ${1:-} in
wheel)
    build_wheel
    ;;
all)
    check
    build_wheel
    build_context
    (cd dist && sha256sum "$wheel" "$context" >SHA256SUMS)
    git tag --annotate --message "Muster $version" "$tag"
    say "tagged $tag. Nothing has left this machine. Next:
  1. Try the image:      docker build -f deploy/Dockerfile -t muster:$version - <dist/$context
  2. Try the wheel:      python3 -m venv /tmp/wheel && /tmp/wheel/bin/pip install dist/$wheel,
                         then /tmp/wheel/bin/python -P -m systems check docs/examples/scenarios/breach.json
  3. Publish the tag:    git push origin HEAD $tag
  4. Publish the files:  dist/$wheel, dist/$context and dist/SHA256SUMS, with the section of CHANGELOG.md
Something wrong? git tag -d $tag, fix it, and start again. Once it is published, raise the version instead."
    ;;
*) stop "release.sh wheel, or: release.sh all" ;;
esac
