// The sheet of a live table: marks are shown at once, kept until the server has accepted them, and sent once each, in
// order. Without this script every button submits a form.
"use strict";
(() => {
  const root = document.querySelector("[data-live]");
  if (!root) return;
  const BEAT = 700; // ms between two polls of the table
  const DATABASE = 2000; // ms that a mark waits for the browser's database
  const PAUSE = 10000; // ms until the next try after the server refused this phone
  const seat = root.dataset.live;
  const live = root.querySelector("#live");
  const line = root.querySelector("[data-live-state]");
  const refused = root.querySelector("[data-live-refused]");
  const token = root.querySelector("#act [name=csrfmiddlewaretoken]").value;
  let tag = root.dataset.tag;
  let count = Number(root.dataset.count);
  let isSending = true; // until the marks of earlier visits are loaded
  let isAway = false;
  let shut = ""; // why the server refuses this phone
  let quietUntil = 0;
  let heldUntil = 0; // end of the rate limit's pause

  // --- storage on this phone
  const kept = (name, otherwise) => {
    try {
      return JSON.parse(localStorage.getItem(`live-${seat}-${name}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  };
  const keep = (name, value) => {
    try {
      localStorage.setItem(`live-${seat}-${name}`, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  };
  // Without a database, the whole queue is kept in the small localStorage.
  const keepQueue = () => {
    isKept = keep("queue", queue);
    showState();
  };
  const keepEntry = async (entry) => {
    if (!hasDatabase) return keepQueue();
    unwritten.add(entry);
    // Continue without a database that doesn't respond. If it writes later, the mark is sent twice but applied once.
    const late = setTimeout(() => {
      hasDatabase = false;
      keepQueue();
    }, DATABASE);
    try {
      await waits.add(entry);
      isKept = true;
    } catch {
      hasDatabase = false;
    }
    clearTimeout(late);
    unwritten.delete(entry);
    if (!hasDatabase) keepQueue();
  };
  const dropEntry = (act) => hasDatabase ? waits.drop(act).catch(() => {}) : keepQueue();
  // Don't wait for a database that never responds.
  const inTime = (made) => Promise.race([made, new Promise((take) => setTimeout(take, DATABASE))]);
  const key = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(12)), (each) => each.toString(16).padStart(2, "0")).join("");
  const waits = waitingMarks(seat, root.querySelector("h1").textContent);
  let hasDatabase = true;
  let isKept = true; // whether the queue is stored
  let queue = [];
  const unwritten = new Set(); // entries that aren't in the database yet
  const ahead = preparedRolls(seat);
  const phone = ahead.phone();

  const say = (text, isOff = false) => {
    if (line.textContent === text) return;
    line.textContent = text;
    line.classList.toggle("is-off", isOff);
  };
  const showState = () => {
    showPreparedRolls();
    if (!isKept && queue.length) {
      return say(
        "This browser can’t store anything: marks that can’t be sent at once are lost when you close the page.",
        true,
      );
    }
    const there = queue.filter((entry) => !hasDatabase || !unwritten.has(entry)).length;
    const waiting = there === 1 ? "1 mark waits" : `${there} marks wait`;
    if (shut) say(there ? `${shut} ${waiting} on this phone.` : shut, true);
    else if (isAway) {
      say(there ? `No network. ${waiting} on this phone.` : "No network. Your marks are kept on this phone.", true);
    } else say(queue.length ? `${waiting} to be sent …` : "");
  };
  // Show prepared rolls that were made here and aren't on the log yet.
  const showPreparedRolls = () => {
    const made = queue.filter(({ fields }) => fields.do === "ahead").reverse();
    const list = root.querySelector("[data-live-ahead]");
    list.hidden = !made.length;
    list.replaceChildren(...made.map(({ fields }) => {
      const item = document.createElement("li");
      const [head, dice] = [document.createElement("p"), document.createElement("p")];
      const [what, note] = [document.createElement("b"), document.createElement("span")];
      item.className = "live-roll is-pending";
      head.className = "live-roll__head";
      [what.textContent, note.textContent] = [
        fields.what || "No reason given",
        `prepared roll ${fields.roll}, not sent yet`,
      ];
      note.className = "muted small";
      [dice.className, dice.textContent] = ["live-roll__ahead num", fields.faces.split(" ").join(" · ")];
      head.append(what, " ", note);
      item.append(head, dice);
      return item;
    }));
    const left = ahead.left();
    const line = root.querySelector("[data-live-ahead-left]");
    line.hidden = !left;
    line.textContent = `${left} prepared ${
      left === 1 ? "roll is" : "rolls are"
    } on this phone, for when there is no network.`;
  };
  const refuse = (reason) => {
    refused.hidden = !reason;
    refused.textContent = reason;
  };

  // --- tabs of the sheet
  const panels = () => [...root.querySelectorAll("[data-live-panel]")];
  const show = (name) => {
    const found = document.getElementById(name)?.closest("[data-live-panel]")?.id ?? "mine";
    for (const panel of panels()) panel.hidden = panel.id !== found;
    for (const link of root.querySelectorAll("[data-live-tab]")) {
      if (link.dataset.liveTab === found) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    return found;
  };
  for (const link of root.querySelectorAll("[data-live-tab]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const name = show(link.dataset.liveTab);
      keep("tab", name);
      scrollTo(0, 0);
    });
  }
  for (const form of root.querySelectorAll("[data-live-of]")) {
    root.querySelector(`[data-live-form="${form.dataset.liveOf}"]`)?.append(form);
  }
  show(location.hash.slice(1) || kept("tab", "mine"));

  // --- marks, shown before the server has confirmed them
  const value = (group) => group.dataset.kind === "choice" ? group.dataset.now : Number(group.dataset.now);
  const mark = (group, now) => {
    group.dataset.now = now;
    if (group.dataset.kind === "count") {
      group.querySelector("output").textContent = now;
      const presses = [...group.querySelectorAll("[data-step]")];
      const most = Number(group.dataset.most);
      for (const press of presses) {
        const to = Number(now) + Number(press.dataset.step);
        press.disabled = to < 0 || (presses.length === 2 && to > most);
      }
      return;
    }
    for (const button of group.querySelectorAll("button")) {
      const isOn = group.dataset.kind === "boxes"
        ? Number(button.dataset.at) <= Number(now)
        : button.dataset.value === String(now);
      button.classList.toggle("is-marked", isOn);
      button.setAttribute("aria-pressed", String(isOn));
    }
  };
  const pressed = (button, group) => {
    const now = value(group);
    if (group.dataset.kind === "choice") return button.dataset.value;
    if (group.dataset.kind === "count") {
      return Math.max(0, Math.min(Number(group.dataset.most), now + Number(button.dataset.step)));
    }
    const at = Number(button.dataset.at);
    return at === now ? at - 1 : at;
  };
  const markPending = (changes) => {
    for (const change of changes.split(",")) {
      const at = change.lastIndexOf(":");
      for (const group of live.querySelectorAll(`[data-cell="${CSS.escape(change.slice(0, at))}"]`)) {
        mark(group, change.slice(at + 1));
        group.classList.add("is-pending");
      }
    }
  };
  const waiting = () => {
    for (const each of queue) if (each.fields.set) markPending(each.fields.set);
  };

  // --- responses of the server
  let was = new Map([...live.querySelectorAll("[data-live-piece]")].map((piece) => [piece.id, piece.outerHTML]));
  const take = (text) => {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const pieces = [...fresh.querySelectorAll("[data-live-piece]")];
    const now = new Map(pieces.map((piece) => [piece.id, piece.outerHTML]));
    const focused = document.activeElement?.id;
    for (const piece of pieces) {
      const old = document.getElementById(piece.id);
      const isSame = was.get(piece.id) === now.get(piece.id) && !old?.querySelector(".is-pending");
      if (!old || isSame) continue;
      const open = [old, ...old.querySelectorAll("details")].map((each) => each.open);
      const next = document.importNode(piece, true);
      [next, ...next.querySelectorAll("details")].forEach((each, at) => {
        if (each.tagName === "DETAILS" && open[at] !== undefined) each.open = open[at];
      });
      old.replaceWith(next);
    }
    was = now;
    count = Number(fresh.querySelector("[data-count]")?.dataset.count ?? count);
    for (const seen of root.querySelectorAll("input[name=seen]")) seen.value = count;
    waiting();
    if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
  };
  const applyResponse = async (response) => {
    const fresh = response.headers.get("ETag");
    if (fresh && tag && fresh.split("-").slice(1).join() !== tag.split("-").slice(1).join()) {
      location.reload(); // the other side has joined, or the table is closed
      return;
    }
    tag = fresh;
    take(await response.text());
  };

  // --- sending and polling
  const ask = (url, more) => {
    const broken = new AbortController();
    const timer = setTimeout(() => broken.abort(), 8000);
    return fetch(url, {
      cache: "no-store",
      credentials: "same-origin",
      signal: broken.signal,
      redirect: "manual",
      ...more,
    })
      .finally(() => clearTimeout(timer));
  };
  // Return whether the server neither accepted nor rejected the mark; then it stays in the queue.
  const isShut = (response) => {
    const judged = response.ok || [304, 400, 422].includes(response.status);
    if (judged) shut = "";
    else if (response.type === "opaqueredirect" || response.status === 401) {
      shut = "You are signed out. Reload the page and sign in.";
    } else shut = "This phone can’t mark here now. Reload the page.";
    quietUntil = judged ? 0 : Date.now() + PAUSE;
    return !judged;
  };
  // Return whether the rate limit is reached; then the queue is sent later.
  const isTooFast = async (response) => {
    if (response.status !== 429) return false;
    shut = (await response.json().catch(() => ({}))).reason ?? "Too many marks at once. Wait a moment.";
    quietUntil = heldUntil = Date.now() + 1000 * (Number(response.headers.get("Retry-After")) || PAUSE / 1000);
    return true;
  };
  const send = async () => {
    if (isSending || Date.now() < heldUntil) return;
    isSending = true;
    try {
      while (queue.length) {
        const { fields } = queue[0];
        const response = await ask(root.dataset.act, {
          method: "POST",
          headers: { "X-CSRFToken": token, "X-Live": "1" },
          body: new URLSearchParams(fields),
        });
        if (response.status >= 500) throw new Error("later");
        isAway = false;
        if (await isTooFast(response) || isShut(response)) break;
        queue = queue.filter((each) => each.fields.act !== fields.act);
        dropEntry(fields.act);
        if (response.ok) await applyResponse(response);
        else {
          refuse(response.status === 422 ? (await response.json()).reason : "This mark wasn’t accepted.");
          tag = ""; // load the table again, without the refused mark
          was = new Map();
        }
      }
    } catch {
      isAway = true;
    }
    isSending = false;
    showState();
  };
  const poll = async () => {
    if (document.hidden || isSending || Date.now() < quietUntil) return;
    if (queue.length) return send();
    try {
      const response = await ask(root.dataset.part, { headers: tag ? { "If-None-Match": tag } : {} });
      if (response.status >= 500 || response.status === 429) throw new Error("later");
      isAway = false;
      if (!isShut(response) && response.status === 200 && !queue.length && !isSending) await applyResponse(response);
    } catch {
      isAway = true;
    }
    showState();
  };
  const put = (fields) => {
    refuse("");
    if (fields.do === "roll" && (isAway || !navigator.onLine) && ahead.left()) return makePreparedRoll(fields);
    enqueue(fields);
  };
  const enqueue = (fields) => {
    const entry = { fields: { ...fields, act: `${phone}-${key()}`, phone, seen: String(count) } };
    queue = [...queue, entry];
    inTime(keepEntry(entry)).then(() => {
      showState();
      send();
    });
    waiting();
  };

  // Without a network the site can't roll, so use the next prepared roll.
  const makePreparedRoll = async (fields) => {
    const made = await ahead.roll(Number(fields.dice), Number(fields.sides)).catch(() => null);
    if (!made) return enqueue(fields);
    const { chain, roll, link, faces } = made;
    enqueue({ ...fields, do: "ahead", chain, roll, link, faces: faces.join(" ") });
  };

  // --- buttons and forms
  const next = (button) => {
    const bar = live.querySelector('[data-cell="table.round"]');
    const step = live.querySelector('[data-cell="table.step"]');
    const steps = [...step.querySelectorAll("button")].map((each) => each.dataset.value).filter(Boolean);
    if (!steps.length) return button.value;
    const at = steps.indexOf(step.dataset.now) + 1;
    if (at < steps.length) return `table.step:${steps[at]}`;
    return `table.round:${Number(bar.dataset.now) + 1},table.step:${steps[0]}`;
  };
  root.addEventListener("click", (event) => {
    const button = event.target.closest('button[form="act"]');
    if (!button) return;
    event.preventDefault();
    const group = button.closest("[data-cell]");
    if (button.hasAttribute("data-live-next")) put({ set: next(button) });
    else if (group) put({ set: `${group.dataset.cell}:${pressed(button, group)}` });
    else put({ [button.name]: button.value });
  });
  root.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-live-of]")) return;
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(form, event.submitter));
    for (const name of ["csrfmiddlewaretoken", "once", "seen", "form_account", "form_page"]) delete fields[name];
    put(fields);
    for (const name of ["text", "faces"]) if (form.elements[name]) form.elements[name].value = "";
  });

  const left = kept("queue", []); // stored while there was no database
  const begin = () => {
    isSending = false;
    root.dataset.liveReady = "";
    waiting();
    showState();
    poll();
  };
  const loaded = waits.load(left).then((rows) => {
    try {
      localStorage.removeItem(`live-${seat}-queue`);
    } catch { /* storage is blocked, so nothing is stored */ }
    return rows;
  }, () => {
    hasDatabase = false;
    return left;
  }).then((rows) => {
    const newer = new Set(queue.map(({ fields }) => fields.act));
    queue = [...rows.filter(({ fields }) => !newer.has(fields.act)), ...queue];
    if (!hasDatabase) keepQueue(); // the database responded too late
  });
  inTime(loaded).then(begin);
  setInterval(poll, BEAT);
  document.addEventListener("visibilitychange", poll);
  addEventListener("online", poll);
})();
