import type { Program } from "oxc-parser";
import { ENTRYPOINTS } from "../../entrypoints/index.ts";
import { addWords } from "../facts/words.ts";
import type { FileSymbolData } from "../facts/symbol-facts.ts";
import { classLike } from "./classes.ts";
import { docTypes } from "./doc-types.ts";
import { expression } from "./expressions.ts";
import { Extraction } from "./extraction.ts";
import type { Walk } from "./extraction.ts";
import { func } from "./functions.ts";
import { statement, statements } from "./statements.ts";
import { getSurface } from "./surface.ts";
import { type } from "./types.ts";

const WALK: Walk = {
  recognise: ENTRYPOINTS,
  expression,
  type,
  statement,
  statements,
  func,
  classLike,
};

export interface SourceText {
  /** The path relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
  /** Functions that are used like `require`. */
  readonly exotic?: readonly string[] | undefined;
  /** The part of the file that is not parsed: a template, or a whole file with syntax errors. */
  readonly unparsed?: string | undefined;
}

/** Extracts the symbols of a file and their uses in one walk over the tree. */
export function extractSymbols(program: Program, source: SourceText): FileSymbolData {
  const { path, text, exotic = [] } = source;
  const x = new Extraction(text, WALK, exotic);
  const name = path.slice(path.lastIndexOf("/") + 1);
  x.declare({ name, kind: "module", start: 0, end: text.length, head: 0 });
  statements(x, program.body, "module");
  x.finish();
  ENTRYPOINTS.finished(x, path);
  if (source.unparsed !== undefined) addWords(x.writer, source.unparsed);
  if (x.isCut) addWords(x.writer, text);
  else if (/\.[cm]?jsx?$/.test(path)) addWords(x.writer, docTypes(text));
  return x.writer.finish(getSurface(x.writer));
}
