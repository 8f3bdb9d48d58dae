// The club display: turns its sheets automatically, polls for updates and shows when they stop. It never navigates.
"use strict";
(() => {
  const TURN = 12_000; // ms that each sheet is shown
  const ASK = 20_000;
  const SOON = 150; // ms to wait after a step is due
  const PATIENCE = 15_000; // ms to wait for one response
  const STALE = 90_000; // ms without a response until the page says so
  const holder = document.querySelector("[data-sheets]");
  const stale = document.querySelector("[data-stale]");
  const hold = document.querySelector("[data-hold]");
  const now = document.querySelector("[data-now]");
  let at = 0;
  let isHeld = false;
  let heard = Date.now();
  let turned = Date.now();

  const sheets = () => [...holder.querySelectorAll("[data-sheet]")];

  const show = () => {
    const all = sheets();
    at = all.length ? ((at % all.length) + all.length) % all.length : 0;
    all.forEach((sheet, place) => sheet.hidden = place !== at);
  };

  const turn = (by) => {
    at += by;
    turned = Date.now();
    show();
  };

  const timeLeft = (until) => {
    const seconds = Math.floor((until - Date.now()) / 1000);
    if (seconds <= 0) return "time is up";
    const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24];
    const two = (number) => String(number).padStart(2, "0");
    const clock = `${two(hours)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
    if (days > 1) return `${days} days ${hours} h`;
    return days === 1 ? `1 day ${hours} h` : clock;
  };

  const tick = () => {
    now.textContent = new Date().toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    for (const each of holder.querySelectorAll("[data-left]")) {
      const text = timeLeft(Date.parse(each.dateTime));
      if (each.textContent !== text) each.textContent = text;
    }
    if (!isHeld && Date.now() - turned >= TURN) turn(1);
    const isStale = Date.now() - heard > STALE;
    if (isStale) {
      const since = new Date(heard).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
      const text = `Not updated since ${since}`;
      if (stale.textContent !== text) stale.textContent = text;
    }
    stale.hidden = !isStale;
  };

  // Ignore responses that aren't this page in full: a proxy's error page, a sign-in page, a partial page.
  // `data-wall` keeps its name: displays that run an older script look for it, and reload if the version differs.
  const replaceSheets = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const found = page.querySelector("[data-wall]");
    if (!found || !found.querySelector("[data-sheet]")) return false;
    const known = holder.querySelector("[data-wall]");
    if (known && known.dataset.version !== found.dataset.version) {
      location.reload(); // the server now runs another version
      return true;
    }
    holder.replaceChildren(found);
    show();
    return true;
  };

  // During a watch party the page contains the time until the next step.
  const nextPause = () => {
    const again = Number(holder.querySelector("[data-wall]")?.dataset.again);
    return again ? Math.min(ASK, Math.max(1000, again + SOON)) : ASK;
  };

  const poll = async () => {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE);
    try {
      const answer = await fetch(holder.dataset.from, { cache: "no-store", signal: patience.signal });
      if (answer.ok && replaceSheets(await answer.text())) heard = Date.now();
    } catch {
      // try again after the pause
    } finally {
      clearTimeout(timer);
      setTimeout(poll, nextPause());
    }
  };

  const setHold = (held) => {
    isHeld = held;
    turned = Date.now();
    hold.setAttribute("aria-pressed", String(held));
    hold.textContent = held ? "Resume" : "Pause";
  };

  const keepAwake = async () => {
    if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    try {
      await navigator.wakeLock.request("screen");
    } catch {
      // refused: the device's own settings apply
    }
  };

  document.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight") turn(1);
    if (event.key === "ArrowLeft") turn(-1);
    if (event.key === " " && !event.target.closest("button")) {
      event.preventDefault();
      setHold(!isHeld);
    }
  });
  document.querySelector("[data-on]").addEventListener("click", () => turn(1));
  document.querySelector("[data-back]").addEventListener("click", () => turn(-1));
  hold.addEventListener("click", () => setHold(!isHeld));
  for (const button of document.querySelectorAll(".club-display__button")) button.hidden = false;
  document.addEventListener("visibilitychange", keepAwake);
  document.documentElement.classList.add("is-turning");
  show();
  tick();
  setInterval(tick, 1000);
  setTimeout(poll, nextPause());
  keepAwake();
})();
