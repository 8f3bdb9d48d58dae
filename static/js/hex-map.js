// Painting on the map of the scenario form updates the JSON that the form submits; undo reverts whole strokes.
"use strict";
(() => {
  const map = document.querySelector("[data-hex-map]");
  const text = document.querySelector("[data-hex-text]");
  if (!map || !text) return;
  const form = text.form;
  const one = (selector) => form.querySelector(selector);
  const here = one("[data-hex-here]");
  const undo = one("[data-hex-undo]");
  const columns = Number(map.dataset.columns);
  const rows = Number(map.dataset.rows);
  const count = columns * rows;
  const depth = 3 * columns; // number of hexes in each side's default set-up rows
  const faces = [...map.querySelectorAll("[data-hex]")];
  const looks = {};
  for (const brush of form.querySelectorAll("[data-look]")) looks[brush.value] = brush.dataset.look;
  const WATER = ["light-blue", "dark-blue"];
  let cells = [];
  let spots = []; // hexes of the objectives, in order
  let past = [];
  let cursor = count - Math.ceil(columns / 2);
  let stroke = null;

  const opposite = (at) => count - 1 - at;
  const numberOf = ([column, row]) =>
    column >= 0 && column < columns && row >= 0 && row < rows ? row * columns + column : -1;
  const placeOf = (at) => [at % columns, Math.floor(at / columns)];
  const isPlainStart = (at, side) => (side === "a" ? at >= count - depth : at < depth);

  // --- the document -------------------------------------------------------------------------------------------------

  const read = (source) => {
    const given = source.trim() ? JSON.parse(source) : {};
    const starts = given.starts || {};
    const found = faces.map((_face, at) => ({
      colour: "grey",
      level: 0,
      floors: 0,
      a: !starts.a?.length && isPlainStart(at, "a"),
      b: !starts.b?.length && isPlainStart(at, "b"),
    }));
    const put = (places, change) => {
      for (const place of places || []) {
        const at = numberOf(place);
        if (at >= 0) change(found[at], place);
      }
    };
    for (const [colour, places] of Object.entries(given.hexes || {})) {
      if (looks[colour]) put(places, (cell) => cell.colour = colour);
    }
    put(given.levels, (cell, place) => cell.level = place[2]);
    put(given.buildings, (cell, place) => cell.floors = place[2]);
    put(starts.a, (cell) => cell.a = true);
    put(starts.b, (cell) => cell.b = true);
    spots = (given.objectives || []).map(numberOf).filter((at) => at >= 0);
    cells = found;
  };

  const json = (list) => JSON.stringify(list).replace(/,/g, ", ");
  const mapText = () => {
    const picked = (test, more) =>
      cells.flatMap((cell, at) => test(cell, at) ? [[...placeOf(at), ...(more ? [more(cell)] : [])]] : []);
    const lines = [];
    const hexes = Object.keys(looks).filter((colour) => colour !== "grey")
      .map((colour) => [colour, picked((cell) => cell.colour === colour)])
      .filter(([, places]) => places.length)
      .map(([colour, places]) => `    "${colour}": ${json(places)}`);
    if (hexes.length) lines.push(`  "hexes": {\n${hexes.join(",\n")}\n  }`);
    const lists = {
      levels: picked((cell) => cell.level > 0, (cell) => cell.level),
      buildings: picked((cell) => cell.floors > 0, (cell) => cell.floors),
      objectives: spots.map(placeOf),
    };
    for (const [key, list] of Object.entries(lists)) if (list.length) lines.push(`  "${key}": ${json(list)}`);
    const starts = ["a", "b"].filter((side) => cells.some((cell, at) => cell[side] !== isPlainStart(at, side)))
      .map((side) => `"${side}": ${json(picked((cell) => cell[side]))}`);
    if (starts.length) lines.push(`  "starts": {${starts.join(", ")}}`);
    return lines.length ? `{\n${lines.join(",\n")}\n}` : "{}";
  };

  // --- the drawing --------------------------------------------------------------------------------------------------

  const setText = (face, name, y, text) => {
    let found = face.querySelector(`.${name}`);
    if (!text) return found?.remove();
    if (!found) {
      found = document.createElementNS("http://www.w3.org/2000/svg", "text");
      found.setAttribute("class", name);
      found.setAttribute("y", y);
      face.append(found);
    }
    found.textContent = text;
  };

  const isUneven = (at) => {
    const [cell, other] = [cells[at], cells[opposite(at)]];
    return cell.colour !== other.colour || cell.level !== other.level || cell.floors !== other.floors ||
      cell.a !== other.b || cell.b !== other.a;
  };

  const draw = () => {
    faces.forEach((face, at) => {
      const cell = cells[at];
      const look = looks[cell.colour];
      const on = { "is-start-a": cell.a, "is-start-b": cell.b, "has-building": cell.floors, "is-uneven": isUneven(at) };
      on["is-cursor"] = at === cursor;
      const classes = Object.keys(on).filter((name) => on[name]);
      face.setAttribute("class", ["cell", `hex--${look}`, ...classes].join(" "));
      face.querySelector(".cell__sign").setAttribute("fill", look === "plain" ? "none" : `url(#hex-${look})`);
      setText(face, "cell__word", 7, [cell.floors || "", cell.level > 0 ? `+${cell.level}` : ""].join(" ").trim());
      setText(face, "cell__spot", -12, spots.includes(at) ? `◆${spots.indexOf(at) + 1}` : "");
    });
  };

  const describe = (at) => {
    const cell = cells[at];
    const parts = [`(${placeOf(at).join(", ")}) ${cell.colour.replace("-", " ")}`];
    if (cell.level > 0) parts.push(`level +${cell.level}`);
    if (cell.floors) parts.push(`building of ${cell.floors} floors`);
    if (spots.includes(at)) parts.push(`objective ${spots.indexOf(at) + 1}`);
    if (cell.a) parts.push("A sets up");
    if (cell.b) parts.push("B sets up");
    if (isUneven(at)) parts.push("differs from the opposite hex");
    here.textContent = parts.join(", ");
  };

  // --- the brush ----------------------------------------------------------------------------------------------------

  // Apply a brush to a hex; `on` is false if the stroke removes, because its first hex already had the brush's mark.
  const applyBrush = (brush, at, on) => {
    const cell = cells[at];
    if (looks[brush]) {
      cell.colour = brush;
      if (WATER.includes(brush)) cell.level = cell.floors = 0;
    } else if (brush.startsWith("level-")) {
      cell.level = on ? Number(brush.slice(6)) : 0;
      if (on && WATER.includes(cell.colour)) cell.colour = "grey";
    } else if (brush === "building") {
      const asked = Math.trunc(Number(one("[data-hex-floors]").value)) || 1;
      cell.floors = on ? Math.max(1, Math.min(Number(one("[data-hex-floors]").max), asked)) : 0;
      if (on && WATER.includes(cell.colour)) cell.colour = "grey";
    } else if (brush === "objective") {
      spots = spots.filter((spot) => spot !== at);
      if (on) spots.push(at);
    } else if (brush === "clear") {
      Object.assign(cell, { colour: "grey", level: 0, floors: 0 });
      spots = spots.filter((spot) => spot !== at);
    } else {
      cell[brush.slice(-1)] = on;
    }
  };

  const has = (brush, at) => {
    const cell = cells[at];
    if (brush.startsWith("level-")) return cell.level === Number(brush.slice(6));
    if (brush === "building") return cell.floors > 0;
    if (brush === "objective") return spots.includes(at);
    return brush.startsWith("start-") && cell[brush.slice(-1)];
  };

  const paint = (at) => {
    const brush = form.elements.brush.value;
    if (!stroke) stroke = { on: !has(brush, at), before: text.value, done: new Set() };
    if (stroke.done.has(at)) return;
    stroke.done.add(at);
    applyBrush(brush, at, stroke.on);
    if (one("[data-hex-mirror]").checked && brush !== "objective") {
      const other = { "start-a": "start-b", "start-b": "start-a" }[brush] || brush;
      applyBrush(other, opposite(at), stroke.on);
    }
    cursor = at;
    draw();
    describe(at);
  };

  const endStroke = () => {
    if (!stroke) return;
    past = [...past.slice(-99), stroke.before];
    stroke = null;
    undo.disabled = false;
    text.value = mapText();
    text.dispatchEvent(new Event("change", { bubbles: true }));
  };

  const undoStroke = () => {
    if (!past.length) return;
    text.value = past.pop();
    undo.disabled = !past.length;
    text.dispatchEvent(new Event("change", { bubbles: true }));
    if (load()) describe(cursor);
  };

  const load = () => {
    try {
      read(text.value);
    } catch {
      here.textContent = "The map text can't be read. See the problem beside the form.";
      return false;
    }
    draw();
    return true;
  };

  // --- pointer and keyboard -----------------------------------------------------------------------------------------

  const hexAt = (event) => {
    const face = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-hex]");
    return face && map.contains(face) ? Number(face.dataset.hex) : -1;
  };
  const drags = (event) => event.pointerType !== "touch" || one("[data-hex-drag]").checked;
  let pressed = -1;

  map.addEventListener("pointerdown", (event) => {
    if (event.button || !cells.length) return;
    pressed = hexAt(event);
    if (pressed < 0 || !drags(event)) return;
    event.preventDefault();
    map.focus({ preventScroll: true });
    map.setPointerCapture(event.pointerId);
    paint(pressed);
  });
  map.addEventListener("pointermove", (event) => {
    if (!stroke) return;
    const at = hexAt(event);
    if (at >= 0) paint(at);
  });
  map.addEventListener("pointerup", (event) => {
    const at = hexAt(event);
    if (!stroke && at >= 0 && at === pressed) paint(at); // a tap
    pressed = -1;
    endStroke();
  });
  map.addEventListener("pointercancel", () => {
    pressed = -1;
    endStroke();
  });
  one("[data-hex-drag]").addEventListener(
    "change",
    (event) => map.classList.toggle("is-dragged", event.target.checked),
  );

  map.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      return undoStroke();
    }
    if (event.ctrlKey || event.altKey || event.metaKey || !cells.length) return;
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      paint(cursor);
      return endStroke();
    }
    const [across, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ||
      [];
    if (across === undefined) return;
    event.preventDefault();
    const [column, row] = placeOf(cursor);
    const next = numberOf([column + across, row + down]);
    if (next < 0) return;
    cursor = next;
    draw();
    describe(cursor);
  });

  undo.addEventListener("click", undoStroke);
  text.addEventListener("input", load);
  map.setAttribute("tabindex", "0");
  one("[data-hex-tools]").hidden = false;
  load();
})();
