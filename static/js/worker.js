// The service worker. Offline it serves the reader's offline pack, or else a page that lists what is stored. Online it
// only updates the pages of the pack.
"use strict";
(() => {
  const { registerRoute } = workbox.routing;
  const { Strategy } = workbox.strategies;
  const { always, devices, fallback, leaving, patience, version } = self.muster;
  // ms that a page waits for the browser's database, which may never respond: online, and offline
  const LOOK = 1000;
  const SEARCH = 8000;
  const SHELL = `shell-${version}`;
  const NOTICES = "notices"; // the address at the push service, as push.js notes it
  const DOWN = [502, 503, 504]; // a proxy's responses while the site is down

  const inTime = (answer, limit) =>
    new Promise((take, give) => {
      setTimeout(() => give(new Error("no answer in time")), limit);
      answer.then(take, give);
    });
  const found = (url, limit) => inTime(keeping.found(url), limit).catch(() => null);
  const ofShell = async (url) => (await caches.open(SHELL)).match(url, { ignoreVary: true });

  // Mark a page of the pack with the time it was stored.
  const withDate = async ({ response, item }) => {
    if (!item || !response.headers.get("Content-Type")?.startsWith("text/html")) return response;
    const text = (await response.text()).replace("<html", `<html data-packet-at="${item.at}"`);
    const headers = new Headers(response.headers);
    for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
    return new Response(text, { status: 200, headers });
  };
  const renew = async (url, kept, response) => {
    if ((await response.clone().text()).includes('class="messages"')) return; // messages are shown only once
    // Throws if it is another account's page.
    await keeping.pageStore(await caches.open(kept.row.cache), url, kept.row.account, response);
    const row = await keeping.packet(kept.row.account);
    if (row?.cache !== kept.row.cache) return; // the pack was replaced or deleted meanwhile
    const item = row.items.find((each) => each.url === kept.item.url);
    if (item) item.at = new Date().toISOString();
    await keeping.packetSave(row);
  };

  class Pages extends Strategy {
    async _handle(request, handler) {
      let kept = await found(request.url, LOOK);
      let answer = null;
      try {
        const asked = handler.fetch(request);
        answer = await (kept ? inTime(asked, patience) : asked); // without a stored page there is no time limit
        const isPage = answer.ok && answer.headers.get("Content-Type")?.startsWith("text/html");
        if (kept?.item && isPage) handler.waitUntil(renew(request.url, kept, answer.clone()).catch(() => {}));
        if (!DOWN.includes(answer.status)) return answer;
      } catch { /* no network */ }
      kept ??= await found(request.url, SEARCH); // a busy phone needs longer
      if (kept) return withDate(kept);
      const page = await ofShell(new URL(request.url).pathname) ?? answer ?? await ofShell(fallback);
      return page ?? Response.error();
    }
  }

  // Files with a hash in their name never change, so the stored copy is used. For others the network comes first.
  class Pieces extends Strategy {
    async _handle(request, handler) {
      const isForGood = /\.[0-9a-f]{12}\.\w+$/.test(new URL(request.url).pathname);
      const kept = async () => (await ofShell(request.url)) ?? (await found(request.url, SEARCH))?.response;
      if (isForGood) {
        const response = await kept();
        if (response) return response;
      }
      try {
        return await handler.fetch(request);
      } catch (error) {
        const response = await kept();
        if (response) return response;
        throw error;
      }
    }
  }

  const isHere = (url) => url.origin === self.location.origin;
  registerRoute(({ request, url }) => request.mode === "navigate" && isHere(url), new Pages());
  registerRoute(
    ({ request, url }) => isHere(url) && (url.pathname.startsWith("/static/") || request.destination === "image"),
    new Pieces(),
  );

  // Signing out deletes the pack and the push subscription, so that the next person can't open anything.
  self.addEventListener("fetch", (event) => {
    const { method, url } = event.request;
    if (method === "POST" && leaving.includes(new URL(url).pathname)) {
      event.waitUntil(keeping.isThere().then((is) => is && keeping.readBy("visitor")));
      event.waitUntil(
        self.registration.pushManager?.getSubscription().then((found) => found?.unsubscribe()).catch(() => {}),
      );
      event.waitUntil(caches.delete(NOTICES));
    }
  });

  // Each letter has one notification; a repeated letter replaces it.
  self.addEventListener("push", (event) => {
    const notice = event.data?.json();
    if (!notice) return;
    const { title, body, url, tag } = notice;
    event.waitUntil(self.registration.showNotification(title, { body, tag, data: { url } }));
  });

  // The push service has ended this browser's subscription: register a new one, if the subscriber is still signed in.
  // Some browsers don't say which subscription ended, so push.js noted it.
  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
  const asked = async (url, options = {}) => {
    const answer = await fetch(url, { credentials: "same-origin", redirect: "error", ...options });
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    return answer.json();
  };
  const resubscribe = async (old) => {
    const noted = await caches.open(NOTICES);
    const before = old?.endpoint ?? await (await noted.match(devices.add))?.text();
    if (!before) return;
    const { token } = await asked(devices.key);
    const post = (url, data) =>
      asked(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": token },
        body: JSON.stringify(data),
      });
    const { public: publicKey } = await post(devices.key, {});
    const { pushManager } = self.registration;
    await (await pushManager.getSubscription())?.unsubscribe(); // made by the browser itself, perhaps with another key
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(publicKey) });
    const { endpoint, keys } = made.toJSON();
    try {
      await post(devices.add, { endpoint, p256dh: keys.p256dh, auth: keys.auth, before, public: publicKey });
      await noted.put(devices.add, new Response(endpoint));
    } catch (error) {
      await made.unsubscribe(); // the site doesn't know it
      throw error;
    }
  };
  self.addEventListener("pushsubscriptionchange", (event) => {
    event.waitUntil(resubscribe(event.oldSubscription).catch(() => {}));
  });
  self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    const url = new URL(event.notification.data?.url ?? "/", self.location.origin);
    if (!isHere(url)) return;
    event.waitUntil((async () => {
      const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
      const page = pages.find((each) => each.focused) ?? pages[0];
      if (!page) return self.clients.openWindow(url);
      await page.focus();
      return page.navigate(url).catch(() => self.clients.openWindow(url));
    })());
  });

  self.addEventListener("install", (event) => {
    self.skipWaiting();
    event.waitUntil((async () => {
      const cache = await caches.open(SHELL);
      for (const page of [fallback, ...always]) await keeping.pageStore(cache, page, "");
    })());
  });
  self.addEventListener("activate", (event) => {
    event.waitUntil((async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith("shell-") && name !== SHELL) await caches.delete(name);
      }
      await self.clients.claim();
    })());
  });
})();
