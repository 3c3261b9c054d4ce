import { CallError, createRedactor, fail } from "@waybill/core";
import { oneRouteOperation } from "@waybill/core/cards";
import type {
  HandleStore,
  OperationSpec,
  OperationSummary,
  Source,
  SourceProblem,
} from "@waybill/core";
import type { OperationRun } from "@waybill/core/protocol";
import { createHttpTransport, rememberLimits, secretHeaders } from "../http/index.ts";
import type { AllowPrivate, HttpLimits, HttpTransport, SourceLimits } from "../http/index.ts";
import type { BuiltRequest } from "./request/build-request.ts";
import type { Credentials } from "./security/credentials.ts";
import { withExternal } from "./document/external.ts";
import { loadDocument, unreadableDescription } from "./document/load-document.ts";
import type { DocumentOptions } from "./document/load-document.ts";
import { OperationCall } from "./operation-call.ts";
import type { CallKit, CallSubject } from "./operation-call.ts";
import type { WarningsFor } from "./answer/answer.ts";
import { operationIndex } from "./operation/operation-index.ts";
import type { OperationLocation } from "./operation/operation-index.ts";
import { operationKeys, operationServer } from "./operation/operation-model.ts";
import { PlaceSummary } from "./operation/operation-summary.ts";
import type { OperationOverride } from "./operation/operation-summary.ts";
import { SpecProblem } from "./document/references.ts";
import { alternatives, schemeUses, readSignInWays } from "./security/security.ts";
import type { SchemeUse } from "./security/security.ts";
import { serverHosts, serverUrl } from "./security/servers.ts";
import type { ServerChoice } from "./security/servers.ts";
import { readSpecification } from "./document/specification.ts";
import type { Specification } from "./document/specification.ts";
import { eventSubscription } from "./subscription.ts";
import { readSubject } from "./operation/subject.ts";
import { trustIn } from "./security/trusted-servers.ts";

export interface OpenApiOptions extends DocumentOptions, ServerChoice {
  /** The prefix of all ids. */
  readonly name: string;
  /** The value to send for each security scheme. */
  readonly credentials?: Credentials;
  /**
   * Hosts that may receive credentials (default: the hosts of `server` and `url` or `baseUrl`).
   * A host name without a scheme means https; `http://name` allows unencrypted requests.
   */
  readonly hosts?: readonly string[];
  /** Headers to send with every request. Secret ones are sent only to the hosts in `hosts`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The names of `headers` that are secret (default: those with a name such as `X-Api-Key`). */
  readonly secretHeaders?: readonly string[];
  /** Whether references to other documents are followed. */
  readonly external?: boolean;
  /** Private hosts, addresses and ranges that may be reached (default: none). */
  readonly allowPrivate?: AllowPrivate;
  /** Size and time limits of requests. */
  readonly limits?: Partial<HttpLimits>;
  /**
   * Returns warnings for an answer, such as that the service is not the real one or that data is
   * missing.
   */
  readonly warningsFor?: WarningsFor;
  /**
   * Whether lists show the operations of the source. Hidden operations can still be found and
   * called.
   */
  readonly exposed?: boolean;
  /** Corrections by operation name, without the name of the source. */
  readonly overrides?: Readonly<Record<string, OperationOverride>>;
  /** Stores received files. Pass the store of the Waybill, so that callers can read them. */
  readonly handles?: HandleStore;
  readonly transport?: HttpTransport;
  /**
   * The account whose rate limits are remembered, and the store for them (default: each source
   * has its own).
   */
  readonly rateLimits?: Omit<SourceLimits, "name">;
  readonly userAgent?: string;
  /** The next step for a caller if a credential is missing, such as a command that signs in. */
  readonly signInHint?: string;
}

/** An API as a source. */
export interface OpenApiSource extends Source {
  /**
   * The request of a call without its credentials. Nothing is sent, and the input is not validated.
   */
  preview(
    id: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<BuiltRequest & { readonly url: string }>;
  /** The hosts of the servers in the description. The host that calls use comes first. */
  hosts(): Promise<readonly string[]>;
  /** Whether the description refers to other documents that are not read. */
  isSplit(): Promise<boolean>;
  /**
   * The files and addresses that the description was read from, as URLs. Known after the source
   * was listed.
   */
  documents(): readonly string[];
  /** The security schemes that its operations need. */
  schemes(): Promise<readonly SchemeUse[]>;
}

const NAME = /^[\w-]+(?:\.[\w-]+)*$/u;
const MAX_SUBJECTS = 1_000;
/** Searches only for the end of the media type, because its slash may be escaped. */
const EVENTS = "event-stream";
const ANSWERS = [["paths"], ["components", "responses"]];

interface Entry {
  readonly summary: PlaceSummary;
  readonly place: OperationLocation;
  readonly call: OperationCall;
  readonly run: OperationRun;
}

const SPLIT = 'it refers to other documents, which are not read; set "external": true to read them';

interface Loaded {
  readonly documents: readonly string[];
  readonly isSplit: boolean;
  readonly specification: Specification;
  readonly warnings: readonly string[];
  readonly entries: ReadonlyMap<string, Entry>;
  readonly kit: CallKit;
}

class DescribedSource implements OpenApiSource {
  readonly name: string;
  readonly route = "rest";
  readonly #options: OpenApiOptions;
  readonly #transport: HttpTransport;
  readonly #subjects = new Map<string, CallSubject>();
  #loading: Promise<Loaded> | undefined;
  #loaded: Loaded | undefined;

  constructor(options: OpenApiOptions) {
    if (!NAME.test(options.name))
      throw new TypeError(
        `The name of a source consists of letters, digits, - and _, not "${options.name}"`,
      );
    this.name = options.name;
    this.#options = options;
    const { allowPrivate = false, limits } = options;
    const transport =
      options.transport ??
      createHttpTransport({ allowPrivate, ...(limits !== undefined && { limits }) });
    this.#transport = rememberLimits(transport, { name: options.name, ...options.rateLimits });
  }

  async list(): Promise<readonly OperationSummary[]> {
    const { entries } = await this.#load();
    return [...entries.values()].map(({ summary }) => summary);
  }

  describe(id: string): OperationSpec {
    return this.#subject(id).spec;
  }

  runOf(id: string): OperationRun {
    return this.#entry(id).run;
  }

  problems(): readonly SourceProblem[] {
    const warnings = this.#loaded?.warnings ?? [];
    return warnings.map((message) => ({ source: this.name, operationId: "", message }));
  }

  async hosts(): Promise<readonly string[]> {
    const { specification } = await this.#load();
    return serverHosts(specification, this.#options);
  }

  async isSplit(): Promise<boolean> {
    return (await this.#load()).isSplit;
  }

  documents(): readonly string[] {
    return this.#loaded?.documents ?? [];
  }

  async schemes(): Promise<readonly SchemeUse[]> {
    const { specification, entries } = await this.#load();
    const { document } = specification;
    const uses = schemeUses(
      [...entries.values()].map(({ place }) =>
        alternatives(specification, document.at([...operationKeys(place), "security"])),
      ),
    );
    const server = this.#usualServers(specification)[0]?.href;
    return uses.map((use) => {
      const ways = readSignInWays(specification, use.name, server);
      return ways === undefined ? use : { ...use, ways };
    });
  }

  async preview(
    id: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<BuiltRequest & { readonly url: string }> {
    await this.#load();
    return this.#entry(id).call.preview(input);
  }

  close(): Promise<void> {
    if (this.#options.transport === undefined) this.#transport.close();
    return Promise.resolve();
  }

  #load(): Promise<Loaded> {
    // A failed download is tried again on the next use.
    this.#loading ??= this.#read().catch((thrown: unknown) => {
      this.#loading = undefined;
      throw thrown;
    });
    return this.#loading;
  }

  async #read(): Promise<Loaded> {
    const loaded = await loadDocument(this.name, this.#options, this.#transport);
    try {
      const { external, cache } = this.#options;
      const { document, baseUrl, warnings, location, locations } =
        external === true ? await withExternal(loaded, this.#transport, cache) : loaded;
      const isSplit = external !== true && document.refersElsewhere();
      const specification = readSpecification(document, this.#options.baseUrl ?? baseUrl);
      const { places, problems } = operationIndex(document, this.name);
      this.#loaded = {
        specification,
        isSplit,
        documents: locations ?? (location === undefined ? [] : [location]),
        warnings: [...warnings, ...(isSplit ? [SPLIT] : []), ...problems],
        entries: this.#entries(specification, places),
        kit: this.#kit(specification),
      };
      return this.#loaded;
    } catch (thrown) {
      throw unreadableDescription(this.name, thrown);
    }
  }

  #entries(specification: Specification, places: readonly OperationLocation[]): Map<string, Entry> {
    const { document } = specification;
    const mayHaveEvents = ANSWERS.some((keys) => document.mentions(keys, EVENTS));
    const entries = new Map<string, Entry>();
    for (const place of places) {
      const override = this.#override(place.name);
      const summary = new PlaceSummary(this.name, specification, place, override, mayHaveEvents);
      const { id, kind } = summary;
      const call = new OperationCall(
        () => this.#subject(id),
        () => this.#loaded!.kit,
      );
      const run: OperationRun =
        kind === "subscription"
          ? { kind: "local", handler: eventSubscription(call) }
          : oneRouteOperation(call).run;
      entries.set(id, { summary, place, call, run });
    }
    return entries;
  }

  #override(name: string): OperationOverride {
    const { overrides = {}, exposed = true } = this.#options;
    return { exposed, ...(Object.hasOwn(overrides, name) && overrides[name]) };
  }

  #kit(specification: Specification): CallKit {
    const {
      credentials = {},
      headers = {},
      secretHeaders: secret = [],
      handles,
      userAgent = "waybill",
      warningsFor,
      signInHint,
      limits = {},
    } = this.#options;
    return {
      transport: this.#transport,
      credentials,
      redactor: createRedactor(() => secretHeaders(headers)),
      isTrusted: trustIn(this.#options, this.#usualServers(specification)),
      store: handles,
      userAgent,
      warningsFor,
      signInHint,
      limits,
      hasSecretHeader: secret.length + secretHeaders(headers).length > 0,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
    };
  }

  #usualServers(specification: Specification): URL[] {
    try {
      return [new URL(serverUrl(specification, [], this.#options))];
    } catch {
      return [];
    }
  }

  #entry(id: string): Entry {
    const entry = this.#loaded?.entries.get(id);
    if (entry !== undefined) return entry;
    throw new CallError("OPERATION_NOT_FOUND", `${this.name} has no operation called "${id}"`, {
      hint: `List the operations of ${this.name} again, because they may have changed`,
    });
  }

  #subject(id: string): CallSubject {
    const known = this.#subjects.get(id);
    if (known !== undefined) return known;
    const subject = this.#readSubject(this.#entry(id));
    if (this.#subjects.size >= MAX_SUBJECTS) this.#subjects.clear();
    this.#subjects.set(id, subject);
    return subject;
  }

  /** An error in one operation is reported only when that operation is used. */
  #readSubject({ summary, place }: Entry): CallSubject {
    const { specification } = this.#loaded!;
    const override = this.#override(place.name);
    try {
      return readSubject(specification, summary, place, override, () =>
        operationServer(specification, place, this.#options),
      );
    } catch (thrown) {
      if (!(thrown instanceof SpecProblem)) throw thrown;
      const message = `${summary.id} cannot be called: its description is invalid: ${thrown.message}`;
      throw fail("ADAPTER_UNSUPPORTED", message, { outcome: "not_applied" }, { cause: thrown });
    }
  }
}

/** Creates a source from an OpenAPI 3.0, 3.1 or 3.2 or Swagger 2.0 document. */
export function openapiSource(options: OpenApiOptions): OpenApiSource {
  return new DescribedSource(options);
}
