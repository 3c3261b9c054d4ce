import { tokenise } from "./tokens.ts";

/** Words that people use for the same thing in searches. */
const GROUPS: readonly string[] = [
  "view show get read see display inspect",
  "list all every",
  "create add open new make write",
  "delete remove drop",
  "update edit change modify rename set",
  "rerun retry restart again",
  "check ci build pipeline",
  "workflow ci action pipeline",
  "log output",
  "find search look",
  "repo repository project",
  "pr pull",
  "user person people someone",
  "me my mine i am own",
  "assign assignee",
  "latest newest recent last",
  "start trigger launch dispatch",
  "stop cancel abort",
  "approve review",
  "file content",
  "diff patch",
  "ask request",
  "move transfer",
];

function others(group: readonly string[], word: string): string[] {
  return group.filter((other) => other !== word);
}

function byWord(): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, Set<string>>();
  for (const group of GROUPS.map((words) => tokenise(words))) {
    for (const word of group) {
      known.set(word, new Set([...(known.get(word) ?? []), ...others(group, word)]));
    }
  }
  return new Map([...known].map(([word, set]) => [word, [...set]]));
}

/** Built on first use, because most runs of the command do not search. */
let synonyms: ReadonlyMap<string, readonly string[]> | undefined;

/** Synonyms of a word, in their indexed form. */
export function findSynonyms(word: string): readonly string[] {
  synonyms ??= byWord();
  return synonyms.get(word) ?? [];
}
