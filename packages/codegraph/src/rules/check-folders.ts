import { findComponents } from "../analysis/index.ts";
import type { CodeGraph } from "../graph/index.ts";
import { foldersOf } from "./folders.ts";
import { PlaceMatcher } from "./places.ts";
import type { ForbiddenRule, Violation } from "./rule.ts";

/** Checks rules with `scope: "folder"`. */
export function* forbiddenFolders(graph: CodeGraph, rule: ForbiddenRule): Generator<Violation> {
  const { names, links, instability } = foldersOf(graph);
  const { of } = findComponents(links);
  const from = new PlaceMatcher(rule.from);
  const to = new PlaceMatcher(rule.to);
  for (const [folder, name] of names.entries()) {
    if (!from.matches(name)) continue;
    const groups = from.groups(name);
    for (let link = links.starts[folder]!; link < links.starts[folder + 1]!; link++) {
      const target = links.targets[link]!;
      if (!to.matches(names[target]!, groups)) continue;
      if (!agrees(rule.to?.circular, of[folder] === of[target])) continue;
      if (!agrees(rule.to?.moreUnstable, instability[folder]! < instability[target]!)) continue;
      yield violation(rule, name, names[target]!);
    }
  }
}

function agrees(wanted: boolean | undefined, actual: boolean): boolean {
  return wanted === undefined || wanted === actual;
}

function violation(rule: ForbiddenRule, sourceFile: string, targetFile: string): Violation {
  return {
    rule: rule.name,
    severity: rule.severity ?? "warning",
    sourceFile,
    targetFile,
    description: rule.comment ?? `the folder ${sourceFile} must not depend on ${targetFile}`,
  };
}
