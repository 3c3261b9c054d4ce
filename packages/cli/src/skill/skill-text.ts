import { NUMBERED_INPUTS } from "@waybill/github";
import { packSpecs } from "@waybill/github/cards";
import { CAPABILITY_USE } from "./capability-use.ts";
import type { CapabilityUse } from "./capability-use.ts";
import { getSignature } from "./signature.ts";
import type { Signature } from "./signature.ts";
import { signatureLines } from "./signature-lines.ts";

export interface SkillOptions {
  /** `lean` explains how to call; `indexed` also lists the capabilities with their inputs. */
  readonly form: "lean" | "indexed";
  /** How the agent calls Waybill: as a command, by the MCP server, or only by its tool `code`. */
  readonly door: "command" | "mcp" | "code";
}

const STEPS =
  '[{"id":"a","task":id,"params":{},"select":"none"},…]; later params take {"$from":"a.data.x"}';

const ANSWERS =
  "Answers are data, or `!CODE` and the error. Retry once, only if it says retry. `name=value` above a table holds for all rows.";

const PAGES = "Lists: `first`, `after` = `more`; cut: `result.read {handle}`.";

/** The lines that depend on how the agent calls Waybill. */
interface DoorText {
  readonly calls: readonly string[];
  /** How a call names the thing that it is about. */
  readonly subject: string;
  readonly within: string;
  readonly without: string;
}

const PARAMS = {
  subject: 'Inputs: `repo` "owner/name", `number`, title, body, state …',
  within: "With `repo`, and `number` where # stands:",
  without: "Without `repo`:",
} as const;

const DOORS: Readonly<Record<SkillOptions["door"], DoorText>> = {
  command: {
    ...PARAMS,
    calls: [
      "Do all with `waybill run <id> key=value … --brief --select title,items.number`. Select on writes too.",
      `Several: \`waybill chain --brief --steps '…'\`: \`${STEPS}\`.`,
      "Loops, joins: `waybill code --brief 'return (await issue.list(\"octo/hello\")).length'`.",
      "Guess params: a wrong call does nothing and tells the signature. Or `waybill capabilities explain <id>|search <words> --brief`, or ask.",
      PAGES,
    ],
  },
  mcp: {
    ...PARAMS,
    calls: [
      'Do all with `execute(capability_id, params)`, options `{"select":["title","items.number"]}`, on writes too.',
      `Many calls: \`chain\`: \`${STEPS}\`.`,
      "Guess params: a wrong call does nothing and tells the signature. Or `explain`, `list_capabilities`, or ask.",
      PAGES,
    ],
  },
  code: {
    subject: "Inputs: an object with title, body, state …",
    within: 'After "owner/name", or "owner/name#1" where # stands:',
    without: "Without:",
    calls: [
      'Do all with `code`; the thing comes first: `await issue.comments.create("octo/hello#1", {body: "Hi"})`. Return only what you need.',
      "Guess inputs and members: a wrong one applies nothing and tells which there are; or ask.",
      'A refusal with `approve`: ask the user, then call with `{"options":{"approve":…}}` alone.',
    ],
  },
};

export const SKILL_DOORS = Object.keys(DOORS) as readonly SkillOptions["door"][];

/** The rules for an agent. Each word costs tokens in every session. */
function rules({ calls }: DoorText): string {
  const lines = [...calls, "Never read `gh help`, API docs or schemas.", ANSWERS];
  return ["Waybill calls GitHub and configured APIs:", ...lines.map((line) => `- ${line}`)].join(
    "\n",
  );
}

function getDomains(signatures: readonly Signature[]): string {
  const domains = signatures.map(({ id }) => id.slice(0, id.indexOf(".")));
  return [...new Set(domains)].join(" ");
}

const NAMING = "Ids: thing[.part].verb: issue.view, issue.comments.create.";

function things(signatures: readonly Signature[]): string {
  return `Things: ${getDomains(signatures)}. Verbs: list view create update delete, add remove set …`;
}

const OPTIONAL = /^(\w+)(?:\[.*\]|\{\})?\?/u;
const CHOICE = /^\w+(?:\|\w+)+$/u;

/** Keeps the inputs of a choice that tasks use. If tasks use none, keeps all. */
function usedChoice(input: string, used: ReadonlySet<string>): string {
  const names = input.split("|").filter((name) => used.has(name));
  return names.length === 0 ? input : names.join("|");
}

/** Keeps required inputs and those that tasks use. Errors and `explain` list the others. */
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

function getIndex(signatures: readonly Signature[], { within, without }: DoorText): string {
  const used = usedSignatures(signatures);
  return [
    "Fields are GraphQL's (oid); a wrong one tells all. Releases start as drafts.",
    `Most used. ? is optional; one of a|b is needed. ${within}`,
    ...signatureLines(used.filter(({ hasRepository }) => hasRepository)),
    without,
    ...signatureLines(used.filter(({ hasRepository }) => !hasRepository)),
  ].join("\n");
}

/** The skill for agents, generated from the cards. */
export function skillText({ form, door }: SkillOptions): string {
  const listed = packSpecs().filter(({ exposed }) => exposed !== false);
  const signatures = listed.map((spec) => getSignature(spec, NUMBERED_INPUTS));
  const text = DOORS[door];
  const known = form === "lean" ? things(signatures) : getIndex(signatures, text);
  return [rules(text), "", `${NAMING} ${text.subject}`, known].join("\n");
}
