// @ts-nocheck This text runs inside the sandbox, where a value can be anything. The tests run it there.

/** Finds the known name that is most similar. */
export function guestNames() {
  const MAX_WORD = 40;

  function folded(name) {
    return name.toLowerCase().replaceAll(/[_-]/g, "");
  }

  /** The number of different letters, up to the limit that matters here. */
  function distance(a, b) {
    if (Math.abs(a.length - b.length) > 3 || a.length > MAX_WORD) return MAX_WORD;
    let row = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) {
        const cost = a[i - 1] === b[j - 1] ? 0 : 1;
        next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + cost);
      }
      row = next;
    }
    return row[b.length];
  }

  function nearest(name, known) {
    const wanted = folded(name);
    const same = known.find((each) => folded(each) === wanted);
    if (same !== undefined) return same;
    const most = Math.min(2, Math.floor(wanted.length / 3));
    const close = known.find((each) => distance(folded(each), wanted) <= most);
    if (close !== undefined || wanted.length < 4) return close;
    return known.find((each) => folded(each).includes(wanted) || wanted.includes(folded(each)));
  }

  return { nearest };
}
