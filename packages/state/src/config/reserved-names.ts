/**
 * The first words of built-in ids. If a source had such a name, its operations would look built-in.
 */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  "branch",
  "code",
  "comment",
  "commit",
  "discussion",
  "file",
  "gist",
  "github",
  "graph",
  "issue",
  "label",
  "milestone",
  "notification",
  "pr",
  "project_v2",
  "release",
  "repo",
  "result",
  "search",
  "secret",
  "tag",
  "user",
  "variable",
  "waybill",
  "workflow",
]);

/** Why a source may not have this name; undefined if it may. */
export function nameProblem(name: string): string | undefined {
  if (!RESERVED_NAMES.has(name.toLowerCase())) return undefined;
  return `${name} is the first word of built-in ids; choose another name for the source`;
}
