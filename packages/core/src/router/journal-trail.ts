import { isRecord } from "../envelope/index.ts";
import type { Known } from "./match-probe.ts";

/**
 * Data that a call leaves in the journal, so that another process can find out later whether its
 * write was applied.
 */
export interface Trail {
  /** The objects that existed before the write. */
  readonly known?: Known | undefined;
  /** The caller's name at the upstream. */
  readonly viewer?: string | undefined;
  /** When the write was last sent, on this machine's clock. */
  readonly sentAt?: number | undefined;
}

/** The maximum number of ids to keep. A page has fewer. */
const MAX_VALUES = 200;

export function writeTrail({ known, viewer }: Trail): string {
  const values = [...(known?.values ?? [])];
  const kept = known !== undefined && values.length <= MAX_VALUES;
  return JSON.stringify({
    ...(kept && { known: { field: known.field, values, serverDate: known.serverDate } }),
    ...(viewer !== undefined && { viewer }),
    sentAt: Date.now(),
  });
}

function readKnown(value: unknown): Known | undefined {
  if (!isRecord(value)) return undefined;
  const { field, values, serverDate } = value;
  if (typeof field !== "string" || !Array.isArray(values)) return undefined;
  const date = typeof serverDate === "number" ? serverDate : undefined;
  return { field, values: new Set<unknown>(values), serverDate: date };
}

/** An unreadable trail is treated as empty. */
export function readTrail(text: string): Trail {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return {};
    const { known, viewer, sentAt } = value;
    return {
      known: readKnown(known),
      viewer: typeof viewer === "string" ? viewer : undefined,
      sentAt: typeof sentAt === "number" ? sentAt : undefined,
    };
  } catch {
    return {};
  }
}
