import { callResult, construct, expected, signatures } from "./calls.ts";
import { Checker } from "./checker.ts";
import { evaluate } from "./evaluate.ts";
import { linkFile } from "./link-file.ts";
import type { FileLinks } from "./file-links.ts";
import { findMembers } from "./members.ts";
import { namedExport } from "./names.ts";
import { LinkProgram } from "./program.ts";
import type { LinkInput, Reliance } from "./program.ts";

const RULES = { evaluate, findMembers, signatures, callResult, expected, construct };

export interface ExportedSymbol {
  readonly file: number;
  readonly symbol: number;
}

/** Resolves uses to declarations. An instance is valid for one state of the files. */
export class SymbolLinker {
  readonly #program: LinkProgram;
  readonly #checker: Checker;

  constructor(input: LinkInput) {
    this.#program = new LinkProgram(input);
    this.#checker = new Checker(this.#program, RULES);
  }

  linkFile(file: number): FileLinks {
    return linkFile(this.#checker, file);
  }

  /** The dependencies of a linked file's links. */
  dependsOn(file: number): Reliance {
    return this.#program.dependsOn(file);
  }

  /** The symbol of an exported name, through re-exports. Its number is that in its own file. */
  exported(file: number, name: string): ExportedSymbol | undefined {
    if (!this.#program.file(file)) return undefined;
    const found = namedExport(this.#checker, file, name, false);
    return found && found.symbol >= 0 ? { file: found.file, symbol: found.symbol } : undefined;
  }
}
