// A watch party: loads the stage when the next step is due by the server's clock, and nothing in between.
"use strict";
(() => {
  const root = document.querySelector("[data-watch-party]");
  if (!root) return;
  const stage = root.querySelector("[data-watch-party-stage]");
  const status = root.querySelector("[data-watch-party-status]");
  const lost = root.querySelector("[data-watch-party-lost]");
  const clock = root.querySelector("[data-watch-party-clock]");
  const SOON = 150; // ms to wait after a step is due
  const AGAIN = 1500; // ms between two tries while a step is overdue
  const FARTHEST = 60_000; // ms to wait at most, because the watch party may be moved
  let { state } = root.dataset;
  let due = performance.now() + Number(root.dataset.next);

  const left = () => {
    const seconds = Math.max(0, Math.ceil((due - performance.now()) / 1000));
    const days = Math.floor(seconds / 86_400);
    const two = (number) => String(number).padStart(2, "0");
    const hours = `${two(Math.floor(seconds / 3600) % 24)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
    return days ? `${days} d ${hours}` : hours;
  };

  const wait = (milliseconds) => {
    due = performance.now() + milliseconds;
    setTimeout(ask, milliseconds > 0 ? Math.min(milliseconds + SOON, FARTHEST) : AGAIN);
  };

  const show = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const found = page.querySelector("[data-watch-party-step]");
    if (!found) return location.reload();
    if (found.dataset.watchPartyState !== state) return location.reload();
    stage.replaceChildren(found);
    status.textContent = found.querySelector("[data-watch-party-text]").textContent;
  };

  const ask = async () => {
    const current = stage.querySelector("[data-watch-party-step]");
    const at = new URLSearchParams({ step: current?.dataset.watchPartyStep ?? "0", state });
    try {
      const answer = await fetch(`${root.dataset.watchParty}?${at}`, { cache: "no-store" });
      if (answer.status === 205 || answer.status === 404) return location.replace(root.dataset.over);
      if (!answer.ok) throw new Error(String(answer.status));
      lost.hidden = true;
      if (answer.status === 200) show(await answer.text());
      wait(Number(answer.headers.get("Premiere-Next")));
    } catch {
      lost.hidden = false;
      setTimeout(ask, AGAIN * 2);
    }
  };

  if (clock && state === "soon") {
    const tick = () => {
      clock.textContent = left();
    };
    clock.hidden = false;
    tick();
    setInterval(tick, 500);
  }
  stage.addEventListener("click", (event) => {
    if (event.target.closest("a[data-to-zone]")) event.preventDefault(); // the close view isn't on this page
  });
  wait(Number(root.dataset.next));
})();
