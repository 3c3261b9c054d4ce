import { createHash } from "node:crypto";

/**
 * Model providers allow 64 characters, and clients put their own before a name: `mcp__waybill__`.
 */
const MAX_NAME = 50;
const DIGEST = 6;

function shortened(id: string): string {
  const digest = createHash("sha256").update(id).digest("hex").slice(0, DIGEST);
  const plain = id.replaceAll(/[^\w-]/gu, "_");
  return `${plain.slice(0, MAX_NAME - DIGEST - 1)}_${digest}`;
}

function toolName(id: string): string {
  const plain = id.replaceAll(/[^\w-]/gu, "_");
  // Gemini wants a letter or an underscore first.
  const name = /^[A-Za-z_]/u.test(plain) ? plain : `_${plain}`;
  return name.length > MAX_NAME ? shortened(name) : name;
}

/**
 * The tool's name for each id: the id where that can be a name, else what is left of it. Where two
 * would be the same, or one is taken, a digest tells them apart, whatever order they come in.
 */
export function toolNames(
  ids: readonly string[],
  taken: readonly string[],
): ReadonlyMap<string, string> {
  const users = new Map<string, number>(taken.map((name) => [name, 1]));
  for (const id of ids) users.set(toolName(id), (users.get(toolName(id)) ?? 0) + 1);
  return new Map(
    ids.map((id) => [
      id,
      users.get(toolName(id)) === 1 ? toolName(id) : shortened(toolName(id) + id),
    ]),
  );
}
