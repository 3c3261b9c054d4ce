import type { FactsWriter } from "./facts-writer.ts";

const WORD = /[\p{ID_Start}_$][\p{ID_Continue}$]*/gu;
/** `<user-card>` is how a template writes UserCard. */
const TAG = /<\/?([a-z][a-z0-9]*(?:-[a-z0-9]+)+)/g;
/** A text of more different words than this is no code that people wrote. */
const MAX_WORDS = 100_000;
/** Stands for every name: the text has more words than are kept. */
export const ANY_WORD = "*";

/** Notes every word of a text that is not parsed: whatever has such a name may be used there. */
export function addWords(writer: FactsWriter, text: string): void {
  if (text === ANY_WORD) return writer.unresolved(ANY_WORD, "text");
  for (const [word] of text.matchAll(WORD)) {
    if (word.length > 1) writer.unresolved(word, "text");
    if (writer.count("unresolved") > MAX_WORDS) return writer.unresolved(ANY_WORD, "text");
  }
  for (const [, tag] of text.matchAll(TAG)) writer.unresolved(pascalCase(tag ?? ""), "text");
}

function pascalCase(text: string): string {
  return text.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
