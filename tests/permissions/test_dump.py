import os
import pytest
from tests.permissions.walk import *
from tests.permissions.world import the_world

pytestmark = pytest.mark.django_db
CASES = {}


def cases_of(route):
    n = route.split(":")[-1]
    r = route
    if r in (
        "rosters:company",
        "rosters:company_ledger",
        "rosters:company_export",
        "rosters:print-company",
        "rosters:unit",
        "rosters:pilot",
        "rosters:company_clone",
        "api-company",
        "api-company-export",
    ):
        return ["company", "private", "link", "link?key", "public"]
    if r in ("rosters:design_published", "rosters:print-published"):
        return ["published"]
    if n in ("design", "design_share", "design_clone", "design_delete", "print-design", "api-design"):
        return ["private-design", "public-design"]
    if n == "token_revoke":
        return ["token"]
    if n.startswith("print-") and n not in ("print-lab",):
        return ["print-job"]
    if n in ("print-lab",):
        return ["-"]
    if r.startswith("battles:what-if-") or r == "api-what-if":
        return ["what-if"]
    if r in ("battles:matrix", "battles:matrix-progress", "api-matrix"):
        return ["matrix"]
    if r.startswith("battles:forecast") or r in ("battles:what-if", "api-forecast", "api-what-ifs"):
        return ["odds"]
    if r in (
        "battles:battle",
        "battles:battle-progress",
        "battles:record",
        "battles:report",
        "battles:again",
        "battles:battle-odds",
        "battles:battle-call-off",
        "battles:effects",
        "api-battle",
        "api-battle-record",
    ):
        return ["private-battle", "link-battle", "public-battle"]
    names = argn(route)
    if "slug" in names:
        if "member_pk" in names or n in ("api-member", "api-club-hand-over"):
            k = "member"
        elif "request_pk" in names or n == "api-request":
            k = "request"
        elif "key" in names:
            k = "invitation"
        else:
            k = "club"
        return [f"public-{k}", f"hidden-{k}"]
    if n in ("join", "api-invitation"):
        return ["public-invitation", "hidden-invitation", "public-named-invitation"]
    if r.startswith("campaigns:") or r.startswith("api-"):
        if "enrolment_pk" in names:
            return ["public-enrolment", "hidden-enrolment"]
        if "ruling_pk" in names:
            return ["public-ruling", "hidden-ruling"]
        if "number" in names:
            return ["public-round", "hidden-round", "public-planned-round"]
        if "key" in names:
            b = ["public-match", "hidden-match", "public-planned"]
            return b + (
                ["public-reported", "public-decided"]
                if n not in ("match", "match_forces", "match_refuse")
                else ["public-decided"]
            )
        if names == ("pk",) and r not in ("campaigns:loan",) and not n.startswith("api-") or n == "api-rulings":
            return ["public-campaign", "hidden-campaign", "public-draft-campaign"]
    if names:
        return ["system"] if names == ("system",) else ["company"]
    return ["-"]


from tests.permissions.walk import _argument_names


def argn(route):
    a = _argument_names(route)
    return a[0] if a else ()


def test_dump():
    w = the_world()
    clients = {r: client_of(w, r) for r in ROLES}
    for c in clients.values():
        c.raise_request_exception = False
    out = []
    seen = []
    for route in sorted(routes()):
        for case in cases_of(route):
            try:
                path = address(route, w.cases[case])
            except Exception as e:
                out.append(f"# {route} {case} {e!r}")
                continue
            for m in METHODS:
                if m in ("PUT", "PATCH", "DELETE") and not path.startswith("/api/"):
                    continue
                pat = ""
                for role in ROLES:
                    a, body = ask(clients[role], m, path)
                    pat += outcome(a)
                    for s in w.secrets | {"Hushed Heron"}:
                        if s in body:
                            seen.append((role, m, path, s[:12]))
                if "5" not in pat:
                    out.append(f"{route:32} {case:26} {m:6} {pat}")
    open("/tmp/dump.txt", "w").write("\n".join(out) + "\n\n" + "\n".join(map(str, seen)))
