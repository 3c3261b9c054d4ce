import { join } from "node:path";
import { parseSync, rawTransferSupported } from "oxc-parser";
import type { Program } from "oxc-parser";
import { ANY_NAME, isNamedLanguage } from "../../graph/index.ts";
import type { Language } from "../../graph/index.ts";
import { readSource, readText } from "../files/read.ts";
import { hasGrammar, withTree } from "../languages/grammars.ts";
import { NAMED_GRAMMARS } from "../languages/named-grammars.ts";
import { parserOptions } from "../modules/parse.ts";
import { getScript, findTemplate } from "../modules/scripts.ts";
import { extractGo, extractNamed, extractPython, extractSymbols } from "../symbols/index.ts";
import type { FileSymbolData } from "../symbols/index.ts";

export interface ExtractJob {
  /** The path relative to the root. */
  readonly path: string;
  readonly language: Language;
  /** The functions used like `require` that the file calls. */
  readonly exotic?: readonly string[];
  /** Whether the file has syntax errors. */
  readonly isBroken?: boolean;
}

/** Transfers the tree without JSON, if the runtime supports that. */
const TRANSFER = { experimentalRawTransfer: rawTransferSupported() };

/** The symbols of a file; undefined if it cannot be read, or if its grammar is missing. */
export async function extractFile(
  root: string,
  job: ExtractJob,
): Promise<FileSymbolData | undefined> {
  try {
    return await extract(root, job);
  } catch (error) {
    // Generated code may be nested deeper than the stack allows. Other files are not affected.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

async function extract(
  root: string,
  { path, language, exotic, isBroken }: ExtractJob,
): Promise<FileSymbolData | undefined> {
  const file = join(root, path);
  const source = readSource(file);
  if (source === "too large" || source === "too deep") return extractWords(path, readText(file));
  if (typeof source === "string") return undefined;
  if (language === "python") {
    return withTree(language, source.text, (tree) => extractPython(tree, path));
  }
  if (language === "go") return withTree(language, source.text, (tree) => extractGo(tree, path));
  if (isNamedLanguage(language)) {
    const { grammar } = NAMED_GRAMMARS[language];
    if (!hasGrammar(grammar)) return extractWords(path, source.text);
    return withTree(grammar, source.text, (tree) => extractNamed(tree, path, language));
  }
  if (language === "other") return extractWords(path, source.text);
  const text = getScript(language, source.text);
  const unparsed = isBroken === true ? source.text : findTemplate(language, source.text);
  return extractSymbols(getProgram(path, language, text), { path, text, exotic, unparsed });
}

/** A file that is not parsed records its words; a file that is not read may contain any word. */
function extractWords(path: string, text: string | undefined): FileSymbolData {
  const unparsed = text ?? ANY_NAME;
  return extractSymbols(parseSync("empty.ts", "").program, { path, text: "", unparsed });
}

function getProgram(path: string, language: Language, text: string): Program {
  const result = parseSync(path, text, { ...parserOptions(language), ...TRANSFER });
  const { program } = result;
  if (program.body.length > 0 || language === "typescript") return program;
  return parseSync(path, text, { lang: "tsx", ...TRANSFER }).program;
}
