// Plays a battle on its drawing: puts its parts where the server has worked out that they lie.
// Links do the same without it.
"use strict";
(() => {
  const root = document.querySelector("[data-map]");
  if (!root) return;
  const all = (selector) => [...root.querySelectorAll(selector)];
  const one = (selector) => root.querySelector(selector);
  const zones = all("[data-to-zone]");
  const scrub = one("[data-scrub]");
  const play = one("[data-play]");
  const by = one("[data-by]");
  const speed = one("[data-speed]");
  let frames = [];
  let looks = null;
  let parts = null;
  let step = Number(root.dataset.step);
  let zone = Number(root.dataset.zone);
  let timer = 0;
  let asking = 0;

  const query = (number, at) => `?step=${number}${at ? `&zone=${at}` : ""}`;

  const fromHash = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    return asked.has("step") ? { step: Number(asked.get("step")) || 1, zone: Number(asked.get("zone")) || 0 } : null;
  };

  // Puts a value where a column says: into an attribute, or without one as text; null leaves what is there.
  const put = (part, [selector, attribute], value) => {
    if (value === null) return;
    const found = selector ? part.querySelector(selector) : part;
    if (!attribute) found.textContent = value;
    else found.setAttribute(attribute, attribute === "href" ? `${root.dataset.counters}#${value}` : value);
  };

  const draw = (frame) => {
    for (const [kind, columns] of Object.entries(looks.columns)) {
      parts[kind].forEach((part, at) => {
        const row = looks[kind][frame[kind][at]];
        columns.forEach((column, place) => put(part, column, row[place]));
      });
    }
    for (const link of zones) {
      const number = Number(link.dataset.toZone);
      link.classList.toggle("is-chosen", number === (zone || frame.zone));
      link.setAttribute("href", `${query(step, number)}#map`);
    }
  };

  const panel = () => {
    clearTimeout(asking);
    asking = setTimeout(() => {
      const url = root.dataset.url + query(step, zone);
      window.htmx.ajax("GET", url, { source: root, target: "#map-panel", swap: "outerHTML" });
    }, 180);
  };

  const link = (which, number) => {
    const button = one(`[data-go="${which}"]`);
    const isHere = number === step;
    button.setAttribute("href", `${query(number, zone)}#map`);
    if (isHere) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  };

  const show = (number, at = zone) => {
    if (!frames.length) return;
    step = Math.max(1, Math.min(frames.length, Math.trunc(number) || 1));
    zone = at >= 0 && at <= zones.length ? at : 0;
    const frame = frames[step - 1];
    draw(frame);
    one("[data-map-title]").textContent = frame.title;
    one("[data-map-says]").textContent = frame.says;
    one("[data-map-number]").textContent = step;
    scrub.value = step;
    scrub.setAttribute("aria-valuetext", `${step} of ${frames.length}: ${frame.title}`);
    link("first", 1);
    link("prev", stepped(-1));
    link("next", stepped(1));
    link("last", frames.length);
    const turns = all(".map__turns a");
    const here = turns.findLast((turn) => Number(turn.dataset.toStep) <= step);
    for (const turn of turns) {
      if (turn === here) turn.setAttribute("aria-current", "true");
      else turn.removeAttribute("aria-current");
    }
    history.replaceState(history.state, "", `#step=${step}${zone ? `&zone=${zone}` : ""}`);
    panel();
  };

  // The number of the step that lies one step, phase or turn on.
  const stepped = (way) => {
    const unit = by.value;
    const last = frames.length;
    if (!unit) return Math.max(1, Math.min(last, step + way));
    let at = step - 1;
    if (way > 0) {
      while (at < last - 1 && frames[at][unit] === frames[step - 1][unit]) at += 1;
      return at + 1;
    }
    const isFirst = at === 0 || frames[at - 1][unit] !== frames[at][unit];
    if (isFirst && at > 0) at -= 1;
    while (at > 0 && frames[at - 1][unit] === frames[at][unit]) at -= 1;
    return at + 1;
  };

  const stop = () => {
    clearTimeout(timer);
    timer = 0;
    play.setAttribute("aria-pressed", "false");
    one("[data-play-word]").textContent = "Play";
  };
  const tick = () => {
    show(stepped(1));
    if (step >= frames.length) return stop();
    timer = setTimeout(tick, Number(speed.value));
  };
  const toggle = () => {
    if (timer) return stop();
    if (step >= frames.length) show(1);
    play.setAttribute("aria-pressed", "true");
    one("[data-play-word]").textContent = "Pause";
    timer = setTimeout(tick, Number(speed.value));
  };

  const goes = {
    first: () => 1,
    prev: () => stepped(-1),
    next: () => stepped(1),
    last: () => frames.length,
  };

  document.addEventListener("click", (event) => {
    if (!frames.length || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const target = event.target.closest("[data-go], [data-to-step], [data-to-zone]");
    if (!target) return;
    event.preventDefault();
    if (target.dataset.toZone) {
      const chosen = Number(target.dataset.toZone);
      return show(step, chosen === zone ? 0 : chosen);
    }
    stop();
    show(target.dataset.go ? goes[target.dataset.go]() : Number(target.dataset.toStep));
    if (!root.contains(target)) {
      root.scrollIntoView({ block: "start" });
      root.focus({ preventScroll: true });
    }
  });

  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (!frames.length || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (target.closest("input, select, textarea, [contenteditable]")) return;
    const isInside = root.contains(target);
    const act = {
      ArrowLeft: () => {
        stop();
        show(stepped(-1));
      },
      ArrowRight: () => {
        stop();
        show(stepped(1));
      },
      ...(isInside && {
        Home: () => {
          stop();
          show(1);
        },
        End: () => {
          stop();
          show(frames.length);
        },
      }),
      ...(isInside && !target.closest("button, summary") && { " ": toggle }),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  play.addEventListener("click", toggle);
  scrub.addEventListener("input", () => {
    stop();
    show(Number(scrub.value));
  });
  by.addEventListener("change", () => {
    link("prev", stepped(-1));
    link("next", stepped(1));
  });
  window.addEventListener("hashchange", () => {
    const asked = fromHash();
    if (asked) {
      stop();
      show(asked.step, asked.zone);
    }
  });

  fetch(root.dataset.frames).then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status))).then(
    (found) => {
      looks = found;
      parts = Object.fromEntries(Object.keys(looks.columns).map((kind) => [kind, all(`[data-part="${kind}"]`)]));
      frames = found.frames;
      for (const hidden of all("[data-play], [data-map-more], [data-map-hint]")) hidden.hidden = false;
      one(".map").classList.add("is-live");
      const asked = fromHash();
      if (asked) {
        show(asked.step, asked.zone);
        root.scrollIntoView({ block: "start" });
      }
      root.dataset.ready = "";
    },
  ).catch(() => {/* the links still work */});
})();
