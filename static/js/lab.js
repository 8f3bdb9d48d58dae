// The lab's plus and minus buttons change the number beside them instead of submitting the form. Each changed build is
// an entry in the browser's history, so that Back, Undo and Redo go from build to build. Without scripts, each build is
// a page of its own.
"use strict";
(() => {
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".lab__form button[data-step]");
    if (!button || !window.htmx) return;
    event.preventDefault();
    const input = button.parentElement.querySelector("input");
    input.value = Math.max(0, (parseInt(input.value, 10) || 0) + parseInt(button.dataset.step, 10));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });

  const steps = document.querySelector(".lab-steps");
  if (!steps || !window.htmx) return;
  const at = () => history.state?.lab ?? 0;
  let last = at();
  const updateButtons = () => {
    const [undo, redo] = steps.querySelectorAll("button");
    undo.disabled = at() < 1;
    redo.disabled = at() >= last;
  };
  if (history.state?.lab === undefined) history.replaceState({ lab: 0 }, "");
  updateButtons();
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) last = at(); // leaving the page discarded the undone steps
    updateButtons();
  });

  // Return the query of the build without its name and without what else the page shows.
  const buildQuery = (address) => {
    const fields = new URL(address, location.href).searchParams;
    for (const name of [...fields.keys()]) if (/^(name|with|fill\b.*)$/.test(name)) fields.delete(name);
    fields.sort();
    return fields.toString();
  };
  const step = (address) => {
    if (buildQuery(address) === buildQuery(location.href)) {
      history.replaceState(history.state, "", address);
    } else {
      last = at() + 1;
      history.pushState({ lab: last }, "", address);
    }
    updateButtons();
  };
  const load = async () => {
    htmx.trigger("#lab-form", "htmx:abort");
    const values = document.querySelector(".lab__form [name=counting]:checked") ? { counting: 1 } : {};
    await htmx.ajax("GET", location.href, { target: ".lab", select: ".lab", swap: "outerHTML", values });
    updateButtons();
    refreshMore();
  };
  // Reload the comparison and the form for a random build, which depend on the build.
  const refreshMore = () => {
    const { query } = document.getElementById("lab-more").dataset;
    if (!query) return;
    const address = new URL(location.href);
    for (const name of [...address.searchParams.keys()]) if (/^fill\b/.test(name)) address.searchParams.delete(name);
    for (const [name, value] of new URLSearchParams(query)) address.searchParams.set(name, value);
    htmx.ajax("GET", address.pathname + address.search, {
      target: "#lab-more",
      select: "#lab-more",
      swap: "outerHTML",
    });
  };
  document.addEventListener("lab-built", (event) => {
    step(event.detail.address);
    refreshMore();
  });
  window.addEventListener("popstate", load);
  steps.addEventListener("click", (event) => {
    const button = event.target.closest("[data-undo]");
    if (button) history.go(parseInt(button.dataset.undo, 10));
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !/^[zy]$/i.test(event.key)) return;
    if (event.target.matches("input:not([type=radio], [type=checkbox]), textarea")) return; // these have their own undo
    const isRedo = event.shiftKey || event.key.toLowerCase() === "y";
    event.preventDefault();
    steps.querySelectorAll("button")[isRedo ? 1 : 0].click();
  });

  // A link to another build is a step too.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-build]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    step(link.href);
    load().then(() => document.querySelector("#preview .verdict")?.focus());
  });

  // All changed parts of the form arrive in one fragment: swapping each separately would take a phone over a second.
  const place = () => {
    for (const fresh of document.querySelectorAll("#lab-news > [data-for]")) {
      const current = document.getElementById(fresh.dataset.for);
      fresh.id = fresh.dataset.for;
      fresh.removeAttribute("data-for");
      if (current && !current.isEqualNode(fresh)) current.replaceWith(fresh);
    }
    document.getElementById("lab-news").replaceChildren();
    sort();
  };

  // Items that the frame can't take are listed in folds below those it can take, one fold for each reason.
  const foldOf = (group, reason) => {
    const known = [...group.querySelectorAll("[data-reason]")].find((each) => each.dataset.reason === reason);
    if (known) return known;
    const fold = document.createElement("details");
    fold.className = "lab-barred";
    fold.dataset.reason = reason;
    const list = group.querySelector("[data-fits]").cloneNode();
    list.removeAttribute("data-fits");
    list.setAttribute("data-list", "");
    fold.append(document.createElement("summary"), list);
    group.append(fold);
    return fold;
  };
  const sort = () => {
    for (const group of document.querySelectorAll("[data-order]")) {
      const order = group.dataset.order.split(" ");
      for (const item of group.querySelectorAll("[data-item]")) {
        const { refusal } = item.querySelector("[data-refusal]").dataset;
        const now = item.closest("[data-reason]")?.dataset.reason ?? "";
        if (refusal === now || item.contains(document.activeElement)) continue;
        const list = refusal ? foldOf(group, refusal).querySelector("[data-list]") : group.querySelector("[data-fits]");
        const later = order.slice(order.indexOf(item.dataset.item) + 1);
        list.insertBefore(item, [...list.children].find((each) => later.includes(each.dataset.item)) ?? null);
      }
      for (const fold of group.querySelectorAll("[data-reason]")) {
        const count = fold.querySelectorAll("[data-item]").length;
        fold.querySelector("summary").textContent = `${count} not available: ${fold.dataset.reason}`;
        if (!count) fold.remove();
      }
    }
  };

  // Announce only the verdict to screen readers, and only when it changes.
  const tellVerdict = () => {
    const verdict = document.querySelector("#preview .verdict, #preview .note--bad")?.textContent.trim() ?? "";
    const says = document.getElementById("lab-says");
    if (says.dataset.announced !== undefined && says.dataset.announced !== verdict) says.textContent = verdict;
    says.dataset.announced = verdict;
  };
  tellVerdict();

  // Folds beside the form stay open when the build changes.
  const unfolded = new Set();
  document.addEventListener(
    "toggle",
    (event) => {
      const fold = event.target.dataset?.fold;
      if (fold) unfolded[event.target.open ? "add" : "delete"](fold);
    },
    true,
  );
  document.addEventListener("htmx:afterSwap", () => {
    tellVerdict();
    for (const each of document.querySelectorAll("#preview [data-fold]")) each.open = unfolded.has(each.dataset.fold);
  });

  // Options show what choosing them would change. Update their texts in place, so that an open or focused list stays.
  const values = (select) => [...select.options].map((each) => each.value).join();
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.detail.target.id === "lab-news") place();
    if (event.detail.target.id !== "lab-options") return;
    for (const fresh of document.querySelectorAll("#lab-options select")) {
      const current = document.getElementById(fresh.dataset.for);
      if (!current) continue;
      if (values(current) === values(fresh)) {
        [...fresh.options].forEach((option, place) => {
          if (current.options[place].text !== option.text) current.options[place].text = option.text;
        });
      } else {
        const value = current.value;
        current.replaceChildren(...[...fresh.options].map((option) => option.cloneNode(true)));
        current.value = value;
      }
    }
  });
})();
