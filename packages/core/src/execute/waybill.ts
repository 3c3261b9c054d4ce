import { resultReadOperation } from "../budget/index.ts";
import type { ChainStep } from "../cards/index.ts";
import { fail, toResultError } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import { NOBODY } from "../operation/index.ts";
import type { Identity, Operation, OperationSpec } from "../operation/index.ts";
import { Approvals, isListed, matchesAny, memoryApprovals } from "../policy/index.ts";
import { Catalogue, nextRequestId } from "../registry/index.ts";
import type { Entry, ListOptions } from "../registry/index.ts";
import { DEFAULT_RETRY } from "../router/index.ts";
import type { ProgramHost } from "../router/index.ts";
import { nearestNames } from "../schema/index.ts";
import type { Source, SourceProblem } from "../source/index.ts";
import { notify } from "./answer/observer.ts";
import { Call, idText } from "./call/call.ts";
import type { CallRequest } from "./call/call.ts";
import { withSignature } from "./call/signature.ts";
import { chainCalls } from "./chain/chain.ts";
import type { ChainOptions } from "./chain/chain-options.ts";
import { chainRequest } from "./chain/chain-request.ts";
import type { ChainResult } from "./chain/chain-result.ts";
import { stepsRunner } from "./chain/steps.ts";
import { executeCall } from "./execute-call.ts";
import { shownParams, summarise, toListItem } from "./explain.ts";
import type { CapabilityListItem, OperationCardSummary } from "./explain.ts";
import { callsWith } from "./operation-registry.ts";
import { callRequest } from "./options/call-request.ts";
import { optionIssues, readOptions, refuseIssues } from "./options/check-options.ts";
import type { Check, KnownOptions } from "./options/check-options.ts";
import type { ListCapabilitiesOptions } from "./options/list-options.ts";
import { checkedOptions } from "./options/waybill-options.ts";
import type { WaybillOptions } from "./options/waybill-options.ts";
import { createRedactor } from "./redaction/index.ts";
import { openProgram } from "./program/program-host.ts";
import { programsRunner } from "./program/saved-program.ts";
import { findAccounts, findRoutes, routeStates } from "./route-states.ts";
import type { CapabilityState } from "./route-states.ts";
import { readerFor } from "./settings.ts";
import type { Settings } from "./settings.ts";
import { findSignatures } from "./signature-lines.ts";
import { findSignatureTexts } from "./signature-texts.ts";
import type { SourceState } from "./sources/source-slot.ts";
import { Sources } from "./sources/sources.ts";
import type { Execute, ExecuteWith } from "./typed-execute.ts";
import { watch } from "./run-subscription.ts";
import type { WatchOptions } from "./run-subscription.ts";

/** A Waybill. `Run` is the type of `execute`, which knows the operations that were passed in. */
export interface Waybill<Run = Execute> {
  /** Calls a capability by id. Never throws; the envelope says what happened. */
  execute: Run;
  /** The same as `execute`. */
  executeTask: Run;
  /** Runs many calls in one request. A step can use the answers of others. Never throws. */
  chain(steps: readonly ChainStep[], options?: ChainOptions): Promise<ChainResult>;
  /** Explains briefly how to call a capability. Throws a CallError for an unknown id. */
  explain(capability_id: string): Promise<OperationCardSummary>;
  /** Lists the capabilities, optionally of one domain. */
  list_capabilities(options?: ListCapabilitiesOptions): Promise<CapabilityListItem[]>;
  /**
   * The full description of every operation by id, including hidden ones. With patterns such as
   * `issue.*`, returns only those that match. Operations of a source that does not answer within 10
   * s are missing. For plain ids it waits only for the sources that may have them, like a call.
   */
  operations(patterns?: readonly string[]): Promise<OperationSpec[]>;
  /**
   * How to call each of these capabilities, in a line such as `issue.view(owner, name,
   * number:integer)`. Opens only sources of packs, because others may start a process or need the
   * network. If the inputs of a capability are not known, its line is only the id.
   */
  signatures(ids: readonly string[]): Promise<readonly string[]>;
  /** The full description of a capability, and the state of its routes here. Sends nothing. */
  describe(capability_id: string): Promise<CapabilityState>;
  /** The state of the sources, as far as it is known. Sends no request. */
  sources(): SourceState[];
  /**
   * Calls that wait for a person's approval, and the person's answers. Expose it only to
   * programs that a person controls, because its user can approve calls.
   */
  readonly approvals: Pick<Approvals, "answer" | "pending" | "withdraw">;
  /**
   * Starts a run of a program, for packages that run programs. Its calls have the identity of this
   * Waybill and are reported as parts of the run.
   */
  openProgram(params: unknown): ProgramHost;
  /** Subscribes to an operation, and yields one envelope per event. */
  subscribe(
    capability_id: string,
    params?: unknown,
    options?: WatchOptions,
  ): AsyncGenerator<ResponseEnvelope, void, undefined>;
  /** The same Waybill for another caller, whose access rules apply. */
  as(identity: Identity): Waybill<Run>;
  /** Closes the sources, the journal and the stores. */
  close(): Promise<void>;
}

/** The id that records and approvals use for programs that are not saved. */
const PROGRAM_ID = "code.run";
const DEFAULT_LIST_LIMIT = 1_000;
const DEFAULT_SEARCH_LIMIT = 20;
const DEFAULT_WAIT_MS = 3_000;
/** The wait of a caller that wants all operations. It prefers waiting to missing some. */
const OPERATIONS_WAIT_MS = 10_000;

const LIST_OPTIONS: KnownOptions = {
  checks: {
    query: (value) => (typeof value === "string" ? undefined : "must be a string"),
    domain: (value) => (typeof value === "string" ? undefined : "must be a string"),
    limit: (value) => (typeof value === "number" ? undefined : "must be a number"),
    wait_ms: (value) =>
      typeof value === "number" && value >= 0 ? undefined : "must be a number of at least 0",
  } satisfies Record<keyof ListCapabilitiesOptions, Check>,
  kind: "an option",
};

/** Whether a list without search words shows an operation. */
function isShown({ expose }: Settings, { id, exposed }: OperationSpec): boolean {
  return expose === undefined ? exposed !== false : matchesAny(expose, id);
}

function listCapabilities(
  settings: Settings,
  options: ListCapabilitiesOptions,
): CapabilityListItem[] {
  const { registry } = settings;
  const { query, domain, limit } = options;
  const within: ListOptions = {
    ...(domain !== undefined && { namespace: domain }),
    accepts: (spec) => isListed(settings.policy, spec),
  };
  if (query !== undefined) {
    const hits = registry.search(query, { ...within, limit: limit ?? DEFAULT_SEARCH_LIMIT });
    return hits.map(({ operation }) => toListItem(operation));
  }
  return registry
    .list(within)
    .filter((spec) => isShown(settings, spec))
    .slice(0, Math.max(0, limit ?? DEFAULT_LIST_LIMIT))
    .map(toListItem);
}

/** The members of a Waybill that call operations for an identity. */
function callsFor(
  settings: Settings,
  identity: Identity | undefined,
): Pick<Waybill, "execute" | "chain" | "openProgram" | "subscribe"> {
  const { calls } = settings;
  const reader = readerFor(settings, "answer");
  const plain: CallRequest = { identity };
  return {
    execute(capability_id, params, options) {
      const request = options === undefined ? plain : callRequest(readOptions(options), identity);
      return executeCall(settings, new Call(capability_id, params, request, calls, reader));
    },
    chain: (steps, options) =>
      chainCalls(settings, chainRequest(steps, readOptions(options), identity)),
    openProgram: (params) =>
      openProgram(settings, { id: PROGRAM_ID, requestId: nextRequestId(), identity }, params),
    subscribe: (capability_id, params, options) =>
      watch(settings, identity, capability_id, params, options),
  };
}

/** Hides the text of an internal error, as in the answer of a call. Only the log has it. */
function explainError(settings: Settings, operationId: string, thrown: unknown): Error {
  const error = withSignature(settings.registry, thrown, undefined);
  const requestId = nextRequestId();
  const shown = toResultError(error, { requestId, isWrite: false, isRepeatable: true });
  if (shown.code !== "UNKNOWN") return settings.redactor.error(error);
  const message = `${requestId}: ${error.message}`;
  reportProblem(settings, { source: "", operationId, message });
  return fail(shown.code, settings.redactor.text(shown.message));
}

/** The members of a Waybill that list and describe operations. */
function questionsTo(
  settings: Settings,
  sources: Sources,
  identity?: Identity,
): Pick<
  Waybill,
  "explain" | "list_capabilities" | "operations" | "signatures" | "describe" | "sources"
> {
  const found = async <T>(
    capability_id: string,
    tell: (entry: Entry) => T | Promise<T>,
  ): Promise<T> => {
    await sources.toLoad([idText(capability_id)])?.();
    try {
      return await tell(settings.registry.resolve(capability_id));
    } catch (thrown) {
      throw explainError(settings, idText(capability_id), thrown);
    }
  };
  return {
    async explain(capability_id) {
      await sources.waitForAnyIds();
      return found(capability_id, async (entry) => ({
        ...summarise(entry.spec, findRoutes(entry), sources.collisions()),
        ...(await findAccounts(entry, identity)),
      }));
    },
    async describe(capability_id) {
      const entry = await found(capability_id, (known) => known);
      const routes = await routeStates(entry);
      return { spec: entry.spec, routes: routes.map((state) => settings.redactor.data(state)) };
    },
    sources: () =>
      sources.states().map(({ problem, ...state }) => {
        if (problem === undefined) return { ...state, problem };
        const message = settings.redactor.text(problem.message);
        return { ...state, problem: { ...problem, message } };
      }),
    async list_capabilities(options) {
      const given = readOptions(options);
      refuseIssues(optionIssues(given, LIST_OPTIONS), "options of list_capabilities");
      await sources.waitFor(given.wait_ms ?? DEFAULT_WAIT_MS);
      return listCapabilities(settings, given);
    },
    async operations(patterns) {
      if (patterns?.every((pattern) => !pattern.includes("*")) === true) {
        await sources.toLoad(patterns)?.();
        return patterns.flatMap((id) => settings.registry.getSpec(id) ?? []);
      }
      await sources.waitFor(OPERATIONS_WAIT_MS);
      const matching = (): OperationSpec[] => {
        const all = settings.registry.list();
        return patterns === undefined ? all : all.filter(({ id }) => matchesAny(patterns, id));
      };
      await sources.toLoad(matching().map(({ id }) => id))?.();
      return matching();
    },
    signatures: (ids) => findSignatureTexts(settings.registry, sources, ids),
  };
}

function viewFor(settings: Settings, sources: Sources, identity: Identity | undefined): Waybill {
  const calls = callsFor(settings, identity);
  return {
    ...calls,
    ...questionsTo(settings, sources, identity),
    executeTask: calls.execute,
    approvals: settings.approvals,
    // If an identity lookup finds nothing, the caller gets no rights instead of the program's
    // rights.
    as: (other) => viewFor(settings, sources, other ?? NOBODY),
    async close() {
      await sources.close();
      await settings.journal?.close();
      await settings.approvals.close();
    },
  };
}

function firstPart(id: string): string {
  return id.slice(0, id.indexOf("."));
}

function getSettings(
  options: WaybillOptions,
  sources: () => Sources,
  questions: Settings["questions"],
): Settings {
  const registry = new Catalogue(options, (id, near) => {
    const why = sources().whyMissing(id, near);
    const isKnownThing = nearestNames(firstPart(id), near.map(firstPart), 1).length > 0;
    const missingHint = isKnownThing || why.near !== undefined ? undefined : options.missingHint;
    const hints = [why.hint, missingHint].filter((hint) => hint !== undefined);
    return hints.length === 0 ? why : { ...why, hint: hints.join(" ") };
  });
  const settings: Settings = {
    registry,
    calls: callsWith(() => settings, registry),
    observer: options.observer,
    policy: { ...options.policy },
    approvals: new Approvals(options.approvals ?? memoryApprovals()),
    show: (params) => shownParams(params, settings.redactor),
    expose: options.expose,
    journal: options.journal,
    isJournalNeeded: true,
    handles: options.handles,
    retry: { ...DEFAULT_RETRY, ...options.retry },
    redactor: createRedactor(options.secrets, options.hiddenFolders),
    toLoad: (ids, allWithin) => sources().toLoad(ids, allWithin),
    steps: stepsRunner,
    programs: programsRunner,
    questions,
  };
  return settings;
}

function reportProblem({ observer, redactor }: Settings, problem: SourceProblem): void {
  const message = redactor.text(problem.message);
  notify(() => observer?.onProblem?.({ ...problem, message }));
}

/**
 * The entry to Waybill: every operation is described once, called the same way and answered in one
 * envelope.
 *
 * @example
 * ```ts
 * import { createWaybill, defineOperation } from "@waybill/core";
 *
 * const hello = defineOperation({
 *   id: "hello.say",
 *   description: "Say hello",
 *   effect: "read",
 *   handler: () => "Hello",
 * });
 * const waybill = createWaybill({ operations: [hello] });
 * const { ok, data } = await waybill.execute("hello.say", {});
 * console.log(ok, data);
 * ```
 *
 * ```text
 * true Hello
 * ```
 */
export function createWaybill<
  const Operations extends readonly Operation[] = readonly [],
  const Sources extends readonly Source[] = readonly [],
>(given?: WaybillOptions<Operations, Sources>): Waybill<ExecuteWith<Operations, Sources>> {
  const options = checkedOptions(given);
  const settings = getSettings(options, () => sources, {
    operations: (ids) => asked.operations(ids),
    search: (query) => findSignatures(asked, { query }),
    nearest: (id) => settings.registry.nearest(id),
  });
  const { registry, handles } = settings;
  for (const operation of options.operations ?? []) registry.register(operation);
  if (handles !== undefined) registry.register(resultReadOperation(handles));
  const sources = new Sources(registry, options, (problem) => reportProblem(settings, problem));
  const asked = questionsTo(settings, sources);
  // The cast is safe, because only the type of `execute` is narrower.
  return viewFor(settings, sources, options.identity) as Waybill<ExecuteWith<Operations, Sources>>;
}
