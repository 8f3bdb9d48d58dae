// Paired dice: seals, rolls and the other phone's codes, kept only on this phone until its list is sent.
"use strict";
(() => {
  const root = document.querySelector("[data-pair]");
  if (!root) return;
  const NAME = "muster-pair";
  const LENGTH = Number(root.dataset.length);
  const MAX_DICE = Number(root.dataset.most);
  const SIDES = [4, 6, 8, 10, 12, 20];
  const find = (name) => root.querySelector(`[data-pair-${name}]`);
  const line = find("status");
  const say = (text) => {
    line.textContent = text;
    line.hidden = !text;
  };
  if (!self.crypto?.subtle) return say("These dice only work over HTTPS.");

  let links = []; // of this phone's chain
  let wrong = ""; // a typed code that doesn't match the other phone's seal
  const state = () => JSON.parse(localStorage.getItem(NAME) ?? "null");
  const keep = (kept) => {
    try {
      localStorage.setItem(NAME, JSON.stringify(kept));
    } catch {
      say("This phone can’t save anything for this page. Free some space and try again. Nothing was changed.");
      return false;
    }
    return true;
  };
  const side = (kept) => kept.sealed < kept.other ? 0 : 1;
  const now = (kept) => kept.rolls.at(-1);

  // --- display
  const code = (holder, spec, text) => {
    const made = qrcode(0, "M");
    made.addData(`${location.origin}${location.pathname}#${new URLSearchParams(spec)}`);
    made.make();
    const size = made.getModuleCount();
    let path = "";
    for (let y = 0; y < size; y += 1) {
      for (let x = 0; x < size; x += 1) if (made.isDark(y, x)) path += `M${x},${y}h1v1h-1z`;
    }
    const space = "http://www.w3.org/2000/svg";
    const picture = document.createElementNS(space, "svg");
    picture.setAttribute("viewBox", `-3 -3 ${size + 6} ${size + 6}`);
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", "QR code for the other phone; the same code in letters is below");
    const drawn = document.createElementNS(space, "path");
    drawn.setAttribute("d", path);
    picture.append(drawn);
    const typed = document.createElement("code");
    typed.textContent = text.match(/.{1,5}/g).join(" ");
    holder.replaceChildren(picture, typed);
  };
  const names = (kept) => side(kept) === 0 ? [kept.name, kept.otherName] : [kept.otherName, kept.name];
  const outcome = (row) =>
    row.isTwice
      ? "said twice, counts for nothing"
      : row.faces.length
      ? row.faces.join(" · ")
      : row.refused
      ? "something else was revealed"
      : row.isWithheld
      ? "not revealed"
      : "waits";
  const what = (kept, row) => `${row.count} d${row.sides}, ${names(kept)[row.by]}: ${row.about}`;

  const showRoll = (kept) => {
    const row = now(kept);
    find("now").textContent = `Roll ${row.roll}`;
    find("about").textContent = what(kept, row);
    find("faces").textContent = row.isTwice ? "" : row.faces.join(" · ");
    const isMine = row.by === side(kept);
    const base = { p: kept.sealed.slice(0, 6), l: links[row.roll] };
    const spec = { r: row.roll, ...base, c: row.count, d: row.sides, f: row.about };
    code(find("link"), isMine ? spec : { a: row.roll, ...base }, links[row.roll]);
    const waits = !row.other && !row.refused && !row.isWithheld;
    find("theirs").hidden = !waits;
    find("do").textContent = waits
      ? `${kept.otherName} scans this, then shows you their code.`
      : row.isTwice
      ? "Both of you said what this roll is for. It doesn’t count; roll again."
      : isMine
      ? "Both revealed."
      : `Show this to ${kept.otherName} to give them the same result.`;
    find("wrong").hidden = !wrong;
  };
  const showList = (kept) => {
    find("with").textContent = `${kept.name} and ${kept.otherName}`;
    find("list").replaceChildren(...kept.rolls.map((row) => {
      const item = document.createElement("li");
      const [number, about, faces] = ["b", "span", "b"].map((tag) => document.createElement(tag));
      number.textContent = row.roll;
      about.textContent = what(kept, row);
      faces.textContent = outcome(row);
      faces.className = "num";
      item.append(number, about, faces);
      return item;
    }));
    find("send").hidden = Boolean(kept.sent);
    find("sent").hidden = !kept.sent;
    if (kept.sent) find("sent").href = kept.sent;
  };
  const show = () => {
    const kept = state();
    const row = kept?.rolls && now(kept);
    const isOpen = row && !row.other && !row.refused && !row.isWithheld;
    const steps = {
      new: !kept,
      sealed: Boolean(kept && !kept.other),
      show: Boolean(kept?.other && row && !kept.sent),
      roll: Boolean(kept?.other && !isOpen && !kept.sent && kept.rolls.length < LENGTH),
      list: Boolean(kept?.other),
    };
    for (const [name, is] of Object.entries(steps)) root.querySelector(`[data-pair-step="${name}"]`).hidden = !is;
    if (steps.sealed) code(find("seal"), { s: kept.sealed, n: kept.name }, kept.sealed);
    if (steps.show) showRoll(kept);
    if (steps.list) showList(kept);
  };

  // --- actions
  const change = (act) => {
    const kept = state();
    say("");
    wrong = "";
    const why = act(kept);
    if (why) return say(why);
    if (keep(kept)) show();
  };
  const seal = async (name) => {
    const last = fairDice.fresh();
    links = await fairDice.chain(last, LENGTH);
    keep({ name, last, sealed: links[0], other: "", otherName: "The other player", rolls: [] });
  };
  const enterSeal = (sealed, name) =>
    change((kept) => {
      if (sealed === kept.sealed) return "This is your own seal. Enter the one on the other phone.";
      if (kept.other && kept.other !== sealed) {
        return "You already have another phone’s seal. Delete these dice to start new ones.";
      }
      kept.other = sealed;
      kept.otherName = name || kept.otherName;
    });
  const calculateFaces = async (kept, row) => {
    const own = links[row.roll];
    const both = side(kept) === 0 ? [own, row.other] : [row.other, own];
    row.faces = await fairDice.faces(both, row.roll, row.count, row.sides);
  };
  const specOf = (count, sides, about) => {
    const isDice = Number.isInteger(count) && count >= 1 && count <= MAX_DICE && SIDES.includes(sides);
    return isDice && about ? { count, sides, about: about.slice(0, 80) } : null;
  };
  // Enter a code of the other phone. With `spec` it also states the dice and reason of the roll.
  const enterCode = async (number, link, spec, isTyped) => {
    const kept = state();
    say("");
    wrong = "";
    if (!kept?.other) return say("Exchange seals first.");
    if (number > kept.rolls.length + 1) {
      return say(
        `That is roll ${number}; this phone is at roll ${kept.rolls.length}. Enter the rolls between them first.`,
      );
    }
    let row = kept.rolls[number - 1];
    const isNew = !row;
    if (row?.other) {
      return row.other === link ? show() : say(`You already have a different code for roll ${number}.`);
    }
    if (!row && !spec) return say(`Roll ${number} hasn’t been started. Enter its reason first.`);
    const theirs = 1 - side(kept);
    if (!row) {
      row = { roll: number, by: theirs, ...spec, other: "", refused: "", isWithheld: false, faces: [] };
      kept.rolls.push(row);
    } else if (spec && row.by !== theirs) {
      row.isTwice = true; // the second to state it may have seen the dice
      say(`You both started roll ${number}. It doesn’t count; roll again.`);
    }
    if (await fairDice.isOf(link, number, kept.other)) {
      Object.assign(row, { other: link, refused: "", isWithheld: false });
      await calculateFaces(kept, row);
    } else if (isTyped) {
      wrong = isNew ? "" : link;
      say(`This doesn’t match ${kept.otherName}’s seal. Check each letter and enter it again.`);
      if (isNew) kept.rolls.length = number - 1; // a code that doesn't match starts no roll
    } else {
      row.refused = link;
      say(`${kept.otherName} revealed something that doesn’t match their seal. This is recorded.`);
    }
    if (keep(kept)) show();
  };

  // --- scanned codes
  const openScannedCode = async () => {
    const params = new URLSearchParams(location.hash.slice(1));
    if (!params.size) return;
    history.replaceState(null, "", location.pathname);
    const kept = state();
    const sealed = fairDice.read(params.get("s") ?? "");
    if (sealed) {
      const name = (params.get("n") ?? "").slice(0, 40);
      if (kept) return enterSeal(sealed, name);
      sessionStorage.setItem(NAME, JSON.stringify([sealed, name])); // used once this phone has sealed too
      return say(`${name || "The other phone"} has sealed their dice. Seal yours, then show the code.`);
    }
    const number = Number(params.get("r") ?? params.get("a"));
    const link = fairDice.read(params.get("l") ?? "");
    if (!Number.isInteger(number) || number < 1 || number > LENGTH || !link) return say("This code can’t be read.");
    if (!kept?.other?.startsWith(params.get("p"))) return say("This code belongs to different dice.");
    const spec = params.has("r") ? specOf(Number(params.get("c")), Number(params.get("d")), params.get("f")) : null;
    if (params.has("r") && !spec) return say("This code can’t be read.");
    await enterCode(number, link, spec, false);
  };

  // --- buttons and forms
  const typed = (form) => {
    const link = fairDice.read(new FormData(form).get("code"));
    if (!link) say("A code has 26 letters and numbers. Spaces don’t matter.");
    return link;
  };
  const onSubmit = (name, act) =>
    find(name).addEventListener("submit", async (event) => {
      event.preventDefault();
      await act(event.target);
      event.target.querySelector("[name=code]")?.form.reset();
    });
  onSubmit("new", async (form) => {
    say("");
    await seal(new FormData(form).get("name").trim() || "Somebody");
    const seen = JSON.parse(sessionStorage.getItem(NAME) ?? "null");
    sessionStorage.removeItem(NAME);
    if (seen) enterSeal(...seen);
    show();
    find("seal").scrollIntoView({ block: "nearest" });
  });
  onSubmit("other", (form) => {
    const link = typed(form);
    if (link) enterSeal(link, "");
  });
  onSubmit("theirs", (form) => {
    const link = typed(form);
    return link && enterCode(now(state()).roll, link, null, true);
  });
  onSubmit("roll", (form) => {
    const given = new FormData(form);
    const spec = specOf(Number(given.get("count")), Number(given.get("sides")), given.get("about").trim());
    if (!spec) return say(`Enter a reason and 1 to ${MAX_DICE} dice.`);
    if (given.get("code").trim()) {
      const link = typed(form);
      return link && enterCode(state().rolls.length + 1, link, spec, true);
    }
    return change((kept) => {
      kept.rolls.push({
        roll: kept.rolls.length + 1,
        by: side(kept),
        ...spec,
        other: "",
        refused: "",
        isWithheld: false,
        faces: [],
      });
    });
  });
  find("withheld").addEventListener("click", () =>
    change((kept) => {
      now(kept).isWithheld = true;
    }));
  find("refused").addEventListener("click", () => {
    const given = wrong;
    change((kept) => {
      now(kept).refused = given;
    });
  });
  find("drop").addEventListener("click", () => {
    localStorage.removeItem(NAME);
    links = [];
    say("");
    show();
  });
  find("send").addEventListener("click", async (event) => {
    const button = event.currentTarget;
    const kept = state();
    const rolls = kept.rolls.map(({ roll, by, count, sides, about, other, refused, faces }) => ({
      roll,
      by,
      count,
      sides,
      about,
      other: other || null,
      refused,
      faces,
    }));
    const { sealed, other, last, name } = kept;
    button.disabled = true;
    say("");
    try {
      const page = new DOMParser().parseFromString(await (await fetch(location.pathname)).text(), "text/html");
      const token = page.querySelector("[name=csrfmiddlewaretoken]").value;
      const answer = await fetch(location.pathname, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": token },
        body: JSON.stringify({ muster: "paired-dice/1", sealed, other, last, name, rolls }),
      });
      const result = await answer.json();
      if (answer.ok) {
        change((again) => {
          again.sent = result.url;
        });
      } else say(result.said);
    } catch {
      say("You’re offline. The list stays on this phone; send it when you’re online.");
    }
    button.disabled = false;
  });

  self.addEventListener("hashchange", openScannedCode);
  self.addEventListener("storage", (event) => {
    if (event.key === NAME) begin();
  });
  const begin = async () => {
    const kept = state();
    links = kept ? await fairDice.chain(kept.last, LENGTH) : [];
    show();
  };
  begin().then(openScannedCode);
})();
