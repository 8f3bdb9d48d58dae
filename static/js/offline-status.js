// For browsers with stored pages, marks or reports: shows that a page is from the offline pack and what isn't sent yet.
"use strict";
(() => {
  const root = document.documentElement;
  const { account } = document.body.dataset;
  const { packet } = document.currentScript.dataset;
  const storedAt = root.dataset.packetAt;
  const isFromNetwork = !storedAt && !document.querySelector("[data-no-network]");

  // --- phrases that several scripts use
  const times = new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit" });
  const ago = (at) => {
    const minutes = Math.floor((Date.now() - new Date(at)) / 60000);
    if (minutes < 0) return "at a time still to come on this phone’s clock";
    if (minutes < 1) return "just now";
    if (minutes < 90) return minutes === 1 ? "a minute ago" : `${minutes} minutes ago`;
    if (minutes < 36 * 60) return `${Math.round(minutes / 60)} hours ago`;
    return `${Math.round(minutes / 1440)} days ago`;
  };
  const many = (count, one, more) => `${count} ${count === 1 ? one : more}`;
  const list = ({ marks, reports }) =>
    [
      ...(marks.length ? [many(marks.length, "mark", "marks")] : []),
      ...(reports.length ? [many(reports.length, "report", "reports")] : []),
    ].join(" and ");
  self.phrases = { ago, many, list, stored: (at) => `${times.format(new Date(at))}, ${ago(at)}` };

  const bar = (text, link) => {
    const note = document.createElement("p");
    note.className = "note note--warn";
    note.setAttribute("role", "status");
    note.dataset.networkBar = "";
    note.append(text);
    if (link) {
      const to = document.createElement("a");
      to.href = link.url;
      to.textContent = link.words;
      note.append(" ", to);
    }
    (document.querySelector("main .page") ?? document.querySelector("main"))?.prepend(note);
  };

  (async () => {
    if (isFromNetwork && account === "visitor") await keeping.readByNobody(packet);
    else if (isFromNetwork && account) await keeping.readBy(account);
    if (storedAt) {
      bar(`No network: this page is from the pack on this phone, saved ${self.phrases.stored(storedAt)}.`);
    }
    if (!isFromNetwork || !account || location.pathname === packet || document.querySelector("[data-live]")) return;
    const waits = await keeping.waiting(account);
    const waiting = list(waits);
    if (waiting) bar(`Not sent yet, saved on this phone: ${waiting}.`, { url: packet, words: "Show" });
  })().catch(() => {}); // without storage nothing is shown
})();
