import { parseBrief } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { wholeAnswer } from "../modes/whole-answer.ts";
import type { Played, Scenario, Step, Trajectory } from "../types.ts";

/** The mode whose recorded answers contain only the requested values. */
const ASKED_BY = "mcp-indexed";
const BULK_ASKED_BY = "command-code";

/** Every value, without names and punctuation. */
function valuesIn(data: unknown): string[] {
  if (Array.isArray(data)) return data.flatMap(valuesIn);
  if (isRecord(data)) return Object.values(data).flatMap(valuesIn);
  if (data === null || data === undefined) return [];
  return [typeof data === "string" ? data : JSON.stringify(data)];
}

/** The words that every request needs: `issue.view octo/hello#1 title state`. */
function askWords({ capability, params, select }: Step): string[] {
  const { repo, number, ...others } = params;
  const thing = [repo, number].filter((part) => part !== undefined).map(String);
  const fields = Array.isArray(select) ? select.map((path) => path.replace(/^items\./u, "")) : [];
  return [
    capability,
    ...(thing.length > 0 ? [thing.join("#")] : []),
    ...valuesIn(others),
    ...fields,
  ];
}

function answerWords(envelope: unknown): string[] {
  if (!isRecord(envelope)) return [];
  const { results, data, error } = envelope;
  if (Array.isArray(results)) return results.flatMap(answerWords);
  if (isRecord(error)) return [String(error["code"])];
  return valuesIn(isRecord(data) ? (data["result"] ?? data) : data);
}

/** The tokens of the request's words and the answer's values. No mode can use fewer. */
function countFloor({ steps }: Scenario, { turns }: Trajectory): number {
  const asked = steps.flatMap(askWords).join(" ");
  const answered = turns
    .filter(({ purpose }) => purpose === "call")
    .flatMap(({ send, read }) => answerWords(wholeAnswer(send.what, read.text ?? "")))
    .join(" ");
  return countTokens(asked) + countTokens(answered);
}

/** A bulk task has the words of its request, and the values that a program returns for it. */
function countBulkFloor({ task }: Scenario, { turns }: Trajectory): number {
  const text = turns.at(-1)?.read.text ?? "";
  const answered = text.startsWith("!") ? [] : valuesIn(parseBrief(text).data);
  return countTokens(task) + countTokens(answered.join(" "));
}

/** Adds the floor of its scenario to each play. */
export function addFloors(
  played: readonly Played[],
  trajectories: readonly Trajectory[],
  scenarios: readonly Scenario[],
): Played[] {
  const known = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
  const floors = new Map<string, number>();
  for (const each of trajectories) {
    const scenario = known.get(each.scenario);
    if (scenario === undefined || each.variant !== "plain") continue;
    const isBulk = scenario.kind === "bulk";
    if (each.mode !== (isBulk ? BULK_ASKED_BY : ASKED_BY)) continue;
    floors.set(scenario.id, (isBulk ? countBulkFloor : countFloor)(scenario, each));
  }
  return played.map((play) => {
    const floor = floors.get(play.scenario);
    return floor === undefined ? play : { ...play, floor };
  });
}
