import type { Token } from "./tokens.ts";
import { UnsupportedPattern } from "./translate.ts";

const MAX_DEPTH = 200;

/** A pattern as a tree. An assertion, such as `^`, consumes no character. */
export type Tree =
  | { readonly is: "characters" | "sign"; readonly text: string }
  | { readonly is: "sequence" | "choice"; readonly parts: readonly Tree[] }
  | { readonly is: "repeat"; readonly part: Tree; readonly min: number; readonly max: number };

interface Level {
  readonly choices: Tree[];
  sequence: Tree[];
}

function finished({ choices, sequence }: Level): Tree {
  const last: Tree = { is: "sequence", parts: sequence };
  return choices.length === 0 ? last : { is: "choice", parts: [...choices, last] };
}

/** Parses a pattern. Throws an UnsupportedPattern if it is nested too deeply. */
export function parseTree(tokens: readonly Token[]): Tree {
  const levels: Level[] = [{ choices: [], sequence: [] }];
  for (const token of tokens) {
    const level = levels.at(-1)!;
    if (levels.length > MAX_DEPTH) throw new UnsupportedPattern("it is nested too deeply");
    if (token.is === "open") levels.push({ choices: [], sequence: [] });
    else if (token.is === "close") {
      levels.pop();
      levels.at(-1)!.sequence.push(finished(level));
    } else if (token.is === "or") {
      level.choices.push({ is: "sequence", parts: level.sequence });
      level.sequence = [];
    } else if (token.is === "repeat") {
      const part = level.sequence.pop()!;
      level.sequence.push({ is: "repeat", part, min: token.min, max: token.max });
    } else {
      const is = token.is === "characters" ? "characters" : "sign";
      level.sequence.push({ is, text: token.text });
    }
  }
  return finished(levels[0]!);
}
