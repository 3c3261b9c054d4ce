import { FUNC_FLAG } from "../facts/ops.ts";
import type { Checker, Signature } from "./checker.ts";
import { findElement } from "./instances.ts";
import type { Env, Type } from "./type.ts";

/** The parameter at a position. A rest parameter takes all following positions. */
export function parameterAt(
  c: Checker,
  { file, node }: Signature,
  place: number,
  env: Env | undefined,
): Type | undefined {
  const { code } = c.file(file);
  const count = code[node + 4]!;
  const rest = (code[node + 1]! & FUNC_FLAG.rest) !== 0;
  if (rest && place >= count - 1) {
    return findElement(c, c.evaluate(file, code[node + 4 + count]!, env), place - count + 1);
  }
  return place < count ? c.evaluate(file, code[node + 5 + place]!, env) : undefined;
}
