// The marks of a seat that wait to be sent, as the browser's database has them: they outlive the tab and the phone's
// battery, and each keeps the key by which it is done once.
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
    // All that waits, in the order of the presses; `left` lay where an older version of the site kept it.
    load: (left) =>
      inTurn(async () => {
        const rows = await keeping.marks(seat);
        const known = new Set(rows.map(({ act }) => act));
        const older = left.filter(({ fields }) => !known.has(fields.act));
        for (const each of older) await add(each);
        return [...rows.map(({ fields }) => ({ fields })), ...older];
      }),
    add: (entry) => inTurn(() => add(entry)),
    // Of one that the server has answered.
    drop: (act) => inTurn(() => keeping.markDrop(act)),
  };
};
