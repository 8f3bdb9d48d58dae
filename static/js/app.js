// What every page has: day or night, the browser's time zone, copying a link, folding menus away.
// Pages work without it.
"use strict";
(() => {
  const root = document.documentElement;
  const { worker } = document.currentScript.dataset;
  const keep = (name, value) => {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=31536000; samesite=lax${secure}`;
  };
  const kept = (name) => {
    const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
    return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
  };

  // htmx would look through every attribute of every element for `hx-on`, which pages that may run no words as script
  // can't have: it is told at once that there are none.
  const { XPathEvaluator } = window;
  const nothing = { evaluate: () => ({ iterateNext: () => null }) };
  window.XPathEvaluator = class {
    createExpression() {
      return nothing;
    }
  };
  document.addEventListener("DOMContentLoaded", () => Object.assign(window, { XPathEvaluator }), { once: true });

  // A browser needs long to say its zone for the first time: no page waits for it before somebody does something on it.
  const note = () => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (zone && kept("tz") !== zone) keep("tz", zone);
  };
  for (const what of ["pointerdown", "keydown", "pagehide"]) {
    addEventListener(what, note, { capture: true, once: true });
  }

  const toggle = document.querySelector("[data-theme-toggle]");
  if (toggle) {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const theme = () => root.dataset.theme || (system.matches ? "dark" : "light");
    const say = () => {
      toggle.querySelector("[data-theme-label]").textContent = theme() === "dark" ? "Light mode" : "Dark mode";
      toggle.title = toggle.textContent.trim();
    };
    toggle.hidden = false;
    toggle.addEventListener("click", () => {
      root.dataset.theme = theme() === "dark" ? "light" : "dark";
      keep("theme", root.dataset.theme);
      say();
    });
    system.addEventListener("change", say);
    say();
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy] button");
    if (button) {
      const input = button.closest("[data-copy]").querySelector("input");
      input.select();
      const label = button.dataset.label || (button.dataset.label = button.textContent);
      try {
        await navigator.clipboard.writeText(input.value);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Press Ctrl+C";
      }
      setTimeout(() => {
        button.textContent = label;
      }, 2000);
    }
    for (const open of document.querySelectorAll("details.menu[open], details.rule[open]")) {
      if (!open.contains(event.target)) open.open = false;
    }
  });
  // What unfolds over the page opens to the other side where the page ends.
  document.addEventListener("toggle", (event) => {
    const box = event.target;
    if (!(box instanceof HTMLDetailsElement) || !box.open || !box.matches(".rule, .menu")) return;
    box.classList.remove("is-flipped");
    const panel = box.querySelector(".rule__text, .menu__panel").getBoundingClientRect();
    box.classList.toggle("is-flipped", panel.right > root.clientWidth || panel.left < 0);
  }, true);

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const open of document.querySelectorAll("details.menu[open], details.rule[open], details.nav__fold[open]")) {
      const inside = open.contains(document.activeElement);
      open.open = false;
      if (inside) open.querySelector("summary").focus();
    }
  });

  // Without a network: the worker, which asks for much at first and so comes once the page is there, and what knows of
  // the packet only where this browser keeps one, or marks that wait.
  const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 200));
  const register = () => idle(() => navigator.serviceWorker.register(worker).catch(() => {}), { timeout: 5000 });
  if ("serviceWorker" in navigator && worker) {
    if (document.readyState === "complete") register();
    else addEventListener("load", register, { once: true });
  }
  const keeps = async () =>
    root.dataset.packetAt || !indexedDB.databases ||
    (await indexedDB.databases()).some(({ name }) => name === "muster");
  const later = document.querySelector("template[data-keeping]");
  if (later) {
    keeps().then((isKept) => {
      if (!isKept) return;
      const scripts = later.content.cloneNode(true);
      for (const script of scripts.querySelectorAll("script")) script.async = false; // in their order
      document.head.append(scripts);
    }, () => {});
  }

  // Going back to a form that was sent may load its page again, with a new key in the form. The form gets the key that
  // it was sent with, so that pressing again leads to what was made and makes nothing twice. Reloading gives a new one.
  const keyOf = (form) => form.querySelector('input[name="once"]');
  const addressOf = (form) => new URL(form.getAttribute("action") || location.href, location.href).pathname;
  const placeOf = (form) => {
    const alike = [...document.forms].filter((each) => addressOf(each) === addressOf(form));
    return `${addressOf(form)} ${alike.indexOf(form)}`;
  };
  const [visit] = performance.getEntriesByType("navigation");
  const { sentForm, ...others } = history.state ?? {};
  if (sentForm && visit?.type === "back_forward") {
    for (const form of document.forms) {
      if (keyOf(form) && placeOf(form) === sentForm.place) keyOf(form).value = sentForm.key;
    }
  } else if (sentForm) history.replaceState(others, "");
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !keyOf(form)) return;
    history.replaceState({ ...history.state, sentForm: { place: placeOf(form), key: keyOf(form).value } }, "");
  });

  // A choice that is a form of its own is sent by Enter, as a word in a field is.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches?.("select[data-enter]")) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  });

  // A file that is dropped anywhere on a page that asks for one is put where it is asked for.
  const place = document.querySelector('input[type="file"].drop');
  if (place) {
    document.addEventListener("dragover", (event) => {
      if (event.dataTransfer.types.includes("Files")) event.preventDefault();
    });
    document.addEventListener("drop", (event) => {
      const [file] = event.dataTransfer.files;
      if (!file) return;
      event.preventDefault();
      const taken = new DataTransfer();
      taken.items.add(file);
      place.files = taken.files;
      place.dispatchEvent(new Event("change", { bubbles: true }));
      place.closest("details")?.setAttribute("open", "");
      place.focus();
    });
  }

  document.querySelector("#errors")?.focus();

  // A form that is sent in place (show:none) leaves its reader where they are: the button that was pressed, or what was
  // nearest to it, stays at its height. Otherwise a browser follows the old part down, because the new one is put in
  // above it. What the page has to say stays in sight until the reader scrolls on.
  let places = null;
  let pressedId = "";
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const { elt, triggeringEvent } = detail.requestConfig;
    if (!elt.closest("[hx-swap]")?.getAttribute("hx-swap").includes("show:none")) return;
    const button = triggeringEvent?.submitter ?? elt;
    const pressed = button.getBoundingClientRect().top;
    pressedId = button.id;
    places = [...detail.target.querySelectorAll("[id]")].filter((each) => each.checkVisibility())
      .map((each) => ({ id: each.id, top: each.getBoundingClientRect().top }))
      .sort((one, other) => Math.abs(one.top - pressed) - Math.abs(other.top - pressed));
    root.style.overflowAnchor = "none";
  });
  const stay = () => {
    const place = places.find(({ id }) => document.getElementById(id)?.checkVisibility());
    if (place) scrollBy(0, document.getElementById(place.id).getBoundingClientRect().top - place.top);
  };
  document.addEventListener("htmx:afterSwap", () => {
    const errors = document.querySelector("#errors");
    if (!places) return;
    if (errors) {
      places = null;
      return errors.focus();
    }
    stay();
    document.querySelector(".message-area")?.classList.add("is-kept");
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.successful) return;
    places = null; // nothing was put in, or its errors have been shown
    root.style.removeProperty("overflow-anchor");
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (places) {
      stay(); // scripts may have added to the page meanwhile
      // a button that was disabled while its form was on the way has lost the focus
      if (document.activeElement === document.body) document.getElementById(pressedId)?.focus({ preventScroll: true });
    }
    places = null;
    root.style.removeProperty("overflow-anchor");
    const messages = document.querySelector(".message-area.is-kept");
    const from = scrollY;
    const leave = () => {
      if (Math.abs(scrollY - from) < innerHeight / 2) return;
      messages.classList.remove("is-kept");
      removeEventListener("scroll", leave);
    };
    if (messages) addEventListener("scroll", leave, { passive: true });
  });
  // A form that a page sends without leaving it is shown again with what is wrong with it.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!event.detail.boosted || event.detail.xhr.status !== 422) return;
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  });
})();
