/** What is sent one by one may be a lot, and each a process or a connection of its own. */
export const AT_ONCE = 8;

/** What each gives, in order, no more than so many under way at a time, and none after a failure. */
export async function inTurn<Item, Value>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  const left = items.entries();
  let hasFailed = false;
  const workOn = async (): Promise<void> => {
    for (const [index, item] of left) {
      if (hasFailed) return;
      values[index] = await work(item);
    }
  };
  const workers = Array.from({ length: Math.min(width, items.length) }, workOn);
  try {
    await Promise.all(workers);
    return values;
  } finally {
    hasFailed = true;
  }
}
