import { readPlainFile } from "./read-plain-file.ts";
import { writePrivate } from "./write-whole.ts";

/** A warning is shown again after this time. */
const REMEMBERED_MS = 3_600_000;
const MAX_TEXTS = 20;
const MAX_BYTES = 100_000;

type Shown = readonly (readonly [text: string, time: number])[];

function isEntry(value: unknown): value is Shown[number] {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "number";
}

async function readEntries(path: string): Promise<Shown> {
  try {
    const entries: unknown = JSON.parse(String(await readPlainFile(path, MAX_BYTES)));
    const oldest = Date.now() - REMEMBERED_MS;
    return Array.isArray(entries)
      ? entries.filter(isEntry).filter(([, time]) => time > oldest)
      : [];
  } catch {
    return [];
  }
}

/** The warnings that were shown within the last hour. */
export async function readShown(path: string): Promise<Set<string>> {
  return new Set((await readEntries(path)).map(([text]) => text));
}

/** Records which warnings were shown. If the folder cannot be written, they are shown again. */
export async function keepShown(path: string, texts: Iterable<string>): Promise<void> {
  const entries = await readEntries(path);
  const known = new Set(entries.map(([text]) => text));
  const added = [...texts].filter((text) => !known.has(text)).map((text) => [text, Date.now()]);
  if (added.length === 0) return;
  const kept = JSON.stringify([...entries, ...added].slice(-MAX_TEXTS));
  await writePrivate(path, kept, { flush: false }).catch(() => {});
}
