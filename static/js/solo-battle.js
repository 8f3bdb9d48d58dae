// Keys of a solo battle: digits answer, Enter answers as the AI would, u undoes.
"use strict";
(() => {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest("input, select, textarea")) return;
    const play = document.querySelector("#hand");
    if (!play || play.querySelector(".htmx-request")) return;
    const onControl = event.target.closest("button, a, summary");
    const wanted = event.key === "Enter"
      ? !onControl && play.querySelector("[data-doctrine]")
      : /^[1-9u]$/.test(event.key) && play.querySelector(`[data-key="${event.key}"]`);
    if (!wanted) return;
    event.preventDefault();
    wanted.click();
  });
  document.addEventListener("htmx:afterSwap", () => {
    document.querySelector("[data-question]")?.focus({ preventScroll: true });
    document.querySelector("#hand")?.scrollIntoView({ block: "start" });
  });
})();
