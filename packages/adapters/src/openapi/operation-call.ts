import { fail } from "@waybill/core";
import { keptFor } from "@waybill/core/cards";
import { parseExactJson } from "@waybill/core/schema";
import type { Attempt, HandleStore, OperationSpec, Redactor, Skip } from "@waybill/core";
import type { OneRoute, RouteAnswer, RoutedRequest } from "@waybill/core/cards";
import { redactValues, sendSigned, streamSigned } from "../http/index.ts";
import type {
  HttpAttempt,
  HttpLimits,
  HttpRequest,
  HttpStream,
  HttpTransport,
  SignedRequest,
} from "../http/index.ts";
import { routeAnswer } from "./answer/answer.ts";
import type { WarningsFor } from "./answer/answer.ts";
import { buildRequest, requestUrl } from "./request/build-request.ts";
import type { BuiltRequest } from "./request/build-request.ts";
import { redacted, signatureFor } from "./security/credentials.ts";
import type { Credentials, Signature } from "./security/credentials.ts";
import type { OperationModel } from "./operation/operation-model.ts";
import { pagedBody, pagedQuery, sentPairs } from "./answer/paging.ts";
import type { Paging } from "./answer/paging.ts";

/** The parts that all calls of one source share. */
export interface CallKit {
  readonly transport: HttpTransport;
  readonly credentials: Credentials;
  /** Receives the secrets that are sent, so that they are removed from every response. */
  readonly redactor: Redactor;
  /** Whether credentials may be sent to a host. */
  readonly isTrusted: (server: URL) => boolean;
  readonly store: HandleStore | undefined;
  readonly userAgent: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether one of these headers is a secret. Only trusted servers may receive secrets. */
  readonly hasSecretHeader: boolean;
  readonly warningsFor: WarningsFor | undefined;
  /** The next step for a caller if a credential is missing. */
  readonly signInHint: string | undefined;
  /** Size and time limits of each request. */
  readonly limits: Partial<HttpLimits>;
}

/** The data of one operation, computed when it is first used. */
export interface CallSubject {
  readonly id: string;
  readonly spec: OperationSpec;
  readonly model: OperationModel;
  readonly server: string;
  readonly paging: Paging | undefined;
  /** Whether the API accepts the ETag of an earlier answer. */
  readonly takesEtag: boolean;
  /** The header in which the upstream accepts idempotency keys. */
  readonly keyHeader: string | undefined;
}

type OwnRequest = HttpRequest & {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
};

const COMMON: ReadonlySet<string> = new Set(["accept", "content-type", "user-agent"]);

/**
 * Adds credentials to the encoded pairs. A credential replaces an input with the same name, so
 * that each name is sent once.
 */
function withPairs(
  own: readonly string[],
  signature: readonly (readonly [string, string])[],
): string[] {
  const names = new Set(signature.map(([name]) => encodeURIComponent(name)));
  const kept = own.filter((pair) => !names.has(pair.split("=", 1)[0] ?? ""));
  const added = signature.map(([name, value]) => [name, value].map(encodeURIComponent).join("="));
  return [...kept, ...added];
}

/** Builds and sends the requests of one operation. */
export class OperationCall implements OneRoute {
  readonly route = "rest";
  readonly #subject: () => CallSubject;
  readonly #kit: () => CallKit;

  /** `subject` and `kit` are computed when a call first needs them. */
  constructor(subject: () => CallSubject, kit: () => CallKit) {
    this.#subject = subject;
    this.#kit = kit;
  }

  get spec(): OperationSpec {
    return this.#subject().spec;
  }

  get host(): string {
    return new URL(this.#subject().server).host;
  }

  get honoursKeys(): boolean {
    return this.#subject().keyHeader !== undefined;
  }

  async preflight(): Promise<Skip | undefined> {
    const found = await this.#sign();
    return "skip" in found ? found.skip : undefined;
  }

  async describe(request: RoutedRequest): Promise<object> {
    const built = await this.#build(request);
    const { method, url, headers } = this.#signed(built, redacted(await this.#signature()));
    const { paging } = this.#subject();
    url.search = shownQuery(url.search, paging?.cursor);
    const shown = Object.fromEntries(redactValues(Object.entries(headers)));
    return { method, url: url.href, headers: shown, ...shownBody(built) };
  }

  #sign(refused?: readonly string[]): ReturnType<typeof signatureFor> {
    const { credentials, isTrusted, hasSecretHeader, signInHint } = this.#kit();
    const { model, server } = this.#subject();
    const { protocol, host } = new URL(server);
    const receiver = {
      isTrusted: isTrusted(new URL(server)),
      isAlwaysSecret: hasSecretHeader,
      host: protocol === "https:" ? host : `${protocol}//${host}`,
      signInHint,
    };
    return signatureFor(model.security, credentials, receiver, refused);
  }

  async #signature(refused?: readonly string[]): Promise<Signature> {
    const found = await this.#sign(refused);
    if ("signature" in found) return found.signature;
    throw fail("AUTH", found.skip.hint ?? found.skip.code, { outcome: "not_applied" });
  }

  /** Uses the store of the caller, because a caller may send only its own stored files. */
  async #build({ params, page, identity }: RoutedRequest): Promise<BuiltRequest> {
    const { model, paging, spec } = this.#subject();
    const store = keptFor(this.#kit().store, identity);
    const paged = { ...params, ...pagedParams(params, paging, page) };
    const built = await buildRequest(model, paged, store, spec.inputSchema);
    return { ...built, query: pagedQuery(built.query, paging, page) };
  }

  #signed(built: BuiltRequest, signature: Signature, key?: string): OwnRequest {
    const { server, keyHeader } = this.#subject();
    const { userAgent, headers, limits } = this.#kit();
    const { cookie, ...own } = { ...headers, ...built.headers, ...signature.headers };
    const cookies = [cookie ?? [], withPairs(built.cookies, signature.cookies)].flat();
    return {
      method: built.method,
      url: requestUrl(server, built.path, withPairs(built.query, signature.query)),
      headers: {
        "user-agent": userAgent,
        ...own,
        ...(cookies.length > 0 && { cookie: cookies.join("; ") }),
        ...(keyHeader !== undefined && key !== undefined && { [keyHeader]: key }),
      },
      // Headers that this API defines are not sent to the target of a redirect.
      credentialHeaders: Object.keys(own).filter((name) => !COMMON.has(name)),
      body: built.body,
      limits,
    };
  }

  /** Adds the credentials that the request needs. */
  async #withCredentials(
    built: BuiltRequest,
    key: string | undefined,
    refused?: readonly string[],
  ): Promise<SignedRequest<OwnRequest>> {
    const signature = await this.#signature(refused);
    return { request: this.#signed(built, signature, key), secrets: signature.secrets };
  }

  async send(request: RoutedRequest, attempt: Attempt): Promise<RouteAnswer> {
    const { id, paging } = this.#subject();
    const { warningsFor } = this.#kit();
    const store = keptFor(this.#kit().store, request.identity);
    const built = await this.#build(request);
    const response = await sendSigned(
      (refused) => this.#withCredentials(built, attempt.idempotencyKey, refused),
      attempt,
      this.#kit(),
    );
    const body = pagedParams(request.params, paging, request.page)["body"];
    const query = paging?.inBody === true ? sentPairs(body) : built.query;
    const takesEtag = this.#subject().takesEtag;
    return routeAnswer(response, { id, store, paging, query, warningsFor, takesEtag });
  }

  /** Opens a streamed response, and yields the values that the reader creates from its pieces. */
  async *stream<T>(
    asked: RoutedRequest,
    attempt: HttpAttempt,
    read: (stream: HttpStream) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const signed = await this.#withCredentials(await this.#build(asked), undefined);
    yield* streamSigned(signed, attempt, this.#kit(), read);
  }

  /** The request without credentials, for tools that compare or record it. */
  async preview(
    params: Readonly<Record<string, unknown>>,
  ): Promise<BuiltRequest & { url: string }> {
    const built = await this.#build({ params });
    return { ...built, url: requestUrl(this.#subject().server, built.path, built.query).href };
  }
}

/** The params of a page, for a list that is requested with a body. */
function pagedParams(
  { body }: Readonly<Record<string, unknown>>,
  paging: Paging | undefined,
  page: RoutedRequest["page"],
): { body?: unknown } {
  return paging?.inBody === true ? { body: pagedBody(body, paging, page) ?? body } : {};
}

/** The query in the form that is sent, without the values of names that look secret. */
function shownQuery(search: string, cursor: string | undefined): string {
  const pairs = search.slice(1).split("&");
  const named = pairs.map((pair): [string, string] => {
    const [name = "", ...value] = pair.split("=");
    return [name, value.join("=")];
  });
  // A cursor is not a secret, even if its name contains `token`.
  const clean = redactValues(named).map((pair, index) => {
    const isCursor = cursor !== undefined && pair[0] === encodeURIComponent(cursor);
    return isCursor ? named[index]! : pair;
  });
  return clean
    .map(([name, value], index) =>
      pairs[index]?.includes("=") === true ? `${name}=${value}` : name,
    )
    .join("&");
}

function shownBody({ body, headers }: BuiltRequest): { body?: unknown } {
  if (body === undefined) return {};
  const type = headers["content-type"] ?? "";
  if (typeof body === "string")
    return { body: /json/iu.test(type) ? parseExactJson(body).value : body };
  return { body: { bytes: body.length, content_type: type } };
}
