// The page of the offline pack: stores the listed pages, and shows their age and the marks and reports not sent yet.
"use strict";
(() => {
  const root = document.querySelector("[data-offline-pack]");
  if (!root) return;
  const { account } = document.body.dataset;
  const controls = root.querySelector("[data-packet-controls]");
  const line = root.querySelector("[data-packet-status]");
  const button = root.querySelector("[data-packet-store]");
  const drop = root.querySelector("[data-packet-drop]");
  const things = [...root.querySelectorAll("[data-packet-url]")];
  const own = keeping.pathOf(location.href);
  const { phrases } = self;
  const say = (text, isBad = false) => {
    line.textContent = text;
    line.hidden = !text;
    line.classList.toggle("note--bad", isBad);
  };
  const size = (bytes) => bytes < 100_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

  // --- prepared rolls of the sheets
  const sheets = things.filter((thing) => thing.dataset.packetAhead);
  const token = root.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
  const showRolls = () => {
    for (const sheet of sheets) {
      const left = preparedRolls(sheet.dataset.packetSeat).left();
      const rollsLine = sheet.querySelector("[data-packet-rolls]");
      rollsLine.hidden = !left;
      rollsLine.textContent = `${phrases.many(left, "roll", "rolls")} prepared`;
    }
  };
  // Return the sheets without prepared rolls, with the reason. These dice need HTTPS.
  const prepare = async () => {
    const missed = [];
    for (const sheet of self.crypto?.subtle ? sheets : []) {
      const { packetSeat, packetAhead, packetLabel } = sheet.dataset;
      const why = await preparedRolls(packetSeat).store(packetAhead, token).catch(() => "the site didn’t answer");
      if (why) missed.push(`rolls of ${packetLabel} (${why})`);
    }
    return missed;
  };

  // --- state of the pack
  const day = (at) =>
    new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" }).format(new Date(at));
  // Return whether another account's pack is stored, whose session ended when the browser was closed.
  const isAnothers = async () => {
    const whose = await keeping.account();
    return whose !== account && Boolean(await keeping.packet(whose));
  };
  const show = async () => {
    showRolls();
    const row = await keeping.packet(account);
    const cache = row && await caches.has(row.cache) ? await caches.open(row.cache) : null;
    let gone = 0;
    for (const thing of things) {
      const item = row?.items.find((each) => each.url === thing.dataset.packetUrl);
      const isThere = Boolean(item && await cache?.match(item.url, { ignoreVary: true }));
      if (item && !isThere) gone += 1;
      const state = thing.querySelector("[data-packet-state]");
      state.textContent = isThere ? `saved ${phrases.ago(item.at)}` : item ? "deleted by the browser" : "not saved";
      state.className = isThere ? "tag tag--good" : item ? "tag tag--bad" : "tag";
    }
    const isForeign = !row && await isAnothers();
    controls.hidden = !things.length && !row && !isForeign;
    drop.hidden = !row && !isForeign;
    if (button) button.textContent = row ? "Update" : "Save to this phone";
    if (isForeign) {
      return say(
        "An offline pack is saved on this phone. Sign in as the player who saved it to update it, or delete it below.",
      );
    }
    if (!row) return say("Nothing is saved on this phone yet.");
    if (gone) return say("This browser has deleted some saved pages. Update while you’re online.", true);
    const isSafe = await navigator.storage?.persisted?.();
    const stays = row.ticket || account === "visitor"
      ? ` It stays on this phone until ${day(row.until)}, even if you close the browser.`
      : ""; // stored by an older version, which kept packs only as long as the session
    const risk = isSafe
      ? ""
      : " This browser may delete it if the phone runs out of space, and always does in a private window.";
    say(
      `Saved ${phrases.stored(row.at)}: ${phrases.many(row.items.length, "page", "pages")}, ${
        size(row.bytes)
      }.${stays}${risk}`,
    );
  };

  // --- storing
  const isFull = (error) => error?.name === "QuotaExceededError";
  const fill = async (cache) => {
    const items = [];
    const missed = [];
    let bytes = 0;
    const wanted = [
      { url: own, label: document.title },
      ...things.map((thing) => ({ url: thing.dataset.packetUrl, label: thing.dataset.packetLabel })),
    ];
    for (const [at, { url, label }] of wanted.entries()) {
      say(`Saving ${at + 1} of ${wanted.length}: ${label} …`);
      try {
        bytes += await keeping.pageStore(cache, url, account);
        items.push({ url, label, at: new Date().toISOString() });
      } catch (error) {
        if (!(error instanceof keeping.NotGivenError)) throw error;
        missed.push(label); // the site refused this page
      }
    }
    if (items[0]?.url !== own) throw new Error("a packet without its own page opens nothing");
    return { items, missed, bytes };
  };
  const store = async () => {
    const before = await keeping.packet(account);
    const name = `packet-${account}-${Date.now()}`;
    await navigator.storage?.persist?.();
    try {
      const filled = await fill(await caches.open(name));
      filled.missed.push(...await prepare());
      const { until, ticket } = root.dataset;
      await keeping.packetSave({ account, cache: name, at: new Date().toISOString(), until, ticket, ...filled });
      await keeping.forget(account);
      if (before) await caches.delete(before.cache);
      await show();
      if (filled.missed.length) say(`${line.textContent} Not available: ${filled.missed.join(", ")}.`, true);
    } catch (error) {
      await caches.delete(name);
      await show();
      const left = before ? `The pack saved ${phrases.stored(before.at)} is kept.` : "Nothing is saved.";
      if (error instanceof keeping.NotOursError) {
        say(`You’re no longer signed in. ${left} Reload the page.`, true);
      } else if (isFull(error)) say(`This phone is out of space. ${left} Free some up and try again.`, true);
      else say(`The connection was lost or the site is busy. ${left} Try again later.`, true);
    }
  };
  const busy = (act) => async () => {
    for (const each of [button, drop]) if (each) each.disabled = true;
    await act().catch(() =>
      say("This browser doesn’t let Muster store anything. Check its settings or leave private mode.", true)
    );
    for (const each of [button, drop]) if (each) each.disabled = false;
  };
  const alone = () => navigator.locks ? navigator.locks.request("packet", store) : store(); // only one tab stores
  button?.addEventListener("click", busy(alone));
  drop.addEventListener(
    "click",
    busy(async () => {
      await keeping.forget();
      await show();
    }),
  );

  // --- marks and reports not sent yet
  const waits = root.querySelector("[data-packet-waiting]");
  // Return a button that discards something after asking once, because this can't be undone.
  const discardButton = (what, act) => {
    const found = document.createElement("button");
    [found.type, found.className, found.textContent] = ["button", "button button--quiet", "Discard …"];
    found.addEventListener("click", async () => {
      if (!found.dataset.asked) {
        found.dataset.asked = "1";
        found.textContent = `Discard ${what}?`;
        return;
      }
      await act();
      await showWaiting();
    });
    return found;
  };
  const showWaiting = async () => {
    const { marks, reports, others } = await keeping.waiting(account);
    const sheets = new Set(marks.map(({ url }) => url));
    const lines = [...sheets].map((sheet) => marks.filter(({ url }) => url === sheet)).map((rows) => [
      rows[0].url,
      `${phrases.many(rows.length, "mark", "marks")} at ${rows[0].title}`,
      "Sent once you open the sheet online.",
      discardButton(phrases.many(rows.length, "mark", "marks"), async () => {
        for (const { act } of rows) await keeping.markDrop(act);
      }),
    ]);
    for (const report of reports) {
      const away = discardButton("this report", () => keeping.reportDrop(report.url, account));
      lines.push([report.url, report.title, "Open the form, check it and send it.", away]);
    }
    waits.hidden = !lines.length && !others;
    const items = waits.querySelector("[data-packet-list]");
    items.replaceChildren(...lines.map(([url, words, help, away]) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.className = "leads__to";
      [link.href, link.textContent] = [url, words];
      const note = document.createElement("span");
      [note.className, note.textContent] = ["muted small", help];
      item.className = "leads";
      item.append(link, " ", note, " ", away);
      return item;
    }));
    const other = waits.querySelector("[data-packet-others]");
    other.hidden = !others;
    other.textContent = `${phrases.many(others, "entry", "entries")} of another player ${
      others === 1 ? "waits" : "wait"
    } here too and will be sent when they sign in on this phone. `;
    if (others) {
      other.append(discardButton(phrases.many(others, "entry", "entries"), () => keeping.dropOthers(account)));
    }
  };

  controls.hidden = !things.length;
  show().catch(() =>
    say("This browser doesn’t let Muster store anything. Check its settings or leave private mode.", true)
  );
  showWaiting().catch(() => {}); // without storage there is nothing to send
})();
