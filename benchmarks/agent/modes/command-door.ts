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

function shortWords({ params, select }: Step): string[] {
  const [thing, others] = reference(params);
  const fields = Array.isArray(select) ? select.map((path) => path.replace(/^items\./u, "")) : [];
  return [...thing, ...pairs(others), ...fields];
}

function namedWords({ params, select }: Step): string[] {
  return [
    ...pairs(params),
    ...(Array.isArray(select) ? ["--select", shellQuoted(select.join(","))] : []),
  ];
}

/** How inputs and fields are written: `octo/hello#1 title`, or each with a name. */
export type LineForm = "short" | "named";

function runWords(step: Step, { approve, after }: CallOptions, form: LineForm): string[] {
  const { capability, params } = step;
  const own = after === undefined ? step : { ...step, params: { ...params, after } };
  return [
    "waybill run",
    capability,
    ...(form === "short" ? shortWords(own) : namedWords(own)),
    ...(approve === undefined ? [] : ["--approve", shellQuoted(approve)]),
  ];
}

function chainStep({ capability, params, id, select }: Step): object {
  return { task: capability, params, ...(id && { id }), ...(select && { select }) };
}

/** A call as a shell command. */
export function callLine(step: Step, options: CallOptions = {}, form: LineForm = "named"): string {
  return runWords(step, options, form).join(" ");
}

export function chainLine(steps: readonly Step[]): string {
  return `waybill chain --steps ${shellQuoted(JSON.stringify(steps.map(chainStep)))}`;
}

export function graphLine(tool: string, args: Params): string {
  return ["waybill graph", tool, ...pairs(args)].join(" ");
}

/** Waybill's command in a shell. An agent sees the output of both streams. */
export function openCommandDoor(stage: Stage, isBrief: boolean, form: LineForm = "named"): Door {
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
    execute: (step, purpose, options) => say(call(callLine(step, options, form)), purpose),
    chain: (steps, purpose) => say(call(chainLine(steps)), purpose),
    explain: (id) => say(`waybill capabilities explain ${id} --brief`, "discover"),
    list: (domain) => say(`waybill capabilities list --domain ${domain} --brief`, "discover"),
    graph: (tool, args, purpose) => say(call(graphLine(tool, args)), purpose),
  };
}
