// Rolls prepared for one seat and this phone, to be made in order while there is no network. A roll is marked as used
// before its faces are shown. systems/engine/dice.py has the same arithmetic.
"use strict";
self.preparedRolls = (seat) => {
  const name = (what) => `live-${seat}-${what}`;
  const read = (what) => {
    try {
      return JSON.parse(localStorage.getItem(name(what)));
    } catch {
      return null;
    }
  };
  const write = (what, value) => {
    try {
      localStorage.setItem(name(what), JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  };
  const key = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(12)), (each) => each.toString(16).padStart(2, "0")).join("");
  const phone = () => {
    const known = read("phone") ?? key();
    write("phone", known);
    return known;
  };
  const left = () => {
    const kept = read("ahead");
    return kept ? kept.length - kept.used : 0;
  };
  // Fetch prepared rolls; the site returns the same ones as long as some are left. Return the reason if there are none.
  const store = async (url, token) => {
    const body = new URLSearchParams({ phone: phone() });
    const answer = await fetch(url, { method: "POST", headers: { "X-CSRFToken": token }, body, redirect: "manual" });
    if (answer.status === 422) return (await answer.json()).reason;
    if (!answer.ok) throw new Error(String(answer.status));
    const given = await answer.json();
    const kept = read("ahead");
    if (kept?.chain === given.chain && kept.last === given.last) given.used = Math.max(given.used, kept.used);
    return write("ahead", given) ? "" : "There’s no space left on this phone.";
  };
  // Make the next roll; null if there is none, or if the phone can't store that it is used.
  const roll = async (count, sides) => {
    const kept = read("ahead");
    const number = (kept?.used ?? 0) + 1;
    const isDice = Number.isInteger(count) && count > 0 && count <= 40 && Number.isInteger(sides) && sides > 1;
    if (!kept || number > kept.length || !isDice || sides > 100) return null;
    if (!write("ahead", { ...kept, used: number })) return null;
    const links = await fairDice.chain(kept.last, kept.length);
    const faces = await fairDice.thrown([links[number], `ahead-${number}`], count, sides);
    return { chain: kept.chain, roll: number, link: links[number], faces };
  };
  return { left, phone, roll, store };
};
