import { errorFromUnknown } from "../envelope/index.ts";
import type { ResponseEnvelope, ResultEnvelope } from "../envelope/index.ts";
import type { NestedCall } from "../registry/index.ts";
import { ROUTE_OF_SOURCE, failureAnswer, successAnswer } from "./answer.ts";
import { CallState } from "./call-state.ts";
import { report } from "./report.ts";
import type { Settings } from "./settings.ts";

/** The calls that handlers make, while they run, so that whoever watches sees them as well. */
export class NestedCalls {
  readonly #settings: () => Settings;
  readonly #underWay = new Map<string, CallState>();

  constructor(settings: () => Settings) {
    this.#settings = settings;
  }

  /** The watched call that a handler runs for, if it is one of these. */
  stateOf({ requestId }: { readonly requestId: string }): CallState | undefined {
    return this.#underWay.get(requestId);
  }

  /** The answer, and the error, reach the handler as they would unwatched. */
  async run(
    { operation, input, options }: NestedCall,
    run: (requestId: string) => Promise<ResponseEnvelope>,
  ): Promise<ResponseEnvelope> {
    const { identity, parentRequestId: parentId } = options;
    const id = typeof operation === "string" ? operation : operation.spec.id;
    const state = new CallState(id, input, {}, identity, { kind: "call", parentId });
    state.spec = this.#settings().registry.getSpec(state.capability_id);
    state.dispatch();
    this.#underWay.set(state.requestId, state);
    try {
      const response = await run(state.requestId);
      this.#report(state, () => this.#success(state, response));
      return response;
    } catch (thrown) {
      state.error = errorFromUnknown(thrown);
      this.#report(state, () => failureAnswer(state, state.error!, this.#settings().redactor));
      throw thrown;
    } finally {
      this.#underWay.delete(state.requestId);
    }
  }

  #success(state: CallState, response: ResponseEnvelope): ResultEnvelope {
    state.route = ROUTE_OF_SOURCE[response.meta.source];
    state.answered = response;
    return successAnswer(state, state.spec!, response, this.#settings().redactor);
  }

  /** What cannot be described is not reported; the handler's call is none the worse for it. */
  #report(state: CallState, describe: () => ResultEnvelope): void {
    try {
      report(this.#settings(), state, describe());
    } catch {
      // As above.
    }
  }
}
