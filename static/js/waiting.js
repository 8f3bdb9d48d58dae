// The marks of a seat that wait to be sent, as the browser's database has them: they outlive the tab and the phone's
// battery, and each keeps the key by which it is done once.
"use strict";
self.waitingMarks = (seat, title) => {
  const { account } = document.body.dataset;
  const known = new Set();
  let last = Promise.resolve();
  const inTurn = (act) => {
    const made = last.then(act);
    last = made.catch(() => {});
    return made;
  };
  const add = async ({ fields }) => {
    known.add(fields.act);
    await keeping.markAdd({ act: fields.act, seat, title, url: location.pathname, account, fields });
  };
  return {
    // All that waits, in the order of the presses; `left` lay where an older version of the site kept it.
    load: (left) =>
      inTurn(async () => {
        const rows = await keeping.marks(seat);
        for (const { act } of rows) known.add(act);
        const older = left.filter(({ fields }) => !known.has(fields.act));
        for (const each of older) await add(each);
        return [...rows.map(({ fields }) => ({ fields })), ...older];
      }),
    // Makes the database hold what the queue holds, as far as this page knows of it.
    hold: (queue) =>
      inTurn(async () => {
        const now = new Set(queue.map(({ fields }) => fields.act));
        for (const each of queue) if (!known.has(each.fields.act)) await add(each);
        for (const act of [...known]) {
          if (now.has(act)) continue;
          await keeping.markDrop(act);
          known.delete(act);
        }
      }),
  };
};
