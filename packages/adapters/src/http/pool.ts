import { Agent as HttpAgent, request as httpRequest } from "node:http";
import type { ClientRequest, RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import type { Hop } from "./hop.ts";
import { plainHost, Reach } from "./reach.ts";
import type { AllowPrivate } from "./reach.ts";

export interface PoolOptions {
  readonly allowPrivate: AllowPrivate;
  /** Certificates to trust instead of the default ones, in PEM. */
  readonly ca: string | undefined;
}

const KEEP_ALIVE = { keepAlive: true, maxFreeSockets: 16, timeout: 15_000 } as const;

/** The connections of a transport: kept-alive ones for repeatable requests, new ones for others. */
export class ConnectionPool {
  readonly #ca: PoolOptions["ca"];
  readonly #reach: Reach;
  // Created by the first request that needs one, because Node's TLS module alone takes longer to
  // load than most calls take.
  #http: HttpAgent | undefined;
  #https: HttpsAgent | undefined;
  readonly #sockets = new Set<Socket>();

  constructor({ allowPrivate, ca }: PoolOptions) {
    this.#reach = new Reach(allowPrivate);
    this.#ca = ca;
  }

  get size(): number {
    return this.#sockets.size;
  }

  open(hop: Hop, isFresh: boolean, headerBytes: number): ClientRequest {
    this.#checkAddress(hop);
    const isTls = hop.url.protocol === "https:";
    const options: RequestOptions = {
      ...this.#requestOptions(hop),
      // Does not reuse a connection: it was resolved for another request, perhaps to an internal
      // address.
      agent: isFresh || hop.isPublicOnly ? false : this.#keptFor(isTls),
      maxHeaderSize: headerBytes,
    };
    return isTls ? httpsRequest({ ...options, ca: this.#ca }) : httpRequest(options);
  }

  #keptFor(isTls: boolean): HttpAgent {
    if (isTls) return (this.#https ??= new HttpsAgent(KEEP_ALIVE));
    return (this.#http ??= new HttpAgent(KEEP_ALIVE));
  }

  #requestOptions(hop: Hop): RequestOptions {
    const { url, method, headers, body, socketPath } = hop;
    const length = body === undefined ? {} : { "content-length": String(body.length) };
    return {
      protocol: url.protocol,
      hostname: plainHost(url),
      port: url.port,
      path: `${url.pathname}${url.search}`,
      method,
      headers: { ...headers, ...length },
      socketPath,
      lookup: this.#reach.lookup(hop.isPublicOnly),
    };
  }

  #checkAddress({ url, socketPath, isPublicOnly }: Hop): void {
    if (socketPath === undefined) this.#reach.assert(url, isPublicOnly);
    else this.#reach.assertSocket(isPublicOnly);
  }

  /** Records a socket. Returns true if it was used by an earlier request. */
  admit(socket: Socket): boolean {
    if (this.#sockets.has(socket)) return true;
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    return false;
  }

  close(): void {
    this.#http?.destroy();
    this.#https?.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}
