import { fail } from "@waybill/core";
import type { Language } from "../../graph/index.ts";

const IDENTIFIER = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const SCRIPT = words(`
  await break case catch class const continue debugger default delete do else enum export extends
  false finally for function if implements import in instanceof interface let new null package
  private protected public return static super switch this throw true try typeof var void while
  with yield arguments eval undefined`);
const PYTHON = words(`
  False None True and as assert async await break class continue def del elif else except finally
  for from global if import in is lambda nonlocal not or pass raise return try while with yield`);
const GO = words(`
  break case chan const continue default defer else fallthrough for func go goto if import
  interface map package range return select struct switch type var nil true false iota _ init main`);

const RESERVED: Readonly<Partial<Record<Language, ReadonlySet<string>>>> = {
  python: PYTHON,
  go: GO,
};

/** Refuses a new name that is none in the language. */
export function checkNewName(language: Language, from: string, to: string): void {
  const name = to.replace(/^#/, "");
  const isKept = (RESERVED[language] ?? SCRIPT).has(name);
  if (!IDENTIFIER.test(name) || isKept || to.startsWith("#") !== from.startsWith("#")) {
    throw fail("VALIDATION", `${JSON.stringify(to)} is not a valid new name for ${from}`, {
      issues: [
        {
          path: "/to",
          message: isKept ? "is a word of the language" : "must be an identifier",
        },
      ],
    });
  }
  if (to === from)
    throw fail("VALIDATION", `The symbol is already called ${from}. Pass another name`);
}
