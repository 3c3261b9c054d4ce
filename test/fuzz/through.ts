/** An input that led to a problem. */
export interface Violation {
  readonly input: unknown;
  readonly problem: string;
}

/** Sends this many inputs through one interface. The same seed sends the same inputs. */
export type Door = (count: number, seed: number) => Promise<Violation[]>;

export async function through<Input>(
  inputs: Iterable<Input>,
  run: (input: Input) => Promise<string | undefined | void>,
): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const input of inputs) {
    const problem = await run(input).catch(
      (error: unknown) => `threw ${error instanceof Error ? error.stack : String(error)}`,
    );
    if (typeof problem === "string") violations.push({ input, problem });
  }
  return violations;
}
