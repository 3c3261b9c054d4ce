import type { NatsConnection } from "@nats-io/transport-node";
import { fail } from "@waybill/core";
import type { CallError } from "@waybill/core";
import type { ObjectStore } from "@nats-io/obj";
import { newToken } from "./token.ts";

/** The room for headers, which count towards the size limit of a message too. */
const HEADER_ROOM = 65_536;
const LARGEST_MESSAGE = 524_288;
const KEEP_NANOSECONDS = 3_600_000_000_000;

function noStore(cause: unknown): CallError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return fail(
    "TOO_LARGE",
    "The body is too large for a NATS message, and the object store cannot be used",
    { outcome: "not_applied", hint: `Larger bodies need JetStream: nats-server -js (${why})` },
    { cause },
  );
}

/** Stores bodies that are too large for a message, until their receiver has fetched them. */
export class Bodies {
  readonly #connection: NatsConnection;
  readonly #bucket: string;
  readonly #maxBytes: number;
  #store: Promise<ObjectStore> | undefined;

  constructor(connection: NatsConnection, service: string, maxBytes: number) {
    this.#connection = connection;
    this.#bucket = `${service}-bodies`;
    this.#maxBytes = maxBytes;
  }

  /** The largest message without a stored body. */
  get limit(): number {
    const most = this.#connection.info?.max_payload ?? LARGEST_MESSAGE;
    return Math.min(LARGEST_MESSAGE, Math.max(most - HEADER_ROOM, most / 2));
  }

  /** Stores a body under a name that nobody can guess. Returns that name. */
  async put(bytes: Uint8Array): Promise<string> {
    this.#assertSize(bytes.length);
    const name = newToken();
    try {
      const store = await this.#opened();
      await store.putBlob({ name }, bytes);
    } catch (cause) {
      throw noStore(cause);
    }
    return name;
  }

  /** Fetches a body and removes it. */
  async take(name: string): Promise<Uint8Array> {
    const store = await this.#opened();
    const info = await store.info(name);
    if (info === null) throw new Error("the body has expired, or was read already");
    this.#assertSize(info.size);
    const bytes = await store.getBlob(name);
    // Ignored: bodies also expire, so a failed removal is harmless.
    store.delete(name).catch(() => {});
    return bytes ?? new Uint8Array();
  }

  #assertSize(size: number): void {
    if (size <= this.#maxBytes) return;
    throw fail(
      "TOO_LARGE",
      `The body has ${size} bytes; the limit is ${this.#maxBytes}. Send less data`,
      {
        outcome: "not_applied",
      },
    );
  }

  #opened(): Promise<ObjectStore> {
    this.#store ??= this.#open().catch((error: unknown) => {
      this.#store = undefined;
      throw error;
    });
    return this.#store;
  }

  async #open(): Promise<ObjectStore> {
    const { Objm } = await import("@nats-io/obj");
    return new Objm(this.#connection).create(this.#bucket, { ttl: KEEP_NANOSECONDS });
  }
}
