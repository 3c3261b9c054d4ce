import { checkInput, parseInput } from "../../registry/index.ts";
import type { Entry, Schemas } from "../../registry/index.ts";

const DECODE = { decode: true } as const;

/** Named params as a handler gets them; a promise only where a schema library reads them. */
export function checkParams(entry: Entry, schemas: Schemas, named: unknown): unknown {
  const parse = entry.spec.parseInput;
  return parse === undefined
    ? checkInput(entry.id, schemas.input, named, DECODE)
    : parseInput(entry.id, parse, named, schemas.input, DECODE);
}
