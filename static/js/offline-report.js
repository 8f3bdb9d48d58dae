// Reports made offline: stored on this phone, later compared with the current state of the form, and sent by hand.
"use strict";
(() => {
  const form = document.querySelector("form[data-report]");
  if (!form) return;
  const { account } = document.body.dataset;
  const storedAt = document.documentElement.dataset.packetAt;
  const url = keeping.pathOf(location.href);
  const OWN = ["csrfmiddlewaretoken", "once", "read", "form_account", "form_page"]; // new in each form
  const named = () => [...form.elements].filter(({ name, type }) => name && !OWN.includes(name) && type !== "submit");
  const read = () => {
    const values = {};
    for (const { name, type, value, checked, inputMode } of named()) {
      if (type === "radio") {
        if (checked) values[name] = value;
        else values[name] ??= "";
      } else if (type === "checkbox") values[name] = checked ? "yes" : "";
      else values[name] = inputMode === "numeric" && value.trim() === "0" ? "" : value;
    }
    return values;
  };
  const fill = (values) => {
    for (const field of named()) {
      if (!(field.name in values)) continue;
      if (field.type === "radio") field.checked = field.value === values[field.name];
      else if (field.type === "checkbox") field.checked = Boolean(values[field.name]);
      else field.value = values[field.name];
    }
    for (const field of named()) field.dispatchEvent(new Event("change", { bubbles: true }));
    fillAgain(values); // the stored values replace those that the grid has calculated
  };
  const fillAgain = (values) => {
    for (const field of named()) {
      if (field.type === "checkbox" && field.name in values) field.checked = Boolean(values[field.name]);
      else if (field.type === "text" && field.name in values) field.value = values[field.name];
    }
  };
  const one = (name) => named().find((field) => field.name === name);
  const label = (name) => {
    const field = one(name);
    const group = field?.closest("fieldset")?.querySelector("legend");
    const text = field?.getAttribute("aria-label") ??
      (field?.type === "radio" ? group?.textContent : field?.labels?.[0]?.textContent) ?? name;
    return text.trim().replace(/\s+/g, " ");
  };
  const words = (name, value) => {
    if (!value) return "–";
    const field = one(name);
    if (field?.tagName === "SELECT") return [...field.options].find((each) => each.value === value)?.text ?? value;
    if (field?.type === "radio") {
      const chosen = named().find((each) => each.name === name && each.value === value);
      return chosen?.labels?.[0]?.textContent.trim() ?? value;
    }
    return value;
  };

  const box = document.querySelector("[data-report-kept]");
  const line = box.querySelector("[data-report-status]");
  const table = box.querySelector("table");
  const put = box.querySelector("[data-report-put]");
  const drop = box.querySelector("[data-report-drop]");
  const begun = read(); // values of the form as loaded
  const say = (text) => {
    box.hidden = false;
    line.textContent = text;
  };

  // --- offline
  const isCut = () => storedAt || !navigator.onLine;
  form.addEventListener("submit", (event) => {
    if (!isCut()) return;
    event.preventDefault();
    const row = { url, account, title: document.title.split(" · ")[0], fields: read(), base: begun, at: new Date() };
    keeping.reportSave(row).then(
      () => say("Saved on this phone. Open this page when you are online to check and send it."),
      () => say("This phone can't save the report. Leave this page open until you are online."),
    ).then(() => box.scrollIntoView());
  });

  // --- online again
  const compare = (kept) => {
    const names = Object.keys(kept.fields).filter((name) => one(name));
    const rows = names.filter((name) => kept.fields[name] !== begun[name] || kept.base[name] !== begun[name]);
    const moved = names.filter((name) => kept.base[name] !== begun[name]).length;
    table.tBodies[0].replaceChildren(...rows.map((name) => {
      const row = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = label(name);
      row.append(head);
      const heads = [...table.tHead.rows[0].cells].slice(1);
      for (const [at, values] of [kept.base, kept.fields, begun].entries()) {
        const cell = document.createElement("td");
        cell.dataset.label = heads[at].textContent;
        cell.textContent = words(name, values[name]);
        row.append(cell);
      }
      return row;
    }));
    table.hidden = !rows.length;
    const lost = Object.keys(kept.fields).length - names.length;
    say(
      `A report you made ${self.phrases.ago(kept.at)} is saved on this phone and hasn't been sent. ${
        moved
          ? `Since then ${self.phrases.many(moved, "entry has", "entries have")} changed here.`
          : "Nothing has changed here since."
      }${lost ? ` ${self.phrases.many(lost, "entry is", "entries are")} no longer part of the form.` : ""}`,
    );
    put.hidden = drop.hidden = false;
    put.addEventListener("click", () => {
      fill(kept.fields);
      form.dataset.isKept = "yes";
      say("Your report is in the form. Check it and send it. Until then it stays on this phone.");
      form.scrollIntoView();
    });
    drop.addEventListener("click", async () => {
      await keeping.reportDrop(url, account);
      box.hidden = true;
    });
    // Submitted without leaving the page, because the stored report is only deleted once the response confirms it.
    form.addEventListener("submit", async (event) => {
      if (isCut() || form.dataset.isKept !== "yes") return;
      event.preventDefault();
      const body = new URLSearchParams(new FormData(form));
      const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin" }).catch(() => null);
      if (answer?.ok && answer.redirected) {
        const isSignIn = new URL(answer.url).searchParams.has("next"); // after signing in, the report is offered again
        if (!isSignIn) await keeping.reportDrop(url, account);
        return location.assign(answer.url);
      }
      if (answer) form.dataset.isKept = "no"; // the next submit is a normal one, which shows the errors
      say(
        answer
          ? "The report wasn't accepted and stays on this phone. Press Report result again to see why."
          : "The connection was lost. Your report stays on this phone. Press Report result again when you are online.",
      );
      box.scrollIntoView();
    });
  };
  keeping.report(url, account).then((kept) => {
    if (!kept) return;
    if (storedAt) {
      fill(kept.fields);
      say(
        "This is your report saved on this phone. If you change and report it again, it replaces the saved one.",
      );
    } else if (Object.entries(kept.fields).every(([name, value]) => begun[name] === value)) {
      return keeping.reportDrop(url, account); // already reported: from another device, or the response was lost
    } else compare(kept);
  }).catch(() => {});
})();
