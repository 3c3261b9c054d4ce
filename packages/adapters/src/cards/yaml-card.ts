import { LineCounter, isNode, parseDocument } from "yaml";
import type { Document } from "yaml";
import { toJson } from "@waybill/core/schema";
import type { CardProblem } from "@waybill/core/cards";

/** A parsed card file, with the line of every value in it. */
export interface YamlCard {
  readonly value: unknown;
  readonly locate: (pointer: string) => number;
  readonly problems: readonly CardProblem[];
}

/** The maximum number of values that YAML aliases may expand to. No card needs more. */
const MAX_ALIASES = 50;

function getKeys(pointer: string): string[] {
  const keys = pointer.split("/").slice(1);
  return keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * The line of the value at a pointer. If there is no such value, the line of the nearest one
 * around it. Line 1 for an empty file.
 */
function locator(document: Document, lines: LineCounter): (pointer: string) => number {
  return (pointer) => {
    for (let keys = getKeys(pointer); ; keys = keys.slice(0, -1)) {
      const node: unknown = keys.length === 0 ? document.contents : document.getIn(keys, true);
      const start = isNode(node) ? node.range?.[0] : undefined;
      if (start !== undefined) return lines.linePos(start).line;
      if (keys.length === 0) return 1;
    }
  };
}

function syntaxProblems(file: string, document: Document, lines: LineCounter): CardProblem[] {
  return [...document.errors, ...document.warnings].map(({ message, pos }) => ({
    file,
    line: lines.linePos(pos[0]).line,
    key: "",
    message: message.split("\n", 1)[0]!.replace(/ at line \d+, column \d+:?$/, ""),
  }));
}

/** Parses the YAML of a card. `problems` lists the parts that cannot be parsed. */
export function readYaml(text: string, file: string): YamlCard {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const locate = locator(document, lines);
  const problems = syntaxProblems(file, document, lines);
  if (problems.length > 0) return { value: undefined, locate, problems };
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { value: toJson(value).value, locate, problems };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { value: undefined, locate, problems: [{ file, line: 1, key: "", message }] };
  }
}
