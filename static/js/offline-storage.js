// This browser's storage for offline use: the offline pack, and the marks and reports not sent yet. Used by pages and
// by the service worker. Each entry names its account, and no page of one account is shown to another.
"use strict";
self.keeping = (() => {
  const MAX_AGE = 14 * 86_400_000; // ms that a session lasts, for packs stored before they contained their own end
  const VISITOR = "visitor"; // used as account if nobody is signed in
  const SURELY = { durability: "strict" }; // written to disk before the transaction is done
  let opened = null;
  const open = () =>
    opened ??= idb.openDB("muster", 1, {
      upgrade(db) {
        db.createObjectStore("told", { keyPath: "name" });
        db.createObjectStore("packets", { keyPath: "account" });
        db.createObjectStore("marks", { keyPath: "place", autoIncrement: true }).createIndex("act", "act");
        db.createObjectStore("reports", { keyPath: ["account", "url"] });
      },
      blocking: () => close(), // a newer version of the site in another tab is waiting to upgrade
      terminated: () => opened = null,
    }).catch((error) => {
      opened = null;
      throw error;
    });
  const close = async () => {
    const db = await opened;
    opened = null;
    db?.close();
  };
  // Check for the database without creating it.
  const isThere = async () =>
    !indexedDB.databases || (await indexedDB.databases()).some(({ name }) => name === "muster");
  const all = async (store, fits) => (await (await open()).getAll(store)).filter(fits);
  const change = async (store, act) => {
    const change = (await open()).transaction(store, "readwrite", SURELY);
    const made = await act(change.store);
    await change.done;
    return made;
  };

  // --- whose pages these are
  const account = async () => (await (await open()).get("told", "account"))?.value ?? "";
  const forget = async (but = "") => {
    await change("packets", async (packets) => {
      for (const key of await packets.getAllKeys()) if (key !== but) await packets.delete(key);
    });
    const kept = (await packet(but))?.cache;
    for (const name of await caches.keys()) {
      if (name.startsWith("packet-") && name !== kept) await caches.delete(name); // also those of interrupted attempts
    }
  };
  const readBy = async (reader) => {
    if (await account() === reader) return;
    await change("told", (told) => told.put({ name: "account", value: reader }));
    await forget(reader);
  };

  // Nobody is signed in, as many browsers end sessions when they are closed. Keep the pack until its end, unless the
  // site says that its owner has ended the session in which it was stored.
  const readByNobody = async (url) => {
    const whose = await account();
    const row = whose && whose !== VISITOR ? await packet(whose) : undefined;
    if (!row?.ticket) return readBy(VISITOR);
    const asked = fetch(`${url}?ticket=${encodeURIComponent(row.ticket)}`, { cache: "no-store", credentials: "omit" });
    if ((await asked.catch(() => null))?.status === 410) await readBy(VISITOR);
  };

  // --- the offline pack
  // Return the account's pack. It is deleted once the session in which it was stored has ended.
  const end = ({ at, until }) => new Date(until ?? Date.parse(at) + MAX_AGE);
  const packet = async (whose) => {
    const row = whose ? await (await open()).get("packets", whose) : undefined;
    if (!row || end(row) >= new Date()) return row;
    await forget();
    return undefined;
  };
  const packetSave = (row) => change("packets", (packets) => packets.put(row));
  const found = async (url) => {
    if (!await isThere()) return null;
    const row = await packet(await account());
    if (!row || !await caches.has(row.cache)) return null;
    const response = await (await caches.open(row.cache)).match(url, { ignoreVary: true });
    return response ? { response, row, item: row.items.find((item) => item.url === pathOf(url)) } : null;
  };
  const pathOf = (url) => {
    const { pathname, search } = new URL(url, self.location.origin);
    return pathname + search;
  };

  // --- a page with its styles, scripts and images
  const isOfSite = (url) => new URL(url, self.location.origin).origin === self.location.origin;
  const needs = (text, base) =>
    [
      ...text.matchAll(/(?:href|src)="(\/static\/[^"#?]+)/g),
      ...text.matchAll(/<img[^>]*\ssrc="(\/[^"#]+)/g),
    ].map((hit) => new URL(hit[1].replaceAll("&amp;", "&"), base).href);
  const needsOfStyle = (text, base) =>
    [...text.matchAll(/url\(["']?([^"')#]+)/g)].map((hit) => new URL(hit[1], base).href).filter(isOfSite);
  const pieceStore = async (cache, url) => {
    if (await cache.match(url, { ignoreVary: true })) return 0;
    const response = await fetch(url, { credentials: "same-origin" });
    if (!response.ok) {
      const isNeeded = /\.(css|js)$/.test(new URL(url).pathname);
      if (isNeeded) throw new Error(`${url}: ${response.status}`); // the site is being updated or is down
      return 0; // a page may lack an image
    }
    const text = response.headers.get("Content-Type")?.startsWith("text/css") ? await response.clone().text() : "";
    const size = (await response.clone().blob()).size;
    await cache.put(url, response);
    let more = 0;
    for (const need of needsOfStyle(text, url)) more += await pieceStore(cache, need);
    return size + more;
  };
  class NotOursError extends Error {} // the page is for another account: the session has ended
  class NotGivenError extends Error {} // the page is gone, or not for this account
  // Return whether a retry is pointless. Errors of the server, timeouts and rate limits are temporary.
  const isForGood = (status) => status >= 400 && status < 500 && status !== 408 && status !== 429;
  // Store a page. `X-Quiet` leaves one-time messages for the next page that is read, as they don't belong here.
  const pageStore = async (cache, url, whose, given) => {
    const credentials = whose ? "same-origin" : "omit";
    const response = given ?? await fetch(url, { credentials, cache: "no-store", headers: { "X-Quiet": "1" } });
    if (!response.ok) throw new (isForGood(response.status) ? NotGivenError : Error)(String(response.status));
    const isPage = response.headers.get("Content-Type")?.startsWith("text/html");
    const text = isPage ? await response.clone().text() : "";
    if (isPage && whose && !text.includes(`data-account="${whose}"`)) throw new NotOursError();
    if (response.redirected) throw new NotGivenError("it leads elsewhere");
    let size = (await response.clone().blob()).size;
    for (const need of needs(text, self.location.origin)) size += await pieceStore(cache, need);
    await cache.put(url, response); // last: the old page stays until the new one is complete
    return size;
  };

  // --- marks and reports not sent yet
  const marks = (seat) => all("marks", (row) => row.seat === seat);
  const markAdd = (row) => change("marks", (rows) => rows.add(row));
  const markDrop = (act) =>
    change("marks", async (rows) => {
      for (const key of await rows.index("act").getAllKeys(act)) await rows.delete(key);
    });
  const reportSave = (row) => change("reports", (rows) => rows.put(row));
  const report = async (url, whose) => (await all("reports", (row) => row.url === url && row.account === whose))[0];
  const reportDrop = (url, whose) => change("reports", (rows) => rows.delete([whose, url]));
  const dropOthers = async (whose) => {
    for (const row of await all("marks", (row) => row.account !== whose && row.account !== VISITOR)) {
      await markDrop(row.act);
    }
    for (const row of await all("reports", (row) => row.account !== whose)) await reportDrop(row.url, row.account);
  };
  const waiting = async (whose) => ({
    // Anyone with the table's link can send the marks of visitors.
    marks: await all("marks", (row) => row.account === whose || row.account === VISITOR),
    reports: await all("reports", (row) => row.account === whose),
    others: (await all("marks", (row) => row.account !== whose && row.account !== VISITOR)).length +
      (await all("reports", (row) => row.account !== whose)).length,
  });

  return {
    isThere,
    account,
    readBy,
    readByNobody,
    forget,
    packet,
    packetSave,
    found,
    pathOf,
    pageStore,
    NotGivenError,
    NotOursError,
    marks,
    markAdd,
    markDrop,
    report,
    reportSave,
    reportDrop,
    dropOthers,
    waiting,
  };
})();
