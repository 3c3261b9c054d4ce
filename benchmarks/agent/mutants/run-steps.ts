import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { findGithub, githubSource } from "@waybill/github";
import { startGithubEmulator } from "@waybill/github/emulator";
import { textAt } from "../modes/envelope.ts";
import { fillStep } from "../modes/fill-step.ts";
import { evaluateExpression } from "../play/expression.ts";
import { getTruth } from "../play/judge.ts";
import { WriteLog, countWrites } from "../play/writes.ts";
import type { Scenario, Step } from "../types.ts";
import { benchWorld, steadyClock } from "../world/bench-world.ts";

async function callStep(waybill: Waybill, { capability, params, select }: Step): Promise<unknown> {
  const selected = Array.isArray(select) ? { select } : {};
  const first = await waybill.execute(capability, params, selected);
  const approve = textAt(first, "error", "details", "approve");
  if (approve === undefined) return first;
  return waybill.execute(capability, params, { ...selected, approve });
}

/** The answer of a step, with its further pages if the scenario reads several. */
async function callPages(waybill: Waybill, step: Step, pages: number): Promise<unknown[]> {
  const answers = [await callStep(waybill, step)];
  while (answers.length < pages) {
    const after = textAt(answers.at(-1), "meta", "pagination", "end_cursor");
    if (after === undefined) break;
    answers.push(await callStep(waybill, { ...step, params: { ...step.params, after } }));
  }
  return answers;
}

async function callSteps(waybill: Waybill, steps: readonly Step[], pages = 1): Promise<unknown[]> {
  const known = new Map<string, unknown>();
  const outputs: unknown[] = [];
  for (const step of steps) {
    const answers = await callPages(waybill, fillStep(step, known), pages);
    if (step.id !== undefined) known.set(step.id, answers[0]);
    outputs.push(...answers);
  }
  return outputs;
}

/** A changed answer may make the expression fail. */
export function readAnswer(expression: string, outputs: unknown): unknown {
  try {
    return evaluateExpression(expression, outputs);
  } catch {
    return undefined;
  }
}

/** Judges an answer as a play is judged. */
export function answerProblem(scenario: Scenario, outputs: unknown, truth: unknown) {
  const { answer, oracle } = scenario;
  if (oracle.equals !== undefined && !isDeepStrictEqual(truth, oracle.equals)) {
    return "GitHub's state is another one";
  }
  if (answer === undefined) return undefined;
  const right = oracle.equals === undefined ? truth : true;
  return isDeepStrictEqual(readAnswer(answer, outputs), right) ? undefined : "the answer is wrong";
}

export interface Ran {
  readonly outputs: readonly unknown[];
  readonly truth: unknown;
  /** Why the scenario's oracle rejects it; undefined if it accepts it. */
  readonly problem: string | undefined;
}

/** Runs steps in this process on a separate GitHub, and asks the oracle of the scenario. */
export async function runSteps(scenario: Scenario, steps: readonly Step[]): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-mutants-"));
  const writes = new WriteLog();
  const github = await startGithubEmulator({
    world: benchWorld,
    clock: steadyClock(),
    onApplied: (mutation, store) => writes.add(mutation, store),
  });
  writes.begin(github.store);
  const place = await findGithub({ env: { WAYBILL_GITHUB: github.env }, state: folder });
  const transport = createHttpTransport();
  const around = { env: {}, transport, userAgent: "waybill-benchmark" };
  const waybill = createWaybill({ sources: [githubSource(place, around)] });
  try {
    const outputs = await callSteps(waybill, steps, scenario.assertions.pages);
    const truth = getTruth(scenario, github.store, undefined);
    const { problem } = countWrites(scenario, writes.applied);
    return { outputs, truth, problem: problem ?? answerProblem(scenario, outputs, truth) };
  } finally {
    transport.close();
    await waybill.close();
    await github.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
