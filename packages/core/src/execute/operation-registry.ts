import type { ResponseEnvelope } from "../envelope/index.ts";
import type { Operation, OperationCaller } from "../operation/index.ts";
import { Approvals, memoryApprovals } from "../policy/index.ts";
import { Catalogue } from "../registry/index.ts";
import type { CallOptions, CheckedInput, Registry, RegistryOptions } from "../registry/index.ts";
import { DEFAULT_RETRY } from "../router/index.ts";
import type { ProgramHost } from "../router/index.ts";
import { Call } from "./call/call.ts";
import { admit } from "./call/run-call.ts";
import { stepsRunner } from "./chain/steps.ts";
import { callOperation } from "./execute-call.ts";
import { toListItem } from "./explain.ts";
import { programsRunner } from "./program/saved-program.ts";
import { createRedactor } from "./redaction/index.ts";
import type { Settings } from "./settings.ts";
import { findSignatures } from "./signature-lines.ts";
import type { Questions } from "./signature-lines.ts";
import { findSignatureTexts } from "./signature-texts.ts";

const NO_OPTIONS: CallOptions = Object.freeze({});

/** The operations of these settings, in the form in which programs call them. */
export function callsWith(settings: () => Settings, catalogue: Catalogue): Registry {
  const calls: Registry = {
    resolve: (id) => catalogue.resolve(id),
    execute: (id, input, options) => callOperation(settings(), id, input, options),
    async check(id, params, options): Promise<CheckedInput> {
      const call = new Call(id, params, options, calls, "none");
      try {
        call.start();
        await admit(settings(), call);
      } finally {
        call.finish();
      }
      const { warnings = [], input } = call;
      return { entry: call.entry!, schemas: call.schemas!, input, warnings };
    },
  };
  return calls;
}

/** A registry without a Waybill has no policy, observer, journal or sources. */
function ownSettings(registry: Catalogue): Settings {
  const asked: Questions & Pick<ProgramHost, "operations"> = {
    operations: async (ids) =>
      ids === undefined ? registry.list() : ids.flatMap((id) => registry.getSpec(id) ?? []),
    signatures: (ids) => findSignatureTexts(registry, { toLoad: () => undefined }, ids),
    list_capabilities: async ({ query } = {}) => {
      if (query === undefined) return registry.list().map(toListItem);
      return registry.search(query).map(({ operation }) => toListItem(operation));
    },
  };
  const settings: Settings = {
    registry,
    calls: callsWith(() => settings, registry),
    observer: undefined,
    policy: { confirm: "none" },
    approvals: new Approvals(memoryApprovals()),
    show: () => "",
    expose: undefined,
    journal: undefined,
    isJournalNeeded: false,
    handles: undefined,
    retry: DEFAULT_RETRY,
    redactor: createRedactor(),
    toLoad: () => undefined,
    steps: stepsRunner,
    programs: programsRunner,
    questions: {
      operations: asked.operations,
      search: (query) => findSignatures(asked, { query }),
      nearest: (id) => registry.nearest(id),
    },
  };
  return settings;
}

/**
 * Holds operations by id, and calls them from a program.
 *
 * @example
 * ```ts
 * import { defineOperation, OperationRegistry } from "@waybill/core";
 *
 * const registry = new OperationRegistry();
 * registry.register(
 *   defineOperation({
 *     id: "hello.say",
 *     description: "Say hello",
 *     effect: "read",
 *     handler: () => "Hello",
 *   }),
 * );
 * console.log((await registry.execute("hello.say", {})).data);
 * ```
 *
 * ```text
 * Hello
 * ```
 */
export class OperationRegistry extends Catalogue implements OperationCaller, Registry {
  readonly #settings: Settings;

  /** Creates an empty registry. */
  constructor(options?: RegistryOptions) {
    super(options);
    this.#settings = ownSettings(this);
  }

  /** Calls an operation by id, or by its definition for a typed answer. */
  execute<Input, Output>(
    operation: Operation<Input, Output>,
    input: NoInfer<Input>,
    options?: CallOptions,
  ): Promise<ResponseEnvelope<Output>>;
  /** Calls an operation by id. The answer is not typed. */
  execute(id: string, input?: unknown, options?: CallOptions): Promise<ResponseEnvelope>;
  execute(
    operation: string | Operation,
    input?: unknown,
    options: CallOptions = NO_OPTIONS,
  ): Promise<ResponseEnvelope> {
    const id = typeof operation === "string" ? operation : operation?.spec?.id;
    return callOperation(this.#settings, id, input, options);
  }

  /** The same as `execute` with an id. */
  call(id: string, input?: unknown, options?: CallOptions): Promise<ResponseEnvelope> {
    return this.execute(id, input, options);
  }

  /** Finds the operation and validates the input like a call, without running it. */
  check(id: string, input: unknown, options: CallOptions): Promise<CheckedInput> {
    return this.#settings.calls.check(id, input, options);
  }
}
