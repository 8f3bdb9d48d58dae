// The arithmetic of paired dice and prepared rolls; systems/engine/dice.py has the same in Python.
"use strict";
self.fairDice = (() => {
  const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  const MASK = 0xffff_ffff_ffff_ffffn;
  const GOLDEN = 0x9e37_79b9_7f4a_7c15n;
  const sha = async (text) => new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const number = (bytes) => bytes.reduce((sum, each) => sum << 8n | BigInt(each), 0n);

  const linkText = (bytes) => {
    let left = number([...bytes]);
    let text = "";
    for (let at = 0; at < 26; at += 1) {
      text = LETTERS[Number(left & 31n)] + text;
      left >>= 5n;
    }
    return text;
  };
  const fresh = () => linkText(crypto.getRandomValues(new Uint8Array(16)));
  const before = async (link) => linkText((await sha(`muster-pair/1\n${link}`)).slice(0, 16));
  // Return the sealed link, then one link for each roll.
  const chain = async (last, length) => {
    const links = [last];
    for (let at = 0; at < length; at += 1) links.push(await before(links.at(-1)));
    return links.reverse();
  };
  const isOf = async (link, roll, sealed) => {
    let at = link;
    for (let left = roll; left > 0; left -= 1) at = await before(at);
    return at === sealed;
  };

  const mix = (value) => {
    let z = value;
    z = ((z ^ z >> 30n) * 0xbf58_476d_1ce4_e5b9n) & MASK;
    z = ((z ^ z >> 27n) * 0x94d0_49bb_1331_11ebn) & MASK;
    return z ^ z >> 31n;
  };
  // Return the faces of a roll; `lines` make up its seed: a secret, the roll's name, words.
  const thrown = async (lines, count, sides) => {
    const seed = number([...(await sha(["muster-dice/1", ...lines].join("\n"))).slice(0, 8)]);
    let state = mix((seed + mix(0n)) & MASK);
    return Array.from({ length: count }, () => {
      state = (state + GOLDEN) & MASK;
      return Number((mix(state) >> 32n) * BigInt(sides) >> 32n) + 1;
    });
  };
  const faces = ([one, other], roll, count, sides) => thrown([one, `pair-${roll}`, other], count, sides);
  // Parse a typed link; empty if it isn't one.
  const read = (text) => {
    const typed = text.toUpperCase().replace(/[^0-9A-Z]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
    return typed.length === 26 && [...typed].every((each) => LETTERS.includes(each)) ? typed : "";
  };
  return { before, chain, faces, fresh, isOf, linkText, read, thrown };
})();
