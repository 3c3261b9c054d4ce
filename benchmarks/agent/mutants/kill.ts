import { isRecord } from "@waybill/core/schema";
import type { Scenario, Step } from "../types.ts";
import { makeMutants } from "./mutate.ts";
import { answerProblem, readAnswer, runSteps } from "./run-steps.ts";

export interface MutantResult {
  readonly scenario: string;
  readonly what: string;
  readonly isKilled: boolean;
}

/** How many mutants of each scenario are tried (default: all). */
export interface KillOptions {
  readonly most?: number;
}

/** Some items of a list, spread evenly and always the same. */
function spread<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items];
  return Array.from(
    { length: most },
    (_, index) => items[Math.floor((index * items.length) / most)],
  ).filter((item) => item !== undefined);
}

/** Inputs that only limit how much is read. */
const PAGING = new Set(["first"]);

/** Whether a step is expected to fail, so that its inputs do not matter. */
function mustFail({ kind, steps }: Scenario, index: number): boolean {
  return kind === "error" && steps.length > 1 && index === 0;
}

/** Whether a step of a bulk task only selects the items to change. */
function onlyTells({ kind }: Scenario, { select, many }: Step): boolean {
  return kind === "bulk" && select !== "none" && (many === true || isListing(select));
}

function isListing(select: Step["select"]): boolean {
  return Array.isArray(select) && select.every((path) => path.startsWith("items."));
}

/** The steps with one changed input. */
function stepMutants(scenario: Scenario): { what: string; steps: Step[] }[] {
  const { steps } = scenario;
  const tried = steps.map((step, index) => ({ step, index }));
  return tried
    .filter(({ step, index }) => !mustFail(scenario, index) && !onlyTells(scenario, step))
    .flatMap(({ step, index }) =>
      Object.entries(step.params)
        .filter(([name]) => !PAGING.has(name))
        .flatMap(([name, value]) =>
          makeMutants(value, name).map((mutant) => ({
            what: `${step.capability} ${mutant.what}`,
            steps: steps.with(index, {
              ...step,
              params: { ...step.params, [name]: mutant.value } as Step["params"],
            }),
          })),
        ),
    );
}

/** The members that a scenario's answer expression uses. */
function askedMembers({ answer = "" }: Scenario): Set<string> {
  return new Set(answer.match(/[A-Za-z]\w*/gu));
}

function onlyAsked(value: unknown, asked: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => onlyAsked(item, asked));
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name]) => asked.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, onlyAsked(inner, asked)]));
}

/** The JMESPath expression that returns the whole value. */
const WHOLE = "@";

/**
 * Wrong answers, and the expression that reads them. In a task over many items, changing one item
 * may not change the answer, so the answer itself is changed.
 */
function wrongAnswers(scenario: Scenario, outputs: readonly unknown[]) {
  const { kind, answer = WHOLE } = scenario;
  if (kind !== "bulk") return { answer, mutants: answerMutants(scenario, outputs) };
  const mutants = makeMutants(readAnswer(answer, outputs), "answer");
  return { answer: WHOLE, mutants: mutants.map(({ what, value }) => ({ what, outputs: value })) };
}

/** Answers with one changed value, among those that the scenario uses. */
function answerMutants(scenario: Scenario, outputs: readonly unknown[]) {
  const asked = askedMembers(scenario);
  const isWhole = /^\[\d*\]\.data$/u.test(scenario.answer ?? "");
  return outputs.filter(isRecord).flatMap((envelope, index) => {
    const { ok, data, error } = envelope;
    const shown = {
      data: isWhole ? data : onlyAsked(data, asked),
      ...(asked.has("ok") && { ok }),
      ...(asked.has("error") && { error: onlyAsked(error, asked) }),
    };
    return makeMutants(shown, `answer ${index}`).map(({ what, value }) => ({
      what,
      outputs: outputs.with(index, isRecord(value) ? { ...envelope, ...value } : value),
    }));
  });
}

function isWriting({ writes = 0, mutations }: Scenario): boolean {
  return writes > 0 || mutations !== undefined;
}

/** Tests mutants of a scenario's writes or answer against its oracle. */
export async function killMutants(
  scenario: Scenario,
  { most = Number.POSITIVE_INFINITY }: KillOptions = {},
): Promise<MutantResult[]> {
  const { id, steps } = scenario;
  const right = await runSteps(scenario, steps);
  if (right.problem !== undefined) throw new Error(`${id} fails unchanged: ${right.problem}`);
  if (!isWriting(scenario)) {
    const { answer, mutants } = wrongAnswers(scenario, right.outputs);
    return spread<{ what: string; outputs: unknown }>(mutants, most).map(({ what, outputs }) => ({
      scenario: id,
      what,
      isKilled: answerProblem({ ...scenario, answer }, outputs, right.truth) !== undefined,
    }));
  }
  const results: MutantResult[] = [];
  for (const mutant of spread(stepMutants(scenario), most)) {
    const { problem } = await runSteps(scenario, mutant.steps);
    results.push({ scenario: id, what: mutant.what, isKilled: problem !== undefined });
  }
  return results;
}
