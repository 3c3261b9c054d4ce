import { isRecord } from "@waybill/core/schema";
import type { CallDetail } from "./wire.ts";

type Written = Pick<CallDetail, "command" | "code">;
type Call = Pick<CallDetail, "kind" | "capability_id" | "params" | "params_size" | "options">;

/**
 * Quotes an argument for a shell, which leaves everything inside single quotes unchanged except
 * the quote.
 */
function shellArgument(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function getChain(params: unknown): Written {
  const steps = isRecord(params) ? params["steps"] : [];
  const json = JSON.stringify(steps ?? []);
  return {
    command: `waybill chain --steps ${shellArgument(json)}`,
    code: `await waybill.chain(${JSON.stringify(steps ?? [], null, 2)});`,
  };
}

function writtenProgram(params: unknown): Written {
  const { code = "", input } = (isRecord(params) ? params : {}) as {
    code?: string;
    input?: unknown;
  };
  const given = input === undefined ? "" : ` --input ${shellArgument(JSON.stringify(input))}`;
  const more = input === undefined ? "" : `, ${JSON.stringify({ input })}`;
  return {
    command: `waybill code ${shellArgument(String(code))}${given}`,
    code: `await runCode(waybill, ${JSON.stringify(code)}${more});`,
  };
}

function isEmpty(params: unknown): boolean {
  return !isRecord(params) || Object.keys(params).length === 0;
}

function listedSteps(value: unknown): unknown {
  return Array.isArray(value) ? value.join(",") : undefined;
}

/** The command-line flags for the options of a call. */
function writtenFlags({ page, dry_run, ...options }: Call["options"]): string {
  const all = {
    select: listedSteps(options["select"]),
    query: options["query"],
    include: listedSteps(options["include"]),
    route: options["route"],
    account: options["account"],
    page: isRecord(page) ? page["cursor"] : undefined,
    "max-tokens": options["max_tokens"],
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  const flags = given.map(([flag, value]) => ` --${flag} ${shellArgument(String(value))}`);
  return `${flags.join("")}${dry_run === true ? " --dry-run" : ""}`;
}

/**
 * Writes a call as a shell command that repeats it. Params that were too large to store are read
 * from a file.
 */
export function writtenCall(call: Call): Written {
  const { kind, capability_id: id, params, params_size, options } = call;
  const name = JSON.stringify(id);
  const flags = writtenFlags(options);
  const more = isEmpty(options) ? "" : `, ${JSON.stringify(options)}`;
  if (params_size !== undefined) {
    if (kind === "code") {
      return {
        command: "waybill code @program.js",
        code: "await runCode(waybill, program); // the program was too large to be stored",
      };
    }
    return {
      command: `waybill ${kind === "chain" ? "chain --steps" : `run ${shellArgument(id)} --input`} @input.json${flags}`,
      code: `await waybill.${kind === "chain" ? "chain(steps" : `execute(${name}, input${more}`}); // the input was too large to be stored`,
    };
  }
  if (kind === "chain") return getChain(params);
  if (kind === "code") return writtenProgram(params);
  if (isEmpty(params)) {
    const none = more === "" ? "" : `, {}${more}`;
    return {
      command: `waybill run ${shellId(id)}${flags}`,
      code: `await waybill.execute(${name}${none});`,
    };
  }
  return {
    command: `waybill run ${shellId(id)} --input ${shellArgument(JSON.stringify(params))}${flags}`,
    code: `await waybill.execute(${name}, ${JSON.stringify(params, null, 2)}${more});`,
  };
}

/** Checks the id, because it is untrusted and must not contain anything that a shell would run. */
function shellId(id: string): string {
  return /^[\w.-]+$/u.test(id) ? id : shellArgument(id);
}
