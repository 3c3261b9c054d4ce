import { isRecord } from "@waybill/core/schema";
import type { Params, Scenario, Step } from "../types.ts";
import type { Door, Purpose, Said } from "./door.ts";
import { valueAtPath, textAt, textsAt } from "./envelope.ts";
import { fillStep } from "./fill-step.ts";
import { getFinding } from "./recovery.ts";

/** The agent that calls: it reads every answer, and finds out what its skill does not tell. */
interface Reader {
  hear(said: Said): unknown;
  learn(step: Step): Promise<void>;
}

/** Where to look for a write, and what of it has to be known without being told. */
interface Look {
  readonly step: Step;
  readonly untold: Step;
}

/** A step that was not run, because one that it needs the answer of had failed. */
function isCancelled(envelope: unknown): boolean {
  return valueAtPath(envelope, "error", "code") === "CANCELLED";
}

/** Calls, and does what an answer asks for: to approve, to try again, to look, to send what was left out. */
export class Caller {
  readonly #door: Door;
  readonly #scenario: Scenario;
  readonly #reader: Reader;
  /** The results of earlier steps, from answers or lookups, by step id. */
  readonly #known = new Map<string, unknown>();

  constructor(door: Door, scenario: Scenario, reader: Reader) {
    this.#door = door;
    this.#scenario = scenario;
    this.#reader = reader;
  }

  #hear(said: Said): unknown {
    return this.#reader.hear(said);
  }

  async call(given: Step, purpose: Purpose, after?: string): Promise<unknown> {
    const step = fillStep(given, this.#known);
    const page = after === undefined ? {} : { after };
    const first = this.#hear(await this.#door.execute(step, purpose, page));
    return this.#keep(step, await this.#settled(step, first, after));
  }

  /** All steps at once; what failed, or was not run for it, is seen to one by one. */
  async chain(steps: readonly Step[], purpose: Purpose): Promise<unknown[]> {
    const answer = this.#hear(await this.#door.chain(steps, purpose));
    const results: unknown = valueAtPath(answer, "results");
    if (!Array.isArray(results)) return [answer];
    const settled: unknown[] = [];
    for (const [index, envelope] of results.entries()) {
      const step = steps[index];
      settled.push(step === undefined ? envelope : await this.#settledStep(step, envelope));
    }
    return settled;
  }

  async #settledStep(step: Step, envelope: unknown): Promise<unknown> {
    if (isCancelled(envelope)) return this.call(step, "recover");
    return this.#keep(step, await this.#settled(fillStep(step, this.#known), envelope));
  }

  #keep({ id }: Step, envelope: unknown): unknown {
    if (id !== undefined) this.#known.set(id, envelope);
    return envelope;
  }

  /** A refusal that asks for approval is repeated with it, and a failure that says so once more. */
  async #settled(step: Step, first: unknown, after?: string): Promise<unknown> {
    const page = after === undefined ? {} : { after };
    const approve = textAt(first, "error", "details", "approve");
    if (approve !== undefined) {
      const second = this.#hear(await this.#door.execute(step, "call", { ...page, approve }));
      return this.#verified(step, second);
    }
    if (valueAtPath(first, "error", "retryable") !== true) return this.#verified(step, first);
    return this.#hear(await this.#door.execute(step, "recover", page));
  }

  /** Where the fate of a write is unknown it is looked for, and sent again only if it is not there. */
  async #verified(step: Step, first: unknown): Promise<unknown> {
    const look = this.#lookAfter(first);
    if (look === undefined || this.#scenario.seen === undefined) return first;
    await this.#reader.learn(look.untold);
    const read = this.#hear(await this.#door.execute(look.step, "recover"));
    const data = getFinding(this.#scenario.seen, read);
    // From now on the created object counts as known, as if the write had returned it.
    if (data !== undefined) return { ...(isRecord(read) && read), data };
    return this.#hear(await this.#door.execute(step, "recover"));
  }

  /** The answer says where to look, and what there is to select; an agent takes what it needs of it. */
  #lookAfter(envelope: unknown): Look | undefined {
    if (valueAtPath(envelope, "error", "details", "outcome") !== "unknown") return undefined;
    const { look } = this.#scenario;
    const verify = valueAtPath(envelope, "error", "details", "verify");
    const capability = textAt(verify, "capability_id");
    const params = valueAtPath(verify, "params");
    if (capability === undefined || !isRecord(params)) return look && { step: look, untold: look };
    const told = textsAt(verify, "select");
    const select = Array.isArray(look?.select) ? look.select : told;
    const unknown = select?.filter((name) => told?.includes(name) !== true);
    return {
      step: { capability, params: params as Params, select },
      untold: { capability, params: {}, select: unknown },
    };
  }
}
