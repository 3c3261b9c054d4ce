import { isRecord } from "@waybill/core/schema";
import { turn } from "../play/text.ts";
import { splitParts } from "../scenario/repeat.ts";
import type { Params, Scenario, Step, Turn } from "../types.ts";
import { Caller } from "./caller.ts";
import { openCommandDoor } from "./command-door.ts";
import { textAt, valueAtPath } from "./envelope.ts";
import { fillStep } from "./fill-step.ts";
import { GHX_SKILL_TOKENS, ghxCard } from "./ghx-cards.ts";
import type { GhxCard } from "./ghx-cards.ts";
import { NoWay } from "./mode.ts";
import type { PlayMode, Scene } from "./mode.ts";
import { wholeAnswer } from "./whole-answer.ts";

const START = { what: "skill of ghx", tokens: GHX_SKILL_TOKENS } as const;

/** The inputs under the names of ghx: a repository in two parts, and the number with its kind. */
function ghxInput({ capability, params }: Step): Params {
  const { repo, number, ...others } = params;
  const [owner, name] = typeof repo === "string" ? repo.split("/") : [];
  const kind = capability.startsWith("pr.") ? "prNumber" : "issueNumber";
  return {
    ...(owner !== undefined && name !== undefined && { owner, name }),
    ...(number !== undefined && { [kind]: number }),
    ...others,
  };
}

/** The members that a step reads of an answer. */
function askedMembers({ select }: Step): string[] {
  if (!Array.isArray(select)) return [];
  return select.map((path) => path.replace(/^items\./u, "").split(".")[0] ?? path);
}

/** Why ghx cannot do a step; undefined when it can. */
function stepGap(step: Step): string | undefined {
  const { capability } = step;
  const card = ghxCard(capability);
  if (card === undefined) return `it has no ${capability}`;
  const inputs = Object.keys(ghxInput(step)).filter((name) => name !== "owner" && name !== "name");
  const input = inputs.find((name) => !card.inputs.includes(name));
  if (input !== undefined) return `its ${capability} takes no ${input}`;
  const output = askedMembers(step).find((name) => !card.outputs.includes(name));
  return output === undefined ? undefined : `its ${capability} has no ${output}`;
}

/** Why ghx cannot play a scenario; undefined when it can. */
export function ghxGap({ kind, steps }: Scenario): string | undefined {
  if (kind === "code") return "not on GitHub";
  return steps.map(stepGap).find((why) => why !== undefined);
}

function picked(value: unknown, { outputs }: GhxCard): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => outputs.includes(name)));
}

/** The data of an answer with the members that the card of ghx has. */
function ghxData(envelope: unknown, card: GhxCard): unknown {
  const data = valueAtPath(envelope, "data");
  if (!card.isList) return picked(data, card);
  const items = valueAtPath(data, "items");
  const pageInfo = {
    hasNextPage: valueAtPath(envelope, "meta", "pagination", "has_next_page") ?? false,
    endCursor: textAt(envelope, "meta", "pagination", "end_cursor") ?? null,
  };
  const rows = Array.isArray(items) ? items.map((item) => picked(item, card)) : [];
  return { items: rows, pageInfo };
}

/** An answer in ghx's compact form: `ok` and the data, or the code and message of a failure. */
function ghxResult(envelope: unknown, step: Step): object {
  const card = ghxCard(step.capability);
  if (valueAtPath(envelope, "ok") === true && card !== undefined) {
    return { ok: true, data: ghxData(envelope, card) };
  }
  const error = {
    code: textAt(envelope, "error", "code"),
    message: textAt(envelope, "error", "message"),
  };
  return { ok: false, error };
}

/** ghx's skill asks for inputs in a heredoc. */
function heredoc(command: string, input: unknown): string {
  return `${command} - <<'EOF'\n${JSON.stringify(input)}\nEOF`;
}

function runTurn({ step, envelope }: Called): Turn {
  const line = heredoc(`ghx run ${step.capability} --input`, ghxInput(step));
  return turn("call", "ghx run", line, JSON.stringify(ghxResult(envelope, step)));
}

function chainTurn(called: readonly Called[]): Turn {
  const asked = called.map(({ step }) => ({ task: step.capability, input: ghxInput(step) }));
  const results = called.map(({ step, envelope }) => ({
    task: step.capability,
    ...ghxResult(envelope, step),
  }));
  const read = JSON.stringify({ status: "success", results });
  return turn("call", "ghx chain", heredoc("ghx chain --steps", asked), read);
}

interface Called {
  readonly step: Step;
  readonly envelope: unknown;
}

/** Calls Waybill for answers with all members. */
class Answerer {
  readonly #known = new Map<string, unknown>();
  readonly #caller: Caller;
  readonly #pages: number;

  constructor({ stage, scenario }: Scene) {
    this.#pages = scenario.assertions.pages ?? 1;
    this.#caller = new Caller(openCommandDoor(stage, false), scenario, {
      hear: ({ turn: { send }, text }) => wholeAnswer(send.what, text),
      learn: () => Promise.resolve(),
    });
  }

  /** One step, with all pages that the scenario reads. */
  async one({ select: _select, ...step }: Step): Promise<Called[]> {
    const called: Called[] = [];
    let after: string | undefined;
    for (let page = 0; page < this.#pages; page += 1) {
      const envelope = await this.#caller.call(step, "call", after);
      const params = after === undefined ? step.params : { ...step.params, after };
      called.push({ step: fillStep({ ...step, params }, this.#known), envelope });
      if (step.id !== undefined) this.#known.set(step.id, envelope);
      after = textAt(envelope, "meta", "pagination", "end_cursor");
      if (after === undefined) break;
    }
    return called;
  }

  async many(steps: readonly Step[]): Promise<Called[]> {
    const whole = steps.map(({ select: _select, ...step }) => step);
    const envelopes = await this.#caller.chain(whole, "call");
    return whole.map((step, index) => ({ step, envelope: envelopes[index] }));
  }
}

/** Sends steps together if none needs the answer of another. */
function getParts({ kind, steps }: Scenario): Step[][] {
  const isIndependent = kind === "chain" && !JSON.stringify(steps).includes('"$from"');
  return isIndependent ? [[...steps]] : splitParts(steps);
}

/** ghx, estimated: Waybill's answers, reduced to the members of ghx's cards and in its format. */
export const ghx: PlayMode = async (scene) => {
  const { scenario } = scene;
  const gap = ghxGap(scenario);
  if (gap !== undefined) throw new NoWay(gap);
  const answerer = new Answerer(scene);
  const turns: Turn[] = [];
  const outputs: unknown[] = [];
  for (const part of getParts(scenario)) {
    const isTogether = part.length > 1;
    const called = isTogether ? await answerer.many(part) : await answerer.one(part[0]!);
    outputs.push(...called.map(({ envelope }) => envelope));
    turns.push(...(isTogether ? [chainTurn(called)] : called.map(runTurn)));
  }
  return { definitions: [START], turns, outputs, answer: scenario.answer };
};
