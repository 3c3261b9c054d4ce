/** One rule of a contract, for any test runner: `for (const { name, run } of …) it(name, run)`. */
export interface ContractCase {
  /** The rule as a sentence. */
  readonly name: string;
  /** Rejects if the rule is broken. */
  readonly run: () => Promise<void>;
}

class ContractError extends Error {
  override readonly name = "ContractError";
}

export function expectTrue(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new ContractError(sentence);
}

export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  expectTrue(got === wanted, `${what}: expected ${wanted}, got ${got}`);
}

/** The error of a rejected promise. Throws if the promise resolves. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new ContractError("expected a rejection");
}

/** Waits until a condition is true, but not longer than a limit. */
export async function eventually(condition: () => boolean, sentence: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!condition()) {
    expectTrue(Date.now() < end, sentence);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
