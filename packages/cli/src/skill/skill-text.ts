import { NUMBERED_INPUTS } from "@waybill/github";
import { packSpecs } from "@waybill/github/cards";
import { CAPABILITY_USE } from "./capability-use.ts";
import type { CapabilityUse } from "./capability-use.ts";
import { signatureOf } from "./signature.ts";
import type { Signature } from "./signature.ts";
import { signatureLines } from "./signature-lines.ts";

export interface SkillOptions {
  /** `lean` says how to call; `indexed` also what there is to call, with its inputs. */
  readonly form: "lean" | "indexed";
  /** The door through which the agent calls: the command in a shell, or the MCP server. */
  readonly door: "command" | "mcp";
}

const STEPS =
  '[{"id":"a","task":id,"params":{},"select":"none"},…]; later params take {"$from":"a.data.x"}';

const ANSWERS =
  "Answers are data, or `!CODE` and the error. Retry once, only if it says retry. `name=value` above a table holds for all rows.";

/** The lines that differ by the door through which the agent calls. */
const CALLS = {
  command: [
    "Do all with `waybill run <id> key=value … --brief --select title,items.number`.",
    `Many calls: \`waybill chain --brief --steps '…'\`: \`${STEPS}\`.`,
    "Loops, joins: `waybill code --brief 'return (await issue.list(\"octo/hello\")).length'`.",
    "Guess params: a wrong call does nothing and tells the signature. Or `waybill capabilities explain <id>|search <words> --brief`, or ask.",
  ],
  mcp: [
    'Do all with `execute(capability_id, params)`, options `{"select":["title","items.number"]}`.',
    `Many calls: \`chain\`: \`${STEPS}\`.`,
    "Guess params: a wrong call does nothing and tells the signature. Or `explain`, `list_capabilities`, or ask.",
  ],
} as const;

export const SKILL_DOORS = Object.keys(CALLS) as readonly SkillOptions["door"][];

/** The rules an agent works by. It pays for each word in every session. */
function rules(door: SkillOptions["door"]): string {
  const lines = [
    ...CALLS[door],
    "Never read `gh help`, API docs or schemas.",
    ANSWERS,
    "Lists: `first`, `after` = `more`; cut: `result.read {handle}`.",
  ];
  return [
    "Waybill calls GitHub and other configured APIs:",
    ...lines.map((line) => `- ${line}`),
  ].join("\n");
}

function domainsOf(signatures: readonly Signature[]): string {
  const domains = signatures.map(({ id }) => id.slice(0, id.indexOf(".")));
  return [...new Set(domains)].join(" ");
}

const NAMING =
  'Ids: thing[.part].verb: issue.view, issue.comments.create. Inputs: `repo` "owner/name", `number`, title, body, state …';

function things(signatures: readonly Signature[]): string {
  return `Things: ${domainsOf(signatures)}. Verbs: list view create update delete, add remove set …`;
}

const OPTIONAL = /^(\w+)(?:\[.*\]|\{\})?\?/u;
const CHOICE = /^\w+(?:\|\w+)+$/u;

/** Keeps the inputs of a choice that tasks give, or all of them. */
function usedChoice(input: string, used: ReadonlySet<string>): string {
  const names = input.split("|").filter((name) => used.has(name));
  return names.length === 0 ? input : names.join("|");
}

/** Keeps required inputs and those that tasks give; a refusal and `explain` tell the rest. */
function withUsedInputs(signature: Signature, { inputs }: CapabilityUse): Signature {
  const used = new Set(inputs);
  const shown = signature.inputs.filter((input) => {
    const [, name] = OPTIONAL.exec(input) ?? [];
    return name === undefined || used.has(name);
  });
  const chosen = shown.map((input) => (CHOICE.test(input) ? usedChoice(input, used) : input));
  return { ...signature, inputs: chosen };
}

function usedSignatures(signatures: readonly Signature[]): Signature[] {
  return signatures.flatMap((signature) => {
    const use = CAPABILITY_USE[signature.id];
    return use === undefined ? [] : [withUsedInputs(signature, use)];
  });
}

function indexOf(signatures: readonly Signature[]): string {
  const used = usedSignatures(signatures);
  const within = used.filter(({ hasRepository }) => hasRepository);
  const without = used.filter(({ hasRepository }) => !hasRepository);
  return [
    "Most used; search for others. ? is optional, of a|b one is needed. With `repo`, and `number` where # stands:",
    ...signatureLines(within),
    "Without `repo`:",
    ...signatureLines(without),
  ].join("\n");
}

/** The skill for agents, generated from the cards so that it is always up to date. */
export function skillText({ form, door }: SkillOptions): string {
  const listed = packSpecs().filter(({ exposed }) => exposed !== false);
  const signatures = listed.map((spec) => signatureOf(spec, NUMBERED_INPUTS));
  const known = form === "lean" ? things(signatures) : indexOf(signatures);
  return [rules(door), "", NAMING, known].join("\n");
}
