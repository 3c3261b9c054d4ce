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

const STEPS = '[{"id":"a","task":id,"params":{},"select":"none"},…]';
const FROM = 'then `{"$from":"a.data.x"}`';

const ANSWERS = "Answers are data, or `!CODE` and the error. Retry once, only if it says retry.";

const PAGES = "Lists: `first`, `after` = `more`.";

/** The lines that depend on how the agent calls Waybill. */
interface DoorText {
  readonly calls: readonly string[];
  readonly subject: string;
  /** How a call names its object, for a skill without a list of capabilities. */
  readonly reference: string;
  readonly within: string;
  readonly without: string;
}

const DOORS: Readonly<Record<SkillOptions["door"], DoorText>> = {
  command: {
    subject: "Inputs: title, body, state …",
    reference: " The thing is owner/name or owner/name#1.",
    within: "After owner/name or owner/name#1 where # stands:",
    without: "Without (# is `number`):",
    calls: [
      "`waybill run issue.list octo/hello state=open number title --brief`: id, thing, inputs, fields.",
      `Several: \`waybill chain --brief --steps '${STEPS}'\`; ${FROM}.`,
      "Loops: `waybill code --brief '(await issue.list(\"octo/hello\")).length'`.",
      "Guess: a wrong call only tells the signature. Or `waybill capabilities explain|search <words> --brief`, or ask the user: always before `--approve`.",
      PAGES,
    ],
  },
  mcp: {
    subject: 'Inputs: `repo` "owner/name", `number`, title, body, state …',
    reference: "",
    within: "With `repo`, and `number` where # stands:",
    without: "Without `repo`:",
    calls: [
      'Do all with `execute(capability_id, params)`, options `{"select":["title","items.number"]}`, on writes too.',
      `Many calls: \`chain\`: \`${STEPS}\`; ${FROM}.`,
      "Guess params: a wrong call only tells the signature. Or `explain`, `list_capabilities`, or ask.",
      "`approve` in an error: ask the user, then repeat with it in options.",
      PAGES,
    ],
  },
  code: {
    subject: "Inputs: {title, body, state …}.",
    reference: ' The thing is "owner/name" or "owner/name#1".',
    within: 'After "owner/name" or "owner/name#1" where # stands:',
    without: "Without (# is `number`):",
    calls: [
      "Do all with `code`. Return only what you need.",
      "Guess: a wrong input or field applies nothing and lists them. If unclear, ask the user.",
      '`approve` in an error: ask the user, then send `{"options":{"approve":…}}` alone.',
    ],
  },
};

export const SKILL_DOORS = Object.keys(DOORS) as readonly SkillOptions["door"][];

/** The rules for an agent, kept short because every word costs tokens in each session. */
function rules({ calls }: DoorText): string {
  const lines = [...calls, "Never read `gh help`, API docs or schemas.", ANSWERS];
  return ["Waybill calls GitHub and other APIs:", ...lines.map((line) => `- ${line}`)].join("\n");
}

function getDomains(signatures: readonly Signature[]): string {
  const domains = signatures.map(({ id }) => id.slice(0, id.indexOf(".")));
  return [...new Set(domains)].join(" ");
}

const NAMING = "Ids: thing[.part].verb.";

function things(signatures: readonly Signature[]): string {
  return `Things: ${getDomains(signatures)}. Verbs: list view create update delete, add remove set …`;
}

const OPTIONAL = /^(\w+)(?:\[.*\]|\{\})?\?/u;
const CHOICE = /^\w+(?:\|\w+)+$/u;

/** Keeps the alternative inputs that benchmark tasks use. If tasks use none of them, keeps all. */
function usedChoice(input: string, used: ReadonlySet<string>): string {
  const names = input.split("|").filter((name) => used.has(name));
  return names.length === 0 ? input : names.join("|");
}

/**
 * Keeps required inputs and those that benchmark tasks use. Errors and `explain` list the others.
 */
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

/** Output fields that GitHub's GraphQL API names in another way or does not have. */
const FIELDS =
  "Fields are GraphQL's (oid), also author, runId, defaultBranch, children, blockedBy, assets, jobs, summary.topErrorLines.";

/** Explains the symbols that the lines of signatures use. */
function legend(lines: readonly string[]): string {
  const hasChoice = lines.some((line) => line.includes("|"));
  return hasChoice ? "? is optional, of a|b one is needed" : "? optional";
}

function getIndex(signatures: readonly Signature[], { within, without }: DoorText): string {
  const used = usedSignatures(signatures);
  const inside = signatureLines(used.filter(({ hasRepository }) => hasRepository));
  const outside = signatureLines(used.filter(({ hasRepository }) => !hasRepository));
  return [
    FIELDS,
    `Most used (${legend([...inside, ...outside])}). ${within}`,
    ...inside,
    without,
    ...outside,
  ].join("\n");
}

/** The skill for agents, generated from the cards. */
export function skillText({ form, door }: SkillOptions): string {
  const listed = packSpecs().filter(({ exposed }) => exposed !== false);
  const signatures = listed.map((spec) => getSignature(spec, NUMBERED_INPUTS));
  const text = DOORS[door];
  const isLean = form === "lean";
  const known = isLean ? things(signatures) : getIndex(signatures, text);
  const naming = `${NAMING} ${text.subject}${isLean ? text.reference : ""}`;
  return [rules(text), "", naming, known].join("\n");
}
