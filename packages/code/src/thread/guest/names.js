// @ts-nocheck This text runs inside the sandbox, where a value can be anything. The tests run it there.

/** Finds the known name that is most similar. */
export function guestNames() {
  const MAX_WORD = 40;

  function folded(name) {
    return name.toLowerCase().replaceAll(/[_-]/g, "");
  }

  /** The number of different letters. Two swapped neighbours count as one. */
  function distance(a, b) {
    if (Math.abs(a.length - b.length) > 3 || a.length > MAX_WORD) return MAX_WORD;
    let beforeLast = [];
    let last = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (let i = 1; i <= a.length; i++) {
      const row = [i];
      for (let j = 1; j <= b.length; j++) {
        const cost = a[i - 1] === b[j - 1] ? 0 : 1;
        const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
        const swapped = isSwap ? beforeLast[j - 2] + 1 : MAX_WORD;
        row[j] = Math.min(row[j - 1] + 1, last[j] + 1, last[j - 1] + cost, swapped);
      }
      beforeLast = last;
      last = row;
    }
    return last[b.length];
  }

  function closest(wanted, known) {
    let least = Math.min(2, Math.floor(wanted.length / 3));
    let found;
    for (const each of known) {
      const letters = distance(folded(each), wanted);
      if (letters > least) continue;
      found = each;
      if (letters === 0) return found;
      least = letters - 1;
    }
    return found;
  }

  function nearest(name, known) {
    const wanted = folded(name);
    const close = closest(wanted, known);
    if (close !== undefined || wanted.length < 4) return close;
    return known.find((each) => folded(each).includes(wanted) || wanted.includes(folded(each)));
  }

  return { nearest };
}
