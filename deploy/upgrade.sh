#!/bin/sh
# Brings a Muster to a newer version and, with what was saved before, back:
#   upgrade.sh to [VERSION]     stops it, saves it, goes to the newest version of its branch or to this commit or tag, readies it, starts it
#   upgrade.sh back ARCHIVE     the way back: saves what is there, puts that archive and the version it was saved by in its place
#   upgrade.sh with COMMAND...  a command with the settings of the site, such as: .venv/bin/python manage.py check --deploy
# Settings come from the environment, and from MUSTER_ENV_FILE (default: /etc/muster.env, where it is). As root it stops and
# starts the units of deploy/, and does all else as the owner of the folder; otherwise stopping and starting is yours.
set -eu
PATH=$PATH:/usr/sbin:/sbin # where runuser is, which cron does not look for

say() { printf 'muster: %s\n' "$*"; }
stop() { printf 'muster: %s\n' "$*" >&2; exit 1; }
units="muster-web muster-worker muster-print muster-beat"
asks='
import os, urllib.request
bind = (os.environ.get("MUSTER_BIND") or "127.0.0.1").strip("[]")
host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bind, bind)
port = os.environ.get("MUSTER_PORT") or "8000"
urllib.request.urlopen(f"http://[{host}]:{port}/healthz" if ":" in host else f"http://{host}:{port}/healthz", timeout=5)'

trim() { # remove blanks and a carriage return from both ends
    set -- "${1#"${1%%[![:space:]]*}"}"
    printf '%s' "${1%"${1##*[![:space:]]}"}"
}
settings() { # as systemd reads them: a value may hold blanks and signs, quotes around it are none of it, and nothing is put in
    file=${MUSTER_ENV_FILE:-/etc/muster.env}
    [ -e "$file" ] || return 0
    [ -r "$file" ] || stop "can't read the settings in $file; call this as root, or say MUSTER_ENV_FILE=/dev/null for a Muster without them"
    while IFS= read -r line || [ -n "$line" ]; do
        line=$(trim "$line")
        case $line in
        [A-Z]*=*) ;;
        *) continue ;;
        esac
        value=$(trim "${line#*=}")
        case $value in
        \"*\") value=${value#\"} value=${value%\"} ;;
        \'*\') value=${value#\'} value=${value%\'} ;;
        esac
        export "$(trim "${line%%=*}")=$value"
    done <"$file"
}
is_root() { [ "$(id -u)" = 0 ]; }
owner() { stat -c %U .; }
own() { # a command, as the owner of the folder
    if is_root && [ "$(owner)" != root ]; then runuser -u "$(owner)" -- "$@"; else "$@"; fi
}
has_units() { is_root && command -v systemctl >/dev/null && systemctl cat muster-web.service >/dev/null 2>&1; }
in_use() { # the units that are enabled, run, or ran before an upgrade that was broken off; what is only installed stays as it is
    has_units || return 0
    for unit in $units; do
        if systemctl is-enabled --quiet "$unit.service" 2>/dev/null || systemctl is-active --quiet "$unit.service" ||
            grep -qsw "$unit" "$stopped"; then
            printf '%s ' "$unit"
        fi
    done
}
all_units() { # stop or start
    if [ -n "$used" ]; then
        own sh -c 'printf "%s\n" "$1" >"$2"' sh "$used" "$stopped"
        # shellcheck disable=SC2086  # a list of units
        systemctl "$1" $used
        [ "$1" = stop ] || own rm -f "$stopped"
    elif [ "$1" = start ]; then
        say "start Muster again, for this is not root, or no unit is enabled"
    elif own "$python" -c "$asks" 2>/dev/null; then
        stop "Muster is running; stop it first, for this is not root, or no unit is enabled"
    fi
}
bring_units() { # the new version's units in the place of copies of older ones; what was changed here is left alone
    brought=
    has_units || return 0
    for file in deploy/muster-*.service deploy/muster-*.timer; do
        unit=${file#deploy/}
        there=$(systemctl show --property=FragmentPath --value "$unit" 2>/dev/null) || continue
        if [ ! -f "$there" ] || cmp -s "$file" "$there"; then continue; fi # not installed, or the same
        copied=$(own git hash-object --stdin <"$there")
        if own git rev-list --objects --all -- "$file" | grep -q "^$copied "; then
            cat "$file" >"$there"
            brought="$brought $unit"
            say "brought $there, as this version has it"
        else
            say "$there was changed here and was left alone. Compare: diff $there $PWD/$file. Lines of your own are safe in: systemctl edit $unit"
        fi
    done
    systemctl daemon-reload
    if [ -f deploy/muster-beat.service ]; then # an older version, whose worker does neither
        for unit in muster-beat muster-print; do
            systemctl cat "$unit.service" >/dev/null 2>&1 ||
                say "this version needs $unit too: cp deploy/$unit.service /etc/systemd/system/; systemctl enable --now $unit"
        done
    elif [ -f /etc/systemd/system/muster-beat.service ]; then
        say "muster-worker keeps the timer now. Take the old unit away: systemctl disable --now muster-beat; rm /etc/systemd/system/muster-beat.service"
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
packages() { own deploy/bootstrap.sh run; }
prepare() { own "$python" -m deploy.prepare --no-demo --serve; } # rules are compiled by the workers, once they are started

go_to() { # [version]
    begun=$(own git rev-parse --git-dir)/muster-upgrade # the archive of an upgrade that is under way
    if [ -s "$begun" ]; then
        archive=$(cat "$begun")
        say "an upgrade to $(own git describe --always --tags) was broken off, and is brought to its end"
        all_units stop
        finish
        return
    fi
    own git fetch --quiet --tags
    target=${1:-$(own git rev-parse --verify --quiet '@{upstream}' || own git rev-parse --verify origin/HEAD)}
    target=$(own git rev-parse --verify --quiet "$target^{commit}") || stop "there is no version $1"
    before=$(version)
    if [ "$target" = "$before" ]; then
        say "this is the newest version already"
        bring_units
        [ -z "$brought" ] || say "restart them: systemctl restart$brought"
        exit 0
    fi
    own git merge-base --is-ancestor HEAD "$target" || stop "$target is not newer than what is here; the way back is: make rollback FILE=..."
    own git --no-pager log --max-count=20 --oneline --no-decorate "HEAD..$target"
    more=$(($(own git rev-list --count "HEAD..$target") - 20))
    [ "$more" -le 0 ] || say "and $more more"
    all_units stop
    save
    own sh -c 'printf "%s\n" "$1" >"$2"' sh "$archive" "$begun"
    own git reset --quiet --keep "$target"
    finish
}

finish() { # an upgrade whose version lies here already
    if ! packages; then
        if [ -n "${before:-}" ] && own git reset --quiet --keep "$before" && packages; then
            own rm -f "$begun"
            all_units start
            stop "its packages could not be installed, see above; this is the version from before again, and nothing was changed"
        fi
        stop "its packages could not be installed, see above. Once they can be: make upgrade again"
    fi
    prepare || stop "this went wrong, see above. The way back: make rollback FILE=$archive"
    own rm -f "$begun"
    bring_units
    all_units start
    say "upgraded to $(own git describe --always --tags). The way back: make rollback FILE=$archive"
}

back_with() { # archive
    [ -f "${1:-}" ] || stop "make rollback FILE=backups/muster-....tar.gz: which archive?"
    [ -f "$1.version" ] || stop "$1.version is missing, which names the version the archive was saved by"
    target=$(cat "$1.version")
    own git cat-file -e "$target^{commit}" 2>/dev/null || stop "the version $target is not in this clone"
    all_units stop
    save
    # Put in by the newer version, which knows what it has added since; readied by the older.
    if ! own "$python" -m deploy.backup restore "$1" --replace; then
        all_units start
        stop "the archive could not be put back, see above; all is as it was"
    fi
    own rm -f "$(own git rev-parse --git-dir)/muster-upgrade"
    if ! { own git reset --quiet --keep "$target" && packages && prepare; }; then
        stop "this went wrong, see above, and Muster is stopped. Once it is fixed: make rollback FILE=$1 again; what was there last is in $archive"
    fi
    bring_units
    all_units start
    say "back at $(own git describe --always --tags), with the data of $1; what was there last is in $archive"
}

main() {
    [ -f manage.py ] || stop "call this in the folder of Muster"
    settings
    if [ "${1:-}" = with ] && [ $# -gt 1 ]; then
        shift
        own "$@"
        exit
    fi
    [ -z "$(own git status --porcelain --untracked-files=no)" ] || stop "files of Muster were changed here. Put them back first:
$(own git status --short --untracked-files=no)"
    python=${VENV:-.venv}/bin/python
    stopped=$(own git rev-parse --git-dir)/muster-upgrade-units # those that an upgrade under way has stopped
    used=$(in_use)
    case ${1:-} in
    to) go_to "${2:-}" ;;
    back) back_with "${2:-}" ;;
    *) stop "upgrade.sh to [VERSION], or: upgrade.sh back ARCHIVE, or: upgrade.sh with COMMAND..." ;;
    esac
}

# In one piece, for git changes this file while it runs.
main "$@"
exit
