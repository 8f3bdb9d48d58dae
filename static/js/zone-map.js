// Painting on the map of the scenario form sets the fields of the zone; arrow keys move between zones.
"use strict";
(() => {
  const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -3, ArrowDown: 3 };
  const form = document.getElementById("scenario-form");

  const paint = (brush, zone) => {
    if (brush.startsWith("t:")) {
      form.elements[`t-${zone}`].value = brush.slice(2);
      form.elements.open.checked = false;
    } else if (brush === "key") {
      form.elements.key.value = form.elements.key.value === zone ? "" : zone;
    } else {
      const box = form.elements[`${brush}-${zone}`];
      box.checked = !box.checked;
    }
  };

  form.addEventListener("click", (event) => {
    const button = event.target.closest(".zone-button");
    if (!button || !window.htmx) return; // without htmx the button submits the form, and the server paints
    event.preventDefault();
    paint(form.elements.brush.value, button.value);
    form.dispatchEvent(new Event("change"));
  });

  form.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || !event.target.matches(".zone-button") || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const at = Number(event.target.value) - 1;
    const leavesRow = Math.abs(step) === 1 && Math.floor(at / 3) !== Math.floor((at + step) / 3);
    if (!leavesRow) document.getElementById(`zone-${at + step + 1}`)?.focus();
  });
})();
