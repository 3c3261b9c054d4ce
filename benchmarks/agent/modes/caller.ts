import { isRecord } from "@waybill/core/schema";
import type { Params, Scenario, Step } from "../types.ts";
import type { Door, Purpose, Said } from "./door.ts";
import { valueAtPath, textAt, textsAt } from "./envelope.ts";
import { fillStep } from "./fill-step.ts";
import { getFinding } from "./recovery.ts";

/** The agent behind a caller: it reads every answer, and looks up what its skill does not say. */
interface Reader {
  hear(said: Said): unknown;
  learn(step: Step): Promise<void>;
}

/** The call that checks whether a write was applied, and its inputs. */
interface Look {
  readonly step: Step;
  readonly untold: Step;
}

/** A step that did not run, because a step that it depends on failed. */
function isCancelled(envelope: unknown): boolean {
  return valueAtPath(envelope, "error", "code") === "CANCELLED";
}

/** Makes calls and follows their answers: approves, retries, checks, or sends what was left out. */
export class Caller {
  readonly #door: Door;
  readonly #scenario: Scenario;
  readonly #reader: Reader;
  /** The results of earlier steps by step id, from answers or lookups. */
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

  /** Sends all steps at once. Failed and skipped steps are then handled one by one. */
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

  /** Repeats a refused call with its approval, and retries a failure that allows it. */
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

  /**
   * If the outcome of a write is unknown, checks whether it was applied, and sends it again only if
   * not.
   */
  async #verified(step: Step, first: unknown): Promise<unknown> {
    const look = this.#lookAfter(first);
    if (look === undefined || this.#scenario.seen === undefined) return first;
    await this.#reader.learn(look.untold);
    const read = this.#hear(await this.#door.execute(look.step, "recover"));
    const data = getFinding(this.#scenario.seen, read);
    // The created object is now known, as if the write had returned it.
    if (data !== undefined) return { ...(isRecord(read) && read), data };
    return this.#hear(await this.#door.execute(step, "recover"));
  }

  /** The answer says where to look and what can be selected. The agent selects what it needs. */
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
