#!/bin/sh
# Brings a Muster to a newer version and, with what was saved before, back:
#   upgrade.sh to [VERSION]     stops it, saves it, goes to the newest version of its branch or to this commit or tag, readies it, starts it
#   upgrade.sh back ARCHIVE     the way back: saves what is there, puts that archive and the version it was saved by in its place
# Settings come from the environment, or from MUSTER_ENV_FILE (default: /etc/muster.env, where it is). As root it stops and
# starts the units of deploy/, and does all else as the owner of the folder; otherwise stopping and starting is yours.
set -eu

say() { printf 'muster: %s\n' "$*"; }
stop() { printf 'muster: %s\n' "$*" >&2; exit 1; }
units="muster-web muster-worker muster-print muster-beat"
asks='import os, urllib.request as r; r.urlopen("http://127.0.0.1:" + os.environ.get("MUSTER_PORT", "8000") + "/healthz", timeout=5)'

settings() { # as systemd reads them: a value may hold blanks and signs, and nothing is put in
    file=${MUSTER_ENV_FILE:-/etc/muster.env}
    [ -r "$file" ] || return 0
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        [A-Z]*=*) export "${line?}" ;;
        esac
    done <"$file"
}
is_root() { [ "$(id -u)" = 0 ]; }
owner() { stat -c %U .; }
own() { # a command, as the owner of the folder
    if is_root && [ "$(owner)" != root ]; then runuser -u "$(owner)" -- "$@"; else "$@"; fi
}
has_units() { is_root && command -v systemctl >/dev/null && systemctl cat muster-web.service >/dev/null 2>&1; }
all_units() { # stop or start
    if has_units; then
        # shellcheck disable=SC2086  # a list of units
        systemctl "$1" $units
    elif [ "$1" = start ]; then
        say "start Muster again, for this is not root, or there are no units"
    elif own "$python" -c "$asks" 2>/dev/null; then
        stop "Muster is running; stop it first, for this is not root, or there are no units"
    fi
}
version() { own git rev-parse HEAD; }
save() { # the archive, with the version that wrote it beside it
    archive=$(own "$python" -m deploy.backup save | sed -n 's/^muster: saved to //p')
    if [ -z "$archive" ]; then
        all_units start
        stop "nothing could be saved, so nothing was changed"
    fi
    own sh -c 'git rev-parse HEAD >"$1.version"' sh "$archive"
    say "saved to $archive"
}
ready() {
    own deploy/bootstrap.sh run && own "$python" -m deploy.prepare --no-demo
}

go_to() { # [version]
    own git fetch --quiet --tags
    target=${1:-$(own git rev-parse --verify --quiet '@{upstream}' || own git rev-parse --verify origin/HEAD)}
    target=$(own git rev-parse --verify --quiet "$target^{commit}") || stop "there is no version $1"
    [ "$target" != "$(version)" ] || { say "this is the newest version already"; exit 0; }
    own git merge-base --is-ancestor HEAD "$target" || stop "$target is not newer than what is here; the way back is: make rollback FILE=..."
    own git log --oneline --no-decorate "HEAD..$target" | head -20
    all_units stop
    save
    if own git reset --quiet --keep "$target" && ready; then
        all_units start
        say "upgraded to $(own git describe --always --tags). The way back: make rollback FILE=$archive"
    else
        stop "this went wrong, see above. The way back: make rollback FILE=$archive"
    fi
}

back_with() { # archive
    [ -f "${1:-}" ] || stop "make rollback FILE=backups/muster-....tar.gz: which archive?"
    [ -f "$1.version" ] || stop "$1.version is missing, which names the version the archive was saved by"
    target=$(cat "$1.version")
    own git cat-file -e "$target^{commit}" 2>/dev/null || stop "the version $target is not in this clone"
    all_units stop
    save
    # Put in by the newer version, which knows what it has added since; readied by the older.
    own "$python" -m deploy.backup restore "$1" --replace
    own git reset --quiet --keep "$target"
    ready
    all_units start
    say "back at $(own git describe --always --tags), with the data of $1; what was there last is in $archive"
}

main() {
    [ -f manage.py ] || stop "call this in the folder of Muster"
    [ -z "$(own git status --porcelain --untracked-files=no)" ] || stop "files of Muster were changed here; git status names them. Put them back first."
    settings
    python=${VENV:-.venv}/bin/python
    case ${1:-} in
    to) go_to "${2:-}" ;;
    back) back_with "${2:-}" ;;
    *) stop "upgrade.sh to [VERSION], or: upgrade.sh back ARCHIVE" ;;
    esac
}

# In one piece, for git changes this file while it runs.
main "$@"
exit
