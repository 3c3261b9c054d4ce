import { isRecord } from "@waybill/core";
import type { CallDetail } from "./wire.ts";

type Written = Pick<CallDetail, "command" | "code">;
type Call = Pick<CallDetail, "kind" | "capability_id" | "params" | "params_size">;

/** Between these a shell takes every sign as it is, but for the sign itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function chainOf(params: unknown): Written {
  const steps = isRecord(params) ? params["steps"] : [];
  const json = JSON.stringify(steps ?? []);
  return {
    command: `waybill chain --steps ${quoted(json)}`,
    code: `await waybill.chain(${JSON.stringify(steps ?? [], null, 2)});`,
  };
}

function isEmpty(params: unknown): boolean {
  return !isRecord(params) || Object.keys(params).length === 0;
}

/** A call as it would be made again. What was too large to be kept has to come from a file. */
export function writtenCall({ kind, capability_id: id, params, params_size }: Call): Written {
  const name = JSON.stringify(id);
  if (params_size !== undefined) {
    return {
      command: `waybill ${kind === "chain" ? "chain --steps" : `run ${quoted(id)} --input`} @input.json`,
      code: `await waybill.${kind === "chain" ? "chain(steps" : `execute(${name}, input`}); // the input was too large to be kept`,
    };
  }
  if (kind === "chain") return chainOf(params);
  if (isEmpty(params)) {
    return { command: `waybill run ${shellId(id)}`, code: `await waybill.execute(${name});` };
  }
  return {
    command: `waybill run ${shellId(id)} --input ${quoted(JSON.stringify(params))}`,
    code: `await waybill.execute(${name}, ${JSON.stringify(params, null, 2)});`,
  };
}

/** What was called may have been anything, also what a shell would run. */
function shellId(id: string): string {
  return /^[\w.-]+$/u.test(id) ? id : quoted(id);
}
