import type { Stage } from "../play/stage.ts";
import { turn } from "../play/text.ts";
import type { Json, Params, Step } from "../types.ts";
import type { CallOptions, Door, Purpose, Said } from "./door.ts";

/** Quotes text for a shell, if necessary. */
export function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function valueText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function pairs(params: Params): string[] {
  return Object.entries(params).map(([name, value]) => shellQuoted(`${name}=${valueText(value)}`));
}

/** The short form of the repository and the number: `octo/hello#1`. */
function reference({ repo, number, ...others }: Params): [reference: string[], others: Params] {
  if (typeof repo !== "string") return [[], { ...others, ...(number !== undefined && { number }) }];
  return [[number === undefined ? repo : `${repo}#${valueText(number)}`], others];
}

function runWords({ capability, params, select }: Step, { approve, after }: CallOptions): string[] {
  const [thing, others] = reference(params);
  return [
    "waybill run",
    capability,
    ...thing,
    ...pairs(after === undefined ? others : { ...others, after }),
    ...(Array.isArray(select) ? select.map((path) => path.replace(/^items\./u, "")) : []),
    ...(approve === undefined ? [] : ["--approve", shellQuoted(approve)]),
  ];
}

function chainStep({ capability, params, id, select }: Step): object {
  return { task: capability, params, ...(id && { id }), ...(select && { select }) };
}

/** A call as a shell command. */
export function callLine(step: Step, options: CallOptions = {}): string {
  return runWords(step, options).join(" ");
}

export function chainLine(steps: readonly Step[]): string {
  return `waybill chain --steps ${shellQuoted(JSON.stringify(steps.map(chainStep)))}`;
}

export function graphLine(tool: string, args: Params): string {
  return ["waybill graph", tool, ...pairs(args)].join(" ");
}

/** Waybill's command in a shell. An agent sees the output of both streams. */
export function openCommandDoor(stage: Stage, isBrief: boolean): Door {
  const call = (line: string): string => (isBrief ? `${line} --brief` : line);
  const say = async (line: string, purpose: Purpose): Promise<Said> => {
    const { stdout, stderr } = await stage.shell(line);
    const [what = ""] = /^waybill \w+/.exec(line) ?? [];
    const read = stage.steady(stdout + stderr);
    return { text: stdout, turn: turn(purpose, what, stage.steady(line), read) };
  };
  return {
    definitions: async () => [],
    help: (command) => say(`waybill ${command} --help`, "discover"),
    execute: (step, purpose, options) => say(call(callLine(step, options)), purpose),
    chain: (steps, purpose) => say(call(chainLine(steps)), purpose),
    explain: (id) => say(`waybill capabilities explain ${id} --brief`, "discover"),
    list: (domain) => say(`waybill capabilities list --domain ${domain} --brief`, "discover"),
    graph: (tool, args, purpose) => say(call(graphLine(tool, args)), purpose),
  };
}
