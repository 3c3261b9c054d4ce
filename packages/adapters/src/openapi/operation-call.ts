import { fail, keptFor, parseExactJson } from "@waybill/core";
import type {
  Attempt,
  HandleStore,
  OneRoute,
  OperationSpec,
  RouteAnswer,
  RoutedRequest,
  Skip,
} from "@waybill/core";
import { redactValues, sendRepeatable, withoutSecret } from "../http/index.ts";
import type { HttpAttempt, HttpRequest, HttpStream, HttpTransport } from "../http/index.ts";
import { routeAnswer } from "./answer.ts";
import { buildRequest, requestUrl } from "./build-request.ts";
import type { BuiltRequest } from "./build-request.ts";
import { redacted, signatureFor } from "./credentials.ts";
import type { Credentials, Signature } from "./credentials.ts";
import type { OperationModel } from "./operation-model.ts";
import { pagedQuery } from "./paging.ts";
import type { Paging } from "./paging.ts";

/** What the calls of one source share. */
export interface CallKit {
  readonly transport: HttpTransport;
  readonly credentials: Credentials;
  /** Whether credentials may go to a host. */
  readonly isTrusted: (server: URL) => boolean;
  readonly store: HandleStore | undefined;
  readonly userAgent: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Said with every answer. */
  readonly warning: string | undefined;
}

/** One operation as its description says, worked out when it is first used. */
export interface CallSubject {
  readonly id: string;
  readonly spec: OperationSpec;
  readonly model: OperationModel;
  readonly server: string;
  readonly paging: Paging | undefined;
  /** The header by which the upstream takes idempotency keys. */
  readonly keyHeader: string | undefined;
}

type SignedRequest = HttpRequest & {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
};

const COMMON: ReadonlySet<string> = new Set(["accept", "content-type", "user-agent"]);

function encoded(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
}

/** Builds and sends the requests of one operation. */
export class OperationCall implements OneRoute {
  readonly route = "rest";
  readonly #subject: () => CallSubject;
  readonly #kit: () => CallKit;

  /** Both are worked out when a call first needs them. */
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
    url.search = shownQuery(url.search);
    const shown = Object.fromEntries(redactValues(Object.entries(headers)));
    return { method, url: url.href, headers: shown, ...shownBody(built) };
  }

  #sign(): ReturnType<typeof signatureFor> {
    const { credentials, isTrusted } = this.#kit();
    const { model, server } = this.#subject();
    const { protocol, host } = new URL(server);
    return signatureFor(model.security, credentials, {
      isTrusted: isTrusted(new URL(server)),
      host: protocol === "https:" ? host : `${protocol}//${host}`,
    });
  }

  async #signature(): Promise<Signature> {
    const found = await this.#sign();
    if ("signature" in found) return found.signature;
    throw fail("AUTH", found.skip.hint ?? found.skip.code, { outcome: "not_applied" });
  }

  /** Of the files that are kept, a caller may send on its own. */
  async #build({ params, page, identity }: RoutedRequest): Promise<BuiltRequest> {
    const { model, paging, spec } = this.#subject();
    const store = keptFor(this.#kit().store, identity);
    const built = await buildRequest(model, params, store, spec.inputSchema);
    return { ...built, query: pagedQuery(built.query, paging, page) };
  }

  #signed(built: BuiltRequest, signature: Signature, key?: string): SignedRequest {
    const { server, keyHeader } = this.#subject();
    const { userAgent, headers } = this.#kit();
    const { cookie, ...own } = { ...headers, ...built.headers, ...signature.headers };
    const cookies = [cookie ?? [], built.cookies, encoded(signature.cookies)].flat();
    return {
      method: built.method,
      url: requestUrl(server, built.path, [...built.query, ...encoded(signature.query)]),
      headers: {
        "user-agent": userAgent,
        ...own,
        ...(cookies.length > 0 && { cookie: cookies.join("; ") }),
        ...(keyHeader !== undefined && key !== undefined && { [keyHeader]: key }),
      },
      // What was described as this API's own header is not for whom it redirects to.
      credentialHeaders: Object.keys(own).filter((name) => !COMMON.has(name)),
      body: built.body,
    };
  }

  async send(request: RoutedRequest, attempt: Attempt): Promise<RouteAnswer> {
    const { id, paging } = this.#subject();
    const { transport, warning } = this.#kit();
    const store = keptFor(this.#kit().store, request.identity);
    const built = await this.#build(request);
    const signature = await this.#signature();
    const sent = this.#signed(built, signature, attempt.idempotencyKey);
    try {
      const response = await sendRepeatable(transport, sent, attempt);
      return await routeAnswer(response, { id, store, paging, query: built.query, warning });
    } catch (error) {
      throw signature.secrets.reduce(withoutSecret, error);
    }
  }

  /** Opens an answer that is read as it comes, and hands on its pieces. */
  async *stream(
    asked: RoutedRequest,
    attempt: HttpAttempt,
    check: (headers: HttpStream["headers"]) => void,
  ): AsyncGenerator<Uint8Array> {
    const signature = await this.#signature();
    const request = this.#signed(await this.#build(asked), signature);
    const headers = { ...request.headers, accept: "text/event-stream" };
    try {
      const stream = await this.#kit().transport.stream(
        { ...request, headers, fresh: true },
        attempt,
      );
      try {
        check(stream.headers);
        yield* stream.chunks;
      } finally {
        stream.close();
      }
    } catch (error) {
      throw signature.secrets.reduce(withoutSecret, error);
    }
  }

  /** The request without credentials, as a tool that compares or records it wants it. */
  async preview(
    params: Readonly<Record<string, unknown>>,
  ): Promise<BuiltRequest & { url: string }> {
    const built = await this.#build({ params });
    return { ...built, url: requestUrl(this.#subject().server, built.path, built.query).href };
  }
}

/** As it is sent, but for values of names that sound secret. */
function shownQuery(search: string): string {
  const pairs = search.slice(1).split("&");
  const named = pairs.map((pair): [string, string] => {
    const [name = "", ...value] = pair.split("=");
    return [name, value.join("=")];
  });
  return redactValues(named)
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
