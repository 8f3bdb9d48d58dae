// The page shown offline instead of one that isn't stored: it lists the stored pages.
"use strict";
(async () => {
  const list = document.querySelector("[data-no-network-list]");
  const row = await keeping.packet(await keeping.account());
  if (!row || !await caches.has(row.cache)) return;
  list.replaceChildren(...row.items.map(({ url, label, at }) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    const note = document.createElement("span");
    item.className = "leads";
    [link.href, link.textContent, link.className] = [url, label, "leads__to"];
    [note.className, note.textContent] = ["muted small", `saved ${self.phrases.ago(at)}`];
    item.append(link, " ", note);
    return item;
  }));
  document.querySelector("[data-no-network-has]").hidden = false;
  document.querySelector("[data-no-network-none]").hidden = true;
})().catch(() => {});
