/**
 * The number of requests sent at the same time, because each may need its own process or
 * connection.
 */
export const MAX_CONCURRENT = 8;

/**
 * Runs tasks with limited concurrency and returns the results in order. After a failure, no more
 * tasks are started.
 */
export async function runLimited<Item, Value>(
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
