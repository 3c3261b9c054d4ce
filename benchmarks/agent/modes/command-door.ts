import type { Stage } from "../play/stage.ts";
import { turn } from "../play/text.ts";
import type { Json, Kind, Params, Step } from "../types.ts";
import type { CallOptions, Door, Purpose, Said } from "./door.ts";

/** As a shell takes it, in quotes only where it needs them. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function valueText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function pairs(params: Params): string[] {
  return Object.entries(params).map(([name, value]) => quoted(`${name}=${valueText(value)}`));
}

function runWords({ capability, params, select }: Step, { approve, after }: CallOptions): string[] {
  return [
    "waybill run",
    capability,
    ...pairs(after === undefined ? params : { ...params, after }),
    // To select nothing is for chains; a shell has no word for it.
    ...(select === undefined || select.length === 0 ? [] : ["--select", quoted(select.join(","))]),
    ...(approve === undefined ? [] : ["--approve", quoted(approve)]),
  ];
}

function chainStep({ capability, params, id, select }: Step): object {
  return { task: capability, input: params, ...(id && { id }), ...(select && { select }) };
}

/** The command in a shell. An agent sees what it prints to both streams. */
export function openCommandDoor(stage: Stage, kind: Kind): Door {
  const say = async (words: readonly string[], purpose: Purpose): Promise<Said> => {
    const line = words.join(" ");
    const { stdout, stderr } = await stage.shell(line);
    const [what = ""] = /^waybill \w+/.exec(line) ?? [];
    const read = stage.steady(stdout + stderr);
    return { text: stdout, turn: turn(purpose, what, stage.steady(line), read) };
  };
  return {
    async definitions() {
      if (kind !== "code") return [];
      const { stdout } = await stage.shell("waybill graph --help");
      return [["waybill graph --help", stdout]];
    },
    execute: (step, purpose, options = {}) => say(runWords(step, options), purpose),
    chain: (steps, purpose) =>
      say(["waybill chain --steps", quoted(JSON.stringify(steps.map(chainStep)))], purpose),
    explain: (id) => say(["waybill capabilities explain", id], "discover"),
    list: (domain) => say(["waybill capabilities list --domain", domain], "discover"),
    graph: (tool, args, purpose) => say(["waybill graph", tool, ...pairs(args)], purpose),
  };
}
