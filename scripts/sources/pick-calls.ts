import { openapiSource } from "@waybill/adapters/openapi";
import { generate } from "../corpus/generate-value.ts";
import { rawOperations } from "../corpus/raw-operations.ts";
import type { Raw, RawOperation } from "../corpus/raw-operations.ts";

export interface PickedCall {
  readonly id: string;
  readonly raw: RawOperation;
  readonly input: Raw;
}

interface Listed {
  readonly id: string;
  readonly raw: RawOperation;
}

/**
 * Selects operations: one with a body, one with many parameters, and others from the middle of the
 * description.
 */
function inOrder(all: readonly Listed[]): Listed[] {
  const byParameters = all.toSorted((a, b) => b.raw.parameters.length - a.raw.parameters.length);
  const withBody = all.filter(({ raw }) => raw.body !== undefined);
  const middle = all.slice(Math.floor(all.length / 2));
  const chosen = [withBody[Math.floor(withBody.length / 3)], byParameters[0], ...middle, ...all];
  return [...new Set(chosen.filter((each) => each !== undefined))];
}

/** Calls with generated inputs. There are fewer if the description has fewer operations. */
export async function pickCalls(name: string, document: Raw, count: number): Promise<PickedCall[]> {
  const source = openapiSource({ name, document: JSON.stringify(document) });
  const raws = rawOperations(document);
  const listed = (await source.list()).flatMap(({ id, kind }, index) => {
    const raw = raws[index];
    return raw === undefined || kind !== "call" ? [] : [{ id, raw }];
  });
  const calls: PickedCall[] = [];
  for (const { id, raw } of inOrder(listed)) {
    if (calls.length === count) break;
    const { value, isValid } = await generate(source.describe(id).inputSchema, calls.length + 1);
    if (isValid) calls.push({ id, raw, input: value as Raw });
  }
  return calls;
}
