// Plays a battle on its map: places the parts at the positions that the server has calculated, and shows the texts of
// each step. All steps are loaded at once. Without this script, links lead from step to step.
"use strict";
(() => {
  const root = document.querySelector("[data-map]");
  if (!root) return;
  const all = (selector) => [...root.querySelectorAll(selector)];
  const one = (selector) => root.querySelector(selector);
  let map, zones, closes, scrub, play, by, speed, full;
  let frames = [];
  let looks = null;
  let parts = null;
  let step = 0;
  let zone = 0;
  let timer = 0;
  let noting = 0;

  const query = (number, at) => `?step=${number}${at ? `&zone=${at}` : ""}`;

  const fromHash = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    return asked.has("step") ? { step: Number(asked.get("step")) || 1, zone: Number(asked.get("zone")) || 0 } : null;
  };

  // Set the value of a column: an attribute, or the text if it has none. Null changes nothing.
  const put = (part, [selector, attribute], value) => {
    if (value === null) return;
    const found = selector ? part.querySelector(selector) : part;
    if (!attribute) found.textContent = value;
    else found.setAttribute(attribute, value);
  };

  const draw = (frame) => {
    for (const [kind, columns] of Object.entries(looks.columns)) {
      parts[kind].forEach((part, at) => {
        const place = frame[kind][at];
        if (part.drawnPlace === place) return;
        part.drawnPlace = place;
        columns.forEach((column, number) => put(part, column, looks[kind][place][number]));
      });
    }
    for (const link of zones) {
      const number = Number(link.dataset.toZone);
      link.classList.toggle("is-chosen", number === (zone || frame.zone));
      link.setAttribute("href", `${query(step, number)}#map`);
    }
    for (const close of closes) close.hidden = Number(close.dataset.closeOf) !== zone;
    room();
  };

  // --unit is the number of drawing units per pixel, so that style sheets can keep labels readable at every size.
  // Scaled counters have their own; their data-room says whether there is room for the name or the tag.
  const ROOM = { name: 1.04, tag: 1.9 }; // the largest --unit at which each is readable
  const room = () => {
    for (const svg of all(".map__svg").filter(({ unit }) => unit)) {
      for (const chit of svg.querySelectorAll(".chit")) {
        const [, size] = /scale\(([\d.]+)/.exec(chit.getAttribute("transform")) ?? [];
        const unit = svg.unit / (size ?? 1);
        if (chit.unit === unit) continue;
        chit.unit = unit;
        chit.style.setProperty("--unit", unit.toFixed(3));
        chit.dataset.room = unit <= ROOM.name ? "name" : unit <= ROOM.tag ? "tag" : "none";
      }
    }
  };
  const fit = () => {
    for (const svg of all(".map__svg")) {
      const pixels = svg.getScreenCTM()?.a;
      if (!pixels) continue;
      svg.unit = 1 / pixels;
      svg.style.setProperty("--unit", svg.unit.toFixed(3));
      svg.dataset.room = svg.unit <= 1.44 ? "labels" : "none";
    }
    room();
  };
  const sizes = new ResizeObserver(fit);

  // htmx saves the page as HTML on leaving, and the content security policy blocks style attributes in restored HTML.
  document.addEventListener("htmx:beforeHistorySave", () => {
    for (const each of all(".map__svg, .chit, [data-tip]")) {
      each.removeAttribute("style");
      each.unit = 0;
    }
    queueMicrotask(fit);
  });

  // Show the name of the counter under the pointer.
  const point = (event) => {
    const tip = one("[data-tip]");
    if (!tip) return;
    tip.hidden = true;
    const { clientX: x, clientY: y } = event;
    if (event.type === "pointerleave" || !event.target.closest(".map__figure")) return;
    const near = all(".map__svg").flatMap((svg) =>
      [...svg.querySelectorAll(".chit")].map((chit, at) => {
        const faces = [...chit.querySelectorAll(".chit__face")].map((face) => face.getBoundingClientRect());
        const { left, top, width, height } = faces.find((face) => face.width) ?? { width: 0 };
        const [aside, above] = [Math.abs(x - left - width / 2), Math.abs(y - top - height / 2)];
        return { at, top, far: Math.hypot(aside, above), isOver: aside < width / 2 + 4 && above < height / 2 + 4 };
      })
    ).filter((each) => each.isOver).sort((one, other) => one.far - other.far)[0];
    if (!near) return;
    const sheet = tip.parentElement.getBoundingClientRect();
    tip.textContent = all('[data-part="units"]')[near.at]?.dataset.name ?? "";
    tip.hidden = !tip.textContent;
    const most = sheet.width - tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(most, x - sheet.left - tip.offsetWidth / 2))}px`;
    tip.style.top = `${near.top - sheet.top - tip.offsetHeight - 4}px`;
  };
  for (const type of ["pointermove", "pointerdown", "pointerleave"]) root.addEventListener(type, point);

  // Create an element with a class and contents.
  const create = (tag, name, ...inside) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...inside);
    return element;
  };

  const DICE = { "+": [" die--hit", " made"], "-": [" die--miss", " failed"] };
  const dieOf = (text) => {
    const face = Number.parseInt(text, 10);
    const [look, word] = DICE[text.at(-1)] || ["", ""];
    const isPlain = face >= 1 && face <= 6;
    const die = create("span", `die${look}${isPlain ? "" : " die--figure"}`);
    if (isPlain) die.dataset.face = face;
    else die.append(String(face));
    die.append(create("span", "vh", `${isPlain ? face : ""}${word} `));
    return die;
  };

  const ruleOf = (id) => {
    if (!looks.rules[id]) return create("span", "rule__id", id);
    const [title, text, origin, rulings] = looks.rules[id];
    const readings = rulings.map(([heading, reading]) =>
      create("p", "rule__ruling", create("b", "", heading), ` ${reading}`)
    );
    const source = create("p", "rule__source", origin);
    const inside = create("div", "rule__text", create("b", "", title), create("p", "", text), source, ...readings);
    inside.tabIndex = 0; // so that long texts can be scrolled by keyboard
    inside.setAttribute("role", "group");
    inside.setAttribute("aria-label", `Rule ${id}`);
    return create("details", "rule", create("summary", "rule__id", id), inside);
  };

  const events = (lines) => {
    const items = lines.map(([look, dice, sentence, mods, rule]) => {
      const text = create("span", "event__text", sentence);
      if (mods.length) text.append(create("ul", "mods", ...mods.map((mod) => create("li", "", mod))));
      const faces = create("span", "event__dice", ...dice.map(dieOf));
      return create(
        "li",
        `event${look && ` is-${look}`}`,
        faces,
        text,
        create("span", "event__rule", ...(rule ? [ruleOf(rule)] : [])),
      );
    });
    one("[data-events]").replaceChildren(...items);
    one("[data-events-part]").hidden = !lines.length;
  };

  const SIGHTS = ["✕", "✓"];
  const cellOf = (pair) => {
    if (!pair) return create("td", "", create("span", "vh", "not in contact"));
    const word = pair[3] < 0 ? "contact broken" : looks.bands[pair[3]];
    const sign = create("span", "", pair[3] < 0 ? "–" : word[0]);
    sign.setAttribute("aria-hidden", "true");
    const cell = create("td", "", sign, create("span", "vh", word));
    cell.dataset.band = pair[3] < 0 ? "broken" : pair[3];
    const sights = [4, 5].filter((at) => pair[at] >= 0).map((at) =>
      create("span", `sight sight--${at === 4 ? "a" : "b"}${pair[at] ? "" : " is-missed"}`, SIGHTS[pair[at]])
    );
    if (sights.length) cell.append(create("span", "bands__sights", ...sights));
    return cell;
  };

  // Show the range bands between the units in a zone; zone 0 is the whole battle if there is no map.
  const close = (frame) => {
    const box = one("[data-close]");
    const at = zone || frame.zone;
    if (!box || (looks.closes.length && !at)) return box?.replaceChildren();
    const pairs = frame.bands.filter((pair) => pair[0] === at);
    const rows = [...new Set(pairs.map((pair) => pair[1]))];
    const columns = [...new Set(pairs.map((pair) => pair[2]))];
    const head = (name, scope) => {
      const cell = create("th", "", name);
      cell.scope = scope;
      return cell;
    };
    const found = (row, column) => pairs.find((pair) => pair[1] === row && pair[2] === column);
    const lines = rows.map((row) =>
      create("tr", "", head(looks.names[row], "row"), ...columns.map((column) => cellOf(found(row, column))))
    );
    const heads = create("tr", "", create("td"), ...columns.map((column) => head(looks.names[column], "col")));
    const title = create("h3", "stencil", at ? looks.closes[at - 1] : "Range bands");
    title.id = "map-zone";
    const table = create("table", "bands", create("thead", "", heads), create("tbody", "", ...lines));
    const nobody = looks.bands.length ? [create("p", "muted", "No units in contact here.")] : [];
    box.replaceChildren(title, ...(pairs.length ? [create("div", "table-wrap", table)] : nobody));
  };

  const link = (which, number) => {
    const button = one(`[data-go="${which}"]`);
    if (!button) return;
    button.setAttribute("href", `${query(number, zone)}#map`);
    if (number === step) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  };

  const ahead = () => looks.moments.find((each) => each > step) ?? step;
  const back = () => looks.moments.findLast((each) => each < step) ?? step;

  const links = () => {
    for (const which of Object.keys(goes)) link(which, goes[which]());
  };

  const show = (number, at = zone) => {
    if (!frames.length) return;
    step = Math.max(1, Math.min(frames.length, Math.trunc(number) || 1));
    zone = at >= 0 && at <= zones.length ? at : 0;
    const frame = frames[step - 1];
    draw(frame);
    map.classList.add("is-live"); // set late, to avoid restyling pages that aren't played
    map.dataset.beat = step % 2;
    one("[data-map-title]").textContent = frame.title;
    one("[data-map-says]").textContent = frame.says;
    one("[data-map-number]").textContent = step;
    one("[data-end]")?.toggleAttribute("hidden", step < frames.length);
    scrub.value = step;
    scrub.setAttribute("aria-valuetext", `${step} of ${frames.length}: ${frame.title}`);
    links();
    const turns = all(".map__turns a");
    const here = turns.findLast((turn) => Number(turn.dataset.toStep) <= step);
    for (const turn of turns) {
      if (turn === here) turn.setAttribute("aria-current", "true");
      else turn.removeAttribute("aria-current");
    }
    events(frame.lines);
    close(frame);
    share();
    clearTimeout(noting);
    noting = setTimeout(note, 250);
  };

  // Update the links and downloads of the current step.
  const share = () => {
    for (const each of all("[data-share]")) {
      const kind = each.dataset.share;
      if (kind === "link") each.value = `${location.origin}${each.dataset.base}${query(step, zone)}#map`;
      else if (kind === "frame") {
        const from = `${location.origin}${each.dataset.base}${query(step, 0)}`;
        each.value = `<iframe src="${from}" title="Battle" width="800" height="720" allowfullscreen></iframe>`;
      } else each.href = each.href.replace(/step=\d+/, `step=${step}`);
    }
    for (const each of document.querySelectorAll("[data-step-field]")) each.value = step;
  };

  const SIZE = [1600, 1013];
  const png = async (from) => {
    const image = new Image(...SIZE);
    image.src = from;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: SIZE[0], height: SIZE[1] });
    canvas.getContext("2d").drawImage(image, 0, 0, ...SIZE);
    canvas.toBlob((blob) => {
      const link = Object.assign(document.createElement("a"), { download: `moment-${step}.png` });
      link.href = URL.createObjectURL(blob);
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    });
  };

  // Update the address only after a pause: browsers reload the page's icon at each change.
  const note = () => history.replaceState(history.state, "", `#step=${step}${zone ? `&zone=${zone}` : ""}`);

  // Return the number of the next or previous step, by step, phase or turn.
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
    back,
    ahead,
  };
  const go = (which) => {
    stop();
    show(goes[which]());
  };
  // In an iframe without `allowfullscreen` this does nothing.
  const whole = () =>
    (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen?.())?.catch(() => undefined);

  document.addEventListener("click", (event) => {
    if (!frames.length || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const target = event.target.closest('[data-go], [data-to-step], [data-to-zone], [data-share="png"]');
    if (!target) return;
    event.preventDefault();
    if (target.dataset.share) return png(target.href).catch(() => location.assign(target.href));
    if (target.dataset.toZone) {
      const chosen = Number(target.dataset.toZone);
      return show(step, chosen === zone ? 0 : chosen);
    }
    if (target.dataset.go) return go(target.dataset.go);
    stop();
    show(Number(target.dataset.toStep));
    if (target.closest(".map")) return;
    root.scrollIntoView({ block: "start" });
    root.focus({ preventScroll: true });
  });

  const acts = {
    ArrowLeft: () => go("prev"),
    ArrowRight: () => go("next"),
    n: () => go("ahead"),
    p: () => go("back"),
  };
  const early = []; // keys pressed before the frames were loaded, handled afterwards
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (target.closest("input, select, textarea, [contenteditable]")) return;
    if (!frames.length) return acts[event.key] && early.push(event.key);
    const isInside = root.contains(target);
    const act = {
      ...acts,
      f: whole,
      ...(isInside && { Home: () => go("first"), End: () => go("last") }),
      ...(isInside && !target.closest("button, summary") && { " ": toggle }),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  window.addEventListener("hashchange", () => {
    const asked = fromHash();
    if (asked) {
      stop();
      show(asked.step, asked.zone);
    }
  });

  const begin = () => {
    map = one(".map");
    zones = all(".map__svg [data-to-zone]");
    closes = all("[data-close-of]");
    [scrub, play, by, speed, full] = ["scrub", "play", "by", "speed", "full"].map((name) => one(`[data-${name}]`));
    step = Number(map.dataset.step);
    zone = Number(map.dataset.zone);
    play.addEventListener("click", toggle);
    full.addEventListener("click", whole);
    full.hidden = !document.fullscreenEnabled;
    scrub.addEventListener("input", () => {
      stop();
      show(Number(scrub.value));
    });
    by.addEventListener("change", links);
    sizes.disconnect();
    for (const svg of all(".map__svg")) sizes.observe(svg);
    fit();
    return fetch(map.dataset.frames).then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)));
  };
  const take = (found) => {
    looks = found;
    parts = Object.fromEntries(Object.keys(looks.columns).map((kind) => [kind, all(`[data-part="${kind}"]`)]));
    frames = found.frames;
    for (const hidden of all("[data-play], [data-scrub], [data-map-more]")) hidden.hidden = false;
    share();
  };

  // If the frames can't be loaded, the links still work, and readers at a live game's last step still get the next.
  const showLastStep = () => {
    if (step === Number(scrub.max)) step = frames.length;
  };

  // A new battle plays automatically until the reader takes over; meanwhile screen readers announce nothing.
  const playItself = () => {
    if (!root.closest("[data-plays]") || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const says = one("[data-map-says]");
    says.setAttribute("aria-live", "off");
    for (const type of ["keydown", "pointerdown"]) {
      root.addEventListener(type, () => says.setAttribute("aria-live", "polite"), { once: true });
    }
    toggle();
  };

  begin().then((found) => {
    take(found);
    const asked = fromHash();
    if (asked) {
      show(asked.step, asked.zone);
      root.scrollIntoView({ block: "start" });
    }
    for (const key of early) acts[key]();
    root.dataset.ready = "";
    if (!asked && !early.length && !location.search) playItself();
  }).catch(showLastStep);

  // A live game is updated at each act for readers at the last step; readers of earlier steps stay where they are.
  const FOCUS = ["play", "scrub", "by", "speed", "full", "go"];
  let before = null;
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.target === root && step !== frames.length) event.preventDefault();
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target !== root) return;
    stop();
    const at = document.activeElement;
    const name = root.contains(at) && FOCUS.find((each) => each in at.dataset);
    const open = all("details.fold, details.menu").map((each) => each.open);
    before = { at: name && `[data-${name}="${at.dataset[name]}"]`, open, by: by.value, speed: speed.value };
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target !== root || !before) return;
    const { at, open, ...chosen } = before;
    before = null;
    frames = [];
    begin().then((found) => {
      take(found);
      if (fromHash()) show(step);
      else links();
      if (at) one(at)?.focus({ preventScroll: true });
    }).catch(showLastStep);
    Object.assign(by, { value: chosen.by });
    Object.assign(speed, { value: chosen.speed });
    const folds = all("details.fold, details.menu");
    if (folds.length === open.length) folds.forEach((each, number) => each.open = open[number]);
  });
})();

// Keys for the text of a battle: j and k move from event to event, across rounds. Links do the same.
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
    const act = { j: () => toEvent(1), k: () => toEvent(-1) }[event.key];
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
