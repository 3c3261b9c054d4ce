import { isRecord } from "../envelope/index.ts";
import { evaluate } from "./mapping/index.ts";
import type { PreparedCard } from "./prepared.ts";
import type { CardScope } from "./request.ts";
import { inputScope, mapInput, outputScope } from "./scope.ts";

/** How to look whether a write took place. */
export interface VerifyProbe {
  readonly capability: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** What the written thing looks like, field by field. */
  readonly same: Readonly<Record<string, unknown>>;
  /** Fields of `same` that could not be told, so that a match without them proves less. */
  readonly missing: readonly string[];
  readonly created?: string;
  readonly authoritative: boolean;
  /** The field to know by what was there before the write, for which to look then as well. */
  readonly before?: string;
}

/** The probe of a call, or undefined when the card knows none. `viewer` comes from `env.viewer`. */
export function verifyProbe(card: PreparedCard, scope: CardScope): VerifyProbe | undefined {
  const { verify } = card;
  if (verify === undefined) return undefined;
  return mapInput(card, () => {
    const input = inputScope(card, scope);
    const viewer = scope.env?.["viewer"];
    const root = { ...(input.value as object), ...(viewer !== undefined && { viewer }) };
    const params = evaluate(verify.params, input).value;
    const { value: same, missing } = evaluate(verify.same, { ...input, value: root });
    return {
      capability: verify.capability,
      params: isRecord(params) ? params : {},
      same: isRecord(same) ? same : {},
      missing,
      ...(verify.created === undefined ? {} : { created: verify.created }),
      authoritative: verify.authoritative === true,
      ...(verify.before === undefined ? {} : { before: verify.before }),
    };
  });
}

/** What the answer of the write would have been, told from the thing that was found. */
export function verifiedOutput(card: PreparedCard, scope: CardScope, found: unknown): unknown {
  const output = card.verify?.output;
  return output === undefined ? found : evaluate(output, outputScope(card, found, scope)).value;
}
