// Editing the table drawing of the scenario form changes the rows of numbers that it submits; the server draws them.
"use strict";
(() => {
  const stage = document.querySelector("[data-inch-stage]");
  const form = stage?.closest("form");
  if (!form || !window.htmx) return;
  const one = (selector) => form.querySelector(selector);
  const [here, undo, rows] = [one("[data-inch-here]"), one("[data-inch-undo]"), one("[data-inch-pieces]")];
  const rim = Number(stage.dataset.rim); // width of the edge around the table, as a share of the drawing
  const most = Number(stage.dataset.most);
  const NEAR = 0.05; // tolerance in inches when finding a piece's mirror image
  const REACH = 1.25; // inches around a control point that count as a hit
  const radii = JSON.parse(stage.dataset.radii || "{}"); // of kinds with a fixed radius
  const pointName = stage.dataset.pointName;
  const TICKS = ["breaks", "top", "roof"]; // checkboxes of a piece
  let past = [];
  const drawing = () => stage.querySelector("svg");
  const table = () => Number(stage.querySelector("[data-table-in]").dataset.tableIn); // drawn size in inches
  // Positions of the points whose rows are empty.
  const printed = () => JSON.parse(stage.querySelector("[data-table-in]").dataset.printed || "null");
  let cursor = { x: table() / 2, y: table() / 2 };
  let held = null; // the thing being moved, and its start position

  const brush = () => form.elements.brush.value;
  const snapped = (value) => Math.min(table(), Math.max(0, Math.round(value * 2) / 2));
  const opposite = ({ x, y }) => ({ x: table() - x, y: table() - y });
  const field = (thing, name) => form.elements[`${thing.what}-${thing.number}-${name}`];

  // --- the rows -----------------------------------------------------------------------------------------------------

  const read = (what, number) => {
    const thing = { what, number };
    const figure = (name) => {
      const text = field(thing, name).value;
      return text === "" ? NaN : Number(text);
    };
    [thing.x, thing.y] = [figure("x"), figure("y")];
    if (what === "piece") {
      thing.kind = field(thing, "kind").value;
      thing.radius = field(thing, "radius") ? figure("radius") : radii[thing.kind];
    } else if (!isPlaced(thing) && printed()) {
      [thing.x, thing.y] = printed()[number - 1];
    }
    return thing;
  };
  const isPlaced = (thing) => Number.isFinite(thing.x) && Number.isFinite(thing.y);
  const numbers = (what) => [...form.querySelectorAll(`[data-${what}]`)].map((row) => Number(row.dataset[what]));
  const points = () => {
    const all = numbers("point");
    return all.slice(0, printed() ? printed().length : all.length).map((number) => read("point", number));
  };
  const pieces = () => numbers("piece").map((number) => read("piece", number));
  const isPiece = (thing) => thing.kind && thing.kind !== "gone" && isPlaced(thing);

  const pointCalled = (thing) => numbers("point").length > 1 ? `${pointName} ${thing.number}` : pointName;
  const describe = (thing) => {
    const at = `(${thing.x}, ${thing.y})`;
    if (thing.what === "point") return `${pointCalled(thing)} ${at}`;
    const kind = field(thing, "kind");
    return `Piece ${thing.number}, ${kind.options[kind.selectedIndex].text}, ${at}, radius ${thing.radius}`;
  };

  const place = (thing, { x, y }) => {
    field(thing, "x").value = x;
    field(thing, "y").value = y;
  };

  const freeRow = () => {
    const free = pieces().find((each) => !each.kind && !isPlaced(each));
    if (free) return free;
    const number = Math.max(0, ...numbers("piece")) + 1;
    if (number > most) return null;
    const row = one("[data-inch-blank]").content.firstElementChild.cloneNode(true);
    row.dataset.piece = number;
    for (const each of row.querySelectorAll("[name]")) each.name = each.name.replace("piece-0-", `piece-${number}-`);
    for (const each of row.querySelectorAll(".vh, [data-piece-number]")) {
      each.textContent = each.textContent.replace("0", number);
    }
    rows.append(row);
    return { what: "piece", number };
  };

  const snapshot = () =>
    [...numbers("point").map((n) => ["point", n]), ...numbers("piece").map((n) => ["piece", n])]
      .flatMap(([what, number]) =>
        [...form.querySelectorAll(`[data-${what}="${number}"] [name]`)]
          .map((each) => [each.name, each.type === "checkbox" ? each.checked : each.value])
      );

  const undoLast = () => {
    const before = new Map(past.pop() || []);
    for (const each of form.querySelectorAll("[data-point] [name], [data-piece] [name]")) {
      const was = before.get(each.name);
      if (each.type === "checkbox") each.checked = Boolean(was);
      else each.value = was === undefined ? "" : was;
    }
    undo.disabled = !past.length;
    here.textContent = "Undone.";
    form.dispatchEvent(new Event("change"));
  };

  // --- changes ------------------------------------------------------------------------------------------------------

  const thingAt = ({ x, y }, reach) => {
    const away = (thing) => Math.hypot(thing.x - x, thing.y - y);
    const point = points().filter(isPlaced).find((each) => away(each) <= Math.max(REACH, reach));
    if (point) return point;
    const found = pieces().filter(isPiece).filter((each) => away(each) <= Math.max(each.radius || 0, reach));
    return found.sort((a, b) => away(a) - away(b))[0] || null;
  };

  // Return the thing's mirror image if the two are moved and removed together, else null.
  const twin = (thing) => {
    if (!one("[data-inch-mirror]").checked) return null;
    const spot = opposite(thing);
    const all = thing.what === "point" ? points() : pieces().filter((each) => each.kind === thing.kind);
    return all.find((each) =>
      each.number !== thing.number && Math.abs(each.x - spot.x) < NEAR && Math.abs(each.y - spot.y) < NEAR
    ) || null;
  };

  const putPiece = (kind, spot) => {
    const row = freeRow();
    if (!row) return null;
    field(row, "kind").value = kind;
    place(row, spot);
    if (field(row, "radius")) field(row, "radius").value = one("[data-inch-radius]").value || 2;
    for (const tick of TICKS) if (field(row, tick)) field(row, tick).checked = tick === "breaks" && kind === "low";
    return read("piece", row.number);
  };

  // Place the first control point without a position there, else move the nearest one.
  const putPoint = (spot) => {
    const all = points();
    if (!all.length) return null;
    const away = (each) => Math.hypot(each.x - spot.x, each.y - spot.y);
    const point = all.find((each) => !isPlaced(each)) || all.sort((a, b) => away(a) - away(b))[0];
    const other = isPlaced(point) ? twin(point) : null;
    place(point, spot);
    if (other) place(other, opposite(spot));
    return read("point", point.number);
  };

  const takeAway = (thing) => {
    for (const each of [thing, twin(thing)]) {
      if (!each) continue;
      place(each, { x: "", y: "" });
      if (each.what === "piece") field(each, "kind").value = "";
    }
  };

  const changed = (before, words) => {
    past = [...past.slice(-99), before];
    undo.disabled = false;
    here.textContent = words;
    form.dispatchEvent(new Event("change"));
  };

  const applyTool = (spot, reach) => {
    const before = snapshot();
    const tool = brush();
    if (tool === "away") {
      const thing = thingAt(spot, reach);
      if (!thing) return void (here.textContent = `Nothing lies at (${spot.x}, ${spot.y}).`);
      const words = thing.what === "point" && printed()
        ? `${pointCalled(thing)} is as printed.`
        : `${describe(thing)} is removed.`;
      takeAway(thing);
      return changed(before, words);
    }
    if (tool === "point") {
      const point = putPoint(spot);
      if (!point) return void (here.textContent = "This scenario has no objective to place.");
      return changed(before, `${describe(point)}.`);
    }
    const put = putPiece(tool, spot);
    if (!put) return void (here.textContent = `A table has ${most} pieces at most.`);
    const other = opposite(spot);
    const isMiddle = Math.abs(other.x - spot.x) < NEAR && Math.abs(other.y - spot.y) < NEAR;
    if (one("[data-inch-mirror]").checked && !isMiddle) putPiece(tool, other);
    changed(before, `${describe(put)}.`);
  };

  const grab = (spot, reach) => {
    const thing = thingAt(spot, reach);
    held = thing && { thing, other: twin(thing), before: snapshot(), from: { x: thing.x, y: thing.y } };
    here.textContent = thing ? `${describe(thing)}.` : `Nothing lies at (${spot.x}, ${spot.y}).`;
  };

  const drag = (spot) => {
    place(held.thing, spot);
    if (held.other) place(held.other, opposite(spot));
    held.thing = read(held.thing.what, held.thing.number);
    mark(held.thing);
    here.textContent = `${describe(held.thing)}.`;
  };

  const release = () => {
    if (!held) return;
    const { thing, before, from } = held;
    held = null;
    ghost.hidden = true;
    if (thing.x !== from.x || thing.y !== from.y) changed(before, `${describe(thing)}.`);
  };

  // --- marks over the drawing ---------------------------------------------------------------------------------------

  const marker = (name) => {
    const found = document.createElement("span");
    found.className = `inch-mark inch-mark--${name}`;
    stage.append(found);
    return found;
  };
  const ghost = marker("ghost");
  const spotter = marker("cursor");
  ghost.hidden = true;

  const inch = () => drawing().clientWidth * (1 - 2 * rim) / table();
  const put = (element, { x, y }) => {
    const edge = drawing().clientWidth * rim;
    element.style.left = `${edge + x * inch()}px`;
    element.style.top = `${edge + (table() - y) * inch()}px`;
  };
  const mark = (thing) => {
    ghost.hidden = false;
    put(ghost, thing);
    ghost.style.width = ghost.style.height = `${2 * (thing.radius || REACH) * inch()}px`;
  };

  // --- pointer and keyboard -----------------------------------------------------------------------------------------

  const spotOf = (event) => {
    const box = drawing().getBoundingClientRect();
    const edge = box.width * rim;
    return {
      x: snapped((event.clientX - box.left - edge) / inch()),
      y: snapped(table() - (event.clientY - box.top - edge) / inch()),
    };
  };
  const isOn = (event) => {
    const box = drawing().getBoundingClientRect();
    return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top &&
      event.clientY <= box.bottom;
  };
  const reachOf = (event) => event.pointerType === "touch" ? 14 / inch() : 0; // inches of tolerance for a finger
  let pressed = null;

  stage.addEventListener("pointerdown", (event) => {
    if (event.button || !isOn(event)) return;
    pressed = { x: event.clientX, y: event.clientY };
    if (brush() !== "move") return;
    event.preventDefault();
    stage.focus({ preventScroll: true });
    stage.setPointerCapture(event.pointerId);
    grab(spotOf(event), reachOf(event));
  });
  stage.addEventListener("pointermove", (event) => {
    if (held && pressed) drag(spotOf(event));
  });
  stage.addEventListener("pointerup", (event) => {
    if (held) {
      cursor = { x: held.thing.x, y: held.thing.y };
      release();
    } else if (pressed && brush() !== "move" && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 10) {
      cursor = spotOf(event);
      applyTool(cursor, reachOf(event));
    }
    put(spotter, cursor);
    pressed = null;
  });
  stage.addEventListener("pointercancel", () => {
    pressed = null;
    release();
  });

  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  stage.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      if (past.length) undoLast();
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      if (held) release();
      else if (brush() === "move") grab(cursor, 0);
      else applyTool(cursor, 0);
      return;
    }
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const far = event.shiftKey ? 0.5 : 1;
    cursor = { x: snapped(cursor.x + step[0] * far), y: snapped(cursor.y + step[1] * far) };
    put(spotter, cursor);
    if (held) return drag(cursor);
    const thing = thingAt(cursor, 0);
    here.textContent = `(${cursor.x}, ${cursor.y})${thing ? `: ${describe(thing)}` : ""}.`;
  });
  stage.addEventListener("focus", () => put(spotter, cursor));
  stage.addEventListener("blur", release);

  const chosen = () => stage.classList.toggle("is-moved", brush() === "move");
  const tools = one("[data-inch-tools]");
  for (const what of ["input", "change"]) {
    tools.addEventListener(what, (event) => {
      event.stopPropagation(); // changing the tool changes nothing that the server has to check
      chosen();
    });
  }
  undo.addEventListener("click", undoLast);
  stage.setAttribute("tabindex", "0");
  stage.setAttribute("role", "application");
  stage.setAttribute(
    "aria-label",
    "The table, side A below. Arrow keys go an inch, with Shift half of one; space places, picks up or " +
      "removes; Control+Z undoes.",
  );
  stage.setAttribute("aria-describedby", "inch-here");
  tools.hidden = false;
  chosen();
})();
