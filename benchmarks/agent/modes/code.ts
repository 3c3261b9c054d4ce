import { parseBrief } from "@waybill/core";
import { MULTI_STEP_TASKS } from "../../code/multi-step.ts";
import { parsePrinted } from "../play/expression.ts";
import type { Stage } from "../play/stage.ts";
import { countedText, turn } from "../play/text.ts";
import { shownTool } from "../programs/mcp-session.ts";
import type { Scenario, Step, Text, Turn } from "../types.ts";
import { shellQuoted } from "./command-door.ts";
import { textAt } from "./envelope.ts";
import { knowsId, knowsInputs, knowsOutputs } from "./known-calls.ts";
import { NoWay } from "./mode.ts";
import type { Performance, PlayMode } from "./mode.ts";
import { programFor, wholeData } from "./program.ts";
import type { Program } from "./program.ts";
import { waybillMode } from "./waybill.ts";

type Open = "mcp" | "command";

/** Sends programs, and returns the answers. */
interface CodeDoor {
  readonly skill: string;
  readonly definitions: readonly Text[];
  /** Runs a program, or continues one that was approved. */
  run(
    program: string,
    purpose: Turn["purpose"],
    approve?: string,
  ): Promise<{ readonly turn: Turn; readonly text: string }>;
}

async function readSkill(stage: Stage, door: string): Promise<string> {
  const { stdout } = await stage.shell(`waybill skill --indexed --door ${door}`);
  return stdout.trimEnd();
}

async function openCommand(stage: Stage): Promise<CodeDoor> {
  const skill = await readSkill(stage, "command");
  return {
    skill,
    definitions: [countedText("skill", skill)],
    async run(program, purpose, approve) {
      const line =
        approve === undefined
          ? `waybill code --brief ${shellQuoted(program)}`
          : `waybill code --brief --approve ${approve}`;
      const { stdout, stderr } = await stage.shell(line);
      const text = stage.steady(stdout + stderr);
      const said = turn(purpose, "waybill code", stage.steady(line), text);
      return { turn: said, text: stdout.replace(/\n$/u, "") };
    },
  };
}

async function openMcp(stage: Stage): Promise<CodeDoor> {
  const skill = await readSkill(stage, "code");
  const session = await stage.mcp(["--tools", "code", "--brief"]);
  const tools = session.tools.map((tool) => countedText(`tool ${tool.name}`, shownTool(tool)));
  return {
    skill,
    definitions: [countedText("skill", skill), ...tools],
    async run(program, purpose, approve) {
      const args = approve === undefined ? { code: program } : { options: { approve } };
      const text = await session.call("code", args);
      const sent = JSON.stringify({ name: "code", arguments: args });
      return { turn: turn(purpose, "code", stage.steady(sent), stage.steady(text)), text };
    },
  };
}

/**
 * Whether the skill says everything that a call needs. `first` does not count, because lists are
 * complete.
 */
function isKnown(skill: string, step: Step): boolean {
  const { first: _first, ...params } = step.params;
  const own = { ...step, params };
  return knowsId(skill, step.capability) && knowsInputs(skill, own) && knowsOutputs(skill, own);
}

async function discover(door: CodeDoor, { steps }: Scenario): Promise<Turn[]> {
  const turns: Turn[] = [];
  const unknown = steps.filter((step) => !isKnown(door.skill, step));
  for (const id of new Set(unknown.map(({ capability }) => capability))) {
    const { turn: asked } = await door.run(`await waybill.signature("${id}")`, "discover");
    turns.push(asked);
  }
  return turns;
}

/**
 * Converts the answers of tasks with several steps to the form that the scenario's expression
 * reads.
 */
const STEP_DATA: Readonly<Record<string, Program["dataOf"]>> = {
  "chain-three-states": (states) =>
    (Array.isArray(states) ? states : []).map((state: unknown) => ({ state })),
  "chain-why-red": (lines) => [null, null, { summary: { topErrorLines: [lines] } }],
};

function findProgram(scenario: Scenario): Program {
  const { id, steps } = scenario;
  const task = MULTI_STEP_TASKS.find((each) => each.scenario === id);
  const [first] = steps;
  if (scenario.kind === "bulk" && scenario.program !== undefined) {
    return { text: scenario.program, dataOf: (value) => [value] };
  }
  if (task !== undefined) {
    const isScalar = id === "chain-three-states" ? {} : { isScalar: true as const };
    return { text: task.program, ...isScalar, dataOf: STEP_DATA[id] ?? ((value) => [value]) };
  }
  if (first === undefined || steps.length > 1) throw new NoWay("no program was written for it");
  if (scenario.program === undefined) return programFor(first);
  return { text: scenario.program, dataOf: wholeData };
}

/** A program does all of a bulk task, so its return value is the answer. */
function getAnswer({ kind, answer, program_answer, oracle }: Scenario): string | undefined {
  if (program_answer !== undefined) return program_answer;
  if (kind !== "bulk") return answer;
  return oracle.equals === undefined ? "[0].data" : undefined;
}

/** Whether a single call of the command does the task. It is shorter than a program. */
function isOneCall({ id, kind, steps, assertions }: Scenario): boolean {
  const isTask = MULTI_STEP_TASKS.some(({ scenario }) => scenario === id);
  const isWhole = (assertions.pages ?? 1) === 1;
  return steps.length === 1 && isWhole && kind !== "bulk" && !isTask;
}

function withoutWarnings(text: string): string {
  return text.replace(/(?:\n\nwarning: .*)+$/u, "");
}

/** The envelopes that the scenario's expression reads, made from an answer. */
function readOutputs(text: string, { isScalar, dataOf }: Program): unknown[] {
  const shown = withoutWarnings(text);
  if (shown.startsWith("!")) return [parseBrief(shown)];
  const value = isScalar === true ? parsePrinted(shown) : parseBrief(shown).data;
  return dataOf(value).map((data) => ({ ok: true, data }));
}

/**
 * An agent that writes programs: one for the task, and a second one only to approve refused calls.
 * By command, a task of one call is that call.
 */
export function codeMode(open: Open): PlayMode {
  const callMode = waybillMode(open, "indexed", "short");
  return async (scene): Promise<Performance> => {
    const { scenario, stage } = scene;
    if (scenario.kind === "code") throw new NoWay("questions about code have a tool of their own");
    if (open === "command" && isOneCall(scenario)) return callMode(scene);
    const program = findProgram(scenario);
    const door = await (open === "mcp" ? openMcp(stage) : openCommand(stage));
    const turns = await discover(door, scenario);
    const first = await door.run(program.text, "call");
    const [refused] = readOutputs(first.text, program);
    const approve = textAt(refused, "error", "details", "approve");
    const last = approve === undefined ? first : await door.run("", "call", approve);
    turns.push(...(last === first ? [first] : [first, last]).map((said) => said.turn));
    const outputs = readOutputs(last.text, program);
    return {
      definitions: door.definitions,
      turns,
      outputs,
      answer: getAnswer(scenario),
      ...(scenario.program_answer !== undefined && { hasOwnForm: true }),
    };
  };
}
