// The map of a scenario's form: arrow keys walk over the zones, and painting keeps folds open and the focus where it was.
"use strict";
(() => {
  const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -3, ArrowDown: 3 };
  const zone = (number) => document.getElementById(`zone-${number}`);

  document.addEventListener("keydown", (event) => {
    const here = event.target.closest?.("button.zone");
    const step = STEPS[event.key];
    if (!here || !step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const at = Number(here.value);
    const leavesRow = Math.abs(step) === 1 && Math.floor((at - 1) / 3) !== Math.floor((at + step - 1) / 3);
    if (!leavesRow) zone(at + step)?.focus();
  });

  let focused = "";
  let unfolded = false;
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const active = document.activeElement;
    if (active?.id && event.detail.target.contains(active)) focused = active.id;
    if (event.detail.target.id === "zone-fields") unfolded = event.detail.target.querySelector("details").open;
  });
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.detail.target.id === "zone-fields") document.querySelector("#zone-fields details").open = unfolded;
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    focused = "";
  });
})();
