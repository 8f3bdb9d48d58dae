// Runs on every page: light or dark theme, the browser's time zone, copying links, closing menus, resubmitted forms.
// Pages also work without it.
"use strict";
(() => {
  const root = document.documentElement;
  const { worker } = document.currentScript.dataset;
  const writeCookie = (name, value) => {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=31536000; samesite=lax${secure}`;
  };
  const readCookie = (name) => {
    const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
    return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
  };

  // htmx would search every attribute of every element for `hx-on`, which the content security policy forbids anyway.
  // This stub returns no matches at once.
  const { XPathEvaluator } = window;
  const nothing = { evaluate: () => ({ iterateNext: () => null }) };
  window.XPathEvaluator = class {
    createExpression() {
      return nothing;
    }
  };
  document.addEventListener("DOMContentLoaded", () => Object.assign(window, { XPathEvaluator }), { once: true });

  // Browsers are slow to return their time zone the first time, so wait for the first input.
  const saveTimeZone = () => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (zone && readCookie("tz") !== zone) writeCookie("tz", zone);
  };
  for (const what of ["pointerdown", "keydown", "pagehide"]) {
    addEventListener(what, saveTimeZone, { capture: true, once: true });
  }

  const toggle = document.querySelector("[data-theme-toggle]");
  if (toggle) {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const theme = () => root.dataset.theme || (system.matches ? "dark" : "light");
    const showTheme = () => {
      toggle.querySelector("[data-theme-label]").textContent = theme() === "dark" ? "Light mode" : "Dark mode";
      toggle.title = toggle.textContent.trim();
    };
    toggle.hidden = false;
    toggle.addEventListener("click", () => {
      root.dataset.theme = theme() === "dark" ? "light" : "dark";
      writeCookie("theme", root.dataset.theme);
      showTheme();
    });
    system.addEventListener("change", showTheme);
    showTheme();
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
  // Flip panels that would overflow the edge of the page.
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

  // Offline support: the service worker is registered after the page has loaded, because it fetches a lot at first. The
  // other scripts are only loaded if this browser has stored an offline pack, marks or reports.
  const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 200));
  const register = () => idle(() => navigator.serviceWorker.register(worker).catch(() => {}), { timeout: 5000 });
  if ("serviceWorker" in navigator && worker) {
    if (document.readyState === "complete") register();
    else addEventListener("load", register, { once: true });
  }
  const hasStorage = async () =>
    root.dataset.packetAt || !indexedDB.databases ||
    (await indexedDB.databases()).some(({ name }) => name === "muster");
  const later = document.querySelector("template[data-keeping]");
  if (later) {
    hasStorage().then((isKept) => {
      if (!isKept) return;
      const scripts = later.content.cloneNode(true);
      for (const script of scripts.querySelectorAll("script")) script.async = false; // run in document order
      document.head.append(scripts);
    }, () => {});
  }

  // Going back to a submitted form may reload its page with a new key in the form. Restore the key it was submitted
  // with, so that submitting again leads to the existing result instead of a second one. A reload keeps the new key.
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

  // Enter submits a form that has only a select, as it does in a text field.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches?.("select[data-enter]")) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  });

  // A file dropped anywhere on a page with a file field is put into that field.
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

  // A form that is swapped in place (show:none) keeps the scroll position: the button that was pressed, or the element
  // nearest to it, stays at its height. Otherwise scroll anchoring follows the old part down, because the new one is
  // inserted above it. Messages stay visible until the reader scrolls away.
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
  const restoreScroll = () => {
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
    restoreScroll();
    document.querySelector(".message-area")?.classList.add("is-kept");
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.successful) return;
    places = null; // nothing was swapped in, or its errors are already focused
    root.style.removeProperty("overflow-anchor");
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (places) {
      restoreScroll(); // scripts may have changed the page since the swap
      // a button that was disabled during the request has lost the focus
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
  // Also swap in the response to a boosted form with errors.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!event.detail.boosted || event.detail.xhr.status !== 422) return;
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  });
})();
