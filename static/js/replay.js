// Steps through a battle by keyboard: left and right between rounds, j and k between events. Links do the same.
"use strict";
(() => {
  const replay = () => document.querySelector("[data-replay]");
  const typing = (target) => target.closest("input, select, textarea, [contenteditable]");
  let focusHead = false;

  const toRound = (which) => {
    const link = replay()?.querySelector(`[data-step="${which}"]`);
    if (!link) return;
    focusHead = true;
    link.click();
  };

  const toEvent = (by) => {
    const events = [...(replay()?.querySelectorAll(".event") ?? [])];
    if (!events.length) return;
    const here = events.findIndex((event) => event.classList.contains("is-here"));
    const next = here < 0 ? (by > 0 ? 0 : events.length - 1) : here + by;
    if (next < 0) return toRound("prev");
    if (next >= events.length) return toRound("next");
    events[here]?.classList.remove("is-here");
    events[next].classList.add("is-here");
    events[next].focus({ preventScroll: true });
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    events[next].scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || typing(event.target) || !replay()) return;
    const hasMap = document.querySelector("[data-map]"); // there the arrows step through the map
    const act = {
      ...(!hasMap && { ArrowLeft: () => toRound("prev"), ArrowRight: () => toRound("next") }),
      j: () => toEvent(1),
      k: () => toEvent(-1),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  document.addEventListener("htmx:afterSettle", () => {
    if (!focusHead) return;
    focusHead = false;
    const head = replay()?.querySelector("#round-head");
    head?.focus({ preventScroll: true });
    head?.scrollIntoView({ block: "start" });
  });
})();
