// A seat's marks that aren't sent yet, in the browser's database: they survive a closed tab and an empty battery, and
// each keeps its key, so that it is applied only once.
"use strict";
self.waitingMarks = (seat, title) => {
  const { account } = document.body.dataset;
  let last = Promise.resolve();
  const inTurn = (act) => {
    const made = last.then(act);
    last = made.catch(() => {});
    return made;
  };
  const add = ({ fields }) =>
    keeping.markAdd({ act: fields.act, seat, title, url: location.pathname, account, fields });
  return {
    // Return all marks in order; `left` are those that live.js found in localStorage.
    load: (left) =>
      inTurn(async () => {
        const rows = await keeping.marks(seat);
        const known = new Set(rows.map(({ act }) => act));
        const older = left.filter(({ fields }) => !known.has(fields.act));
        for (const each of older) await add(each);
        return [...rows.map(({ fields }) => ({ fields })), ...older];
      }),
    add: (entry) => inTurn(() => add(entry)),
    // Delete a mark that the server has accepted or rejected.
    drop: (act) => inTurn(() => keeping.markDrop(act)),
  };
};
