/** The writes of a program that wait for one approval. */
export interface ProgramList {
  readonly waiting: readonly WaitingWrites[];
  /** Why more writes may follow. */
  readonly unfinished?: string;
  readonly program: string;
}

interface WaitingWrites {
  readonly capability_id: string;
  readonly count: number;
  /** The inputs of the first few writes. */
  readonly examples: readonly unknown[];
}

function isWaiting(value: unknown): value is WaitingWrites {
  const { capability_id, count, examples } = Object(value) as Partial<WaitingWrites>;
  return typeof capability_id === "string" && typeof count === "number" && Array.isArray(examples);
}

/**
 * Reads the list of writes that a program waits with. Undefined for other calls, and if the list
 * was too long to be stored completely.
 */
export function readProgramList(params: string): ProgramList | undefined {
  let value: unknown;
  try {
    value = JSON.parse(params);
  } catch {
    return undefined;
  }
  const { waiting, unfinished, program } = Object(value) as Record<string, unknown>;
  if (!Array.isArray(waiting) || !waiting.every(isWaiting)) return undefined;
  if (typeof program !== "string") return undefined;
  return { waiting, program, ...(typeof unfinished === "string" && { unfinished }) };
}
