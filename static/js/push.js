// Push notifications in this browser: the button asks for permission and subscribes.
"use strict";
(() => {
  const root = document.querySelector("[data-push]");
  if (!root) return;
  const button = root.querySelector("[data-push-add]");
  const line = root.querySelector("[data-push-status]");
  const token = root.querySelector("[name=csrfmiddlewaretoken]").value;
  const { push: url, pushKey: keyUrl } = root.dataset;
  const say = (text) => {
    line.textContent = text;
    line.hidden = !text;
  };
  if (!("serviceWorker" in navigator && "PushManager" in self && "Notification" in self)) {
    return say(
      "This browser doesn’t support notifications. On a phone, add Muster to the home screen and open it from there.",
    );
  }

  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
  const hash = async (text) => {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return [...new Uint8Array(digest)].map((each) => each.toString(16).padStart(2, "0")).join("");
  };
  const browser = () => {
    const { userAgent } = navigator;
    const kind = ["Edg", "OPR", "Firefox", "Chrome", "Safari"].find((each) => userAgent.includes(each)) ?? "Browser";
    const name = { Edg: "Edge", OPR: "Opera" }[kind] ?? kind;
    const place = ["Android", "iPhone", "iPad", "Windows", "Mac", "Linux"].find((each) => userAgent.includes(each));
    return place ? `${name} on ${place}` : name;
  };
  // Note the address for the service worker, which needs it if the push service replaces it.
  const note = (endpoint) =>
    caches.open("notices").then((kept) => kept.put(url, new Response(endpoint))).catch(() => {});
  const subscription = async () => (await navigator.serviceWorker.ready).pushManager.getSubscription();

  const show = async () => {
    const known = await subscription();
    const digest = known && Notification.permission === "granted" ? await hash(known.endpoint) : "";
    const own = digest && root.querySelector(`[data-push-device="${digest}"]`);
    if (own) {
      own.querySelector("[data-push-here]").hidden = false;
      await note(known.endpoint);
    }
    button.hidden = Boolean(own);
    if (Notification.permission === "denied") {
      say("Notifications from this site are blocked. Allow them in the browser’s settings, then come back.");
    }
  };

  const post = async (to, data) => {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
    const answer = await fetch(to, { method: "POST", headers, body: JSON.stringify(data) });
    const found = await answer.json().catch(() => ({}));
    if (!answer.ok) {
      throw new Error(found.said ?? "Something went wrong. Reload the page and try again.");
    }
    return found;
  };

  const add = async () => {
    const { pushManager } = await navigator.serviceWorker.ready;
    const { public: publicKey } = await post(keyUrl, {});
    await (await pushManager.getSubscription())?.unsubscribe(); // made with another key or by another account
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(publicKey) });
    const { endpoint, keys } = made.toJSON();
    try {
      await post(url, { endpoint, p256dh: keys.p256dh, auth: keys.auth, name: browser(), public: publicKey });
    } catch (error) {
      await made.unsubscribe();
      throw error;
    }
    await note(endpoint);
    location.reload();
  };

  button.addEventListener("click", async () => {
    button.disabled = true;
    say("");
    try {
      if (await Notification.requestPermission() === "granted") await add();
      else say("Notifications aren’t allowed. You can allow them in the browser’s settings.");
    } catch (error) {
      say(
        error.name === "Error" ? error.message : "This browser’s push service isn’t responding. Try again later.",
      );
    }
    button.disabled = false;
  });
  show();
})();
