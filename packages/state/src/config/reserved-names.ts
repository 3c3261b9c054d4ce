/**
 * The first words of the ids that come with Waybill. A source of such a name would have its
 * operations read like built-in ones.
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

/** Why a source may not be called so; undefined when it may. */
export function nameProblem(name: string): string | undefined {
  if (!RESERVED_NAMES.has(name.toLowerCase())) return undefined;
  return `${name} is the first word of built-in ids; choose another name for the source`;
}
