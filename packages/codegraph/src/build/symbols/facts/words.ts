import { ANY_NAME } from "../../../graph/index.ts";
import type { FactsWriter } from "./facts-writer.ts";

const WORD = /[\p{ID_Start}_$][\p{ID_Continue}$]*/gu;
/** In a template, `<user-card>` means UserCard. */
const TAG = /<\/?([a-z][a-z0-9]*(?:-[a-z0-9]+)+)/g;
/** The most different words to record. A file with more is generated. */
const MAX_WORDS = 100_000;

/** Records every word of a text that is not parsed: a symbol with such a name may be used there. */
export function addWords(writer: FactsWriter, text: string): void {
  if (text === ANY_NAME) return writer.unresolved(ANY_NAME, "text");
  for (const [word] of text.matchAll(WORD)) {
    if (word.length > 1) writer.unresolved(word, "text");
    if (writer.count("unresolved") > MAX_WORDS) return writer.unresolved(ANY_NAME, "text");
  }
  for (const [, tag] of text.matchAll(TAG)) writer.unresolved(pascalCase(tag ?? ""), "text");
}

function pascalCase(text: string): string {
  return text.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
