import { createHash } from "node:crypto";

/**
 * The maximum length of a tool name. Model providers allow 64 characters, and clients add a
 * prefix such as `mcp__waybill__`.
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
  // Matches a valid first character, because Gemini requires a letter or an underscore.
  const name = /^[A-Za-z_]/u.test(plain) ? plain : `_${plain}`;
  return name.length > MAX_NAME ? shortened(name) : name;
}

/**
 * The tool name for each id: the id itself if it is valid, otherwise its valid characters. If
 * two names are equal, or a name is taken, a digest is added. The result does not depend on the
 * order of the ids.
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
