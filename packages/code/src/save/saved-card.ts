import { EFFECTS } from "@waybill/core/cards";
import type { Card, Effect, OperationSpec } from "@waybill/core";
import { inferSchema } from "./infer-schema.ts";

/** A program that has run, with the facts for its card. */
export interface RanProgram {
  readonly id: string;
  readonly program: string;
  readonly input: unknown;
  /** The returned value; undefined if it is not completely known. */
  readonly value: unknown;
  /** The capabilities that it calls. */
  readonly called: readonly Pick<OperationSpec, "id" | "effect" | "idempotent">[];
  /** The names by which the program calls them (default: their ids). */
  readonly names?: readonly string[];
}

function strongest(called: RanProgram["called"]): Effect {
  const ranks = called.map(({ effect }) => EFFECTS.indexOf(effect));
  return EFFECTS[Math.max(0, ...ranks)]!;
}

function describeCalls(called: RanProgram["called"]): string {
  if (called.length === 0) return "Run a saved program";
  return `Run a saved program over ${called.map(({ id }) => id).join(", ")}`.slice(0, 200);
}

/** The card of a program, with schemas inferred from one run. */
export function savedCard({ id, program, input, value, called, names }: RanProgram): Card {
  return {
    capability_id: id,
    version: "1.0.0",
    description: describeCalls(called),
    effect: strongest(called),
    input_schema: input === undefined ? { type: "object" } : inferSchema(input),
    output_schema: value === undefined || value === null ? true : inferSchema(value),
    calls: names ?? called.map((each) => each.id),
    code: program.endsWith("\n") ? program : `${program}\n`,
  };
}
