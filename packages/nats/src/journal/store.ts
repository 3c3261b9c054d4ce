import { jetstreamManager } from "@nats-io/jetstream";
import type { KV, KvEntry } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";
import { isRecord } from "@waybill/core/schema";
import type { JournalRecord } from "@waybill/core/protocol";
import {
  isBeingCreated,
  isOvertaken,
  isTooManyReplicas,
  isWithoutReceiver,
  whileNotReady,
} from "./store-errors.ts";

export interface StoreOptions {
  readonly bucket: string;
  /** How long the last value of a key is stored. */
  readonly keepMs: number;
  /** On how many servers of a cluster it is stored (default: all of them, at most 3). */
  readonly replicas?: number | undefined;
}

/** The record of one call with a key. */
export interface Row extends JournalRecord {
  readonly attempt: number;
  /** The unique name of the lease. */
  readonly owner: string;
}

/** A row with its revision. A change must name the revision that was read. */
export interface Found {
  /** The record. Undefined for a freed key, whose revision still counts. */
  readonly row: Row | undefined;
  readonly revision: number;
  /** When the row was written, on the server's clock. */
  readonly writtenAt: number;
}

const NOTHING: Found = { row: undefined, revision: 0, writtenAt: 0 };
const STATES = ["started", "sent", "settled", "unknown"];

function isRow(value: unknown): value is Row {
  if (!isRecord(value)) return false;
  const { digest, requestId, state, attempt, owner, result, trail, probedAt } = value;
  return (
    [digest, requestId, owner].every((text) => typeof text === "string") &&
    STATES.includes(String(state)) &&
    Number.isSafeInteger(attempt) &&
    [result, trail].every((text) => text === undefined || typeof text === "string") &&
    (probedAt === undefined || typeof probedAt === "number")
  );
}

function readRow(entry: KvEntry): Row | undefined {
  if (entry.operation !== "PUT") return undefined;
  try {
    const row: unknown = entry.json();
    if (isRow(row)) return row;
  } catch {
    // The error is ignored: a record that is not JSON is damaged, as reported below.
  }
  throw new TypeError(`the record ${entry.key} in the bucket ${entry.bucket} is damaged`);
}

/**
 * Numbers of replicas to try, starting with the highest, because a journal on one server is lost
 * with its disk.
 */
const CLUSTER_SIZES = [3, 2, 1];

/**
 * Rows in a JetStream bucket. Every change names the revision that it replaces, so only one of two
 * writers succeeds.
 */
export class KvStore {
  readonly #connection: NatsConnection;
  readonly #options: StoreOptions;
  #opening: Promise<KV> | undefined;

  constructor(connection: NatsConnection, options: StoreOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#connection.isClosed();
  }

  async get(scope: string): Promise<Found> {
    const entry = await (await this.#opened()).get(scope);
    if (entry === null) return NOTHING;
    const { revision, created } = entry;
    return { row: readRow(entry), revision, writtenAt: created.getTime() };
  }

  /** Returns the new revision. Undefined if another writer was faster. */
  async put(scope: string, row: Row, previousSeq: number): Promise<number | undefined> {
    const kv = await this.#opened();
    try {
      const text = JSON.stringify(row);
      return await whileNotReady(isWithoutReceiver, () => kv.put(scope, text, { previousSeq }));
    } catch (error) {
      if (isOvertaken(error)) return undefined;
      throw error;
    }
  }

  /** Frees a key. Returns false if another writer was faster. */
  async remove(scope: string, previousSeq: number): Promise<boolean> {
    const kv = await this.#opened();
    try {
      await whileNotReady(isWithoutReceiver, () => kv.delete(scope, { previousSeq }));
      return true;
    } catch (error) {
      if (isOvertaken(error)) return false;
      throw error;
    }
  }

  /** Tests a write. Throws if nothing can be written. */
  async touch(): Promise<void> {
    const kv = await this.#opened();
    await whileNotReady(isWithoutReceiver, () => kv.put("check", "1"));
  }

  #opened(): Promise<KV> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<KV> {
    const { replicas } = this.#options;
    const sizes = replicas === undefined ? CLUSTER_SIZES : [replicas];
    const kv = await whileNotReady(isBeingCreated, () => this.#create(sizes));
    await this.#addReplicas(kv, sizes);
    return kv;
  }

  async #create(sizes: readonly number[]): Promise<KV> {
    const { Kvm } = await import("@nats-io/kv");
    const { bucket, keepMs: ttl } = this.#options;
    const kvm = new Kvm(this.#connection);
    for (const [index, replicas] of sizes.entries()) {
      try {
        // Reads from the leader, because a follower may be outdated.
        return await kvm.create(bucket, { ttl, replicas, allow_direct: false });
      } catch (error) {
        const isLast = index === sizes.length - 1;
        if (isLast || !isTooManyReplicas(error)) throw error;
      }
    }
    throw new Error("no number of replicas is given for the bucket");
  }

  /**
   * Adds replicas if the cluster has grown since the bucket was created, for example while it
   * was starting.
   */
  async #addReplicas(kv: KV, sizes: readonly number[]): Promise<void> {
    const { replicas: present, streamInfo } = await kv.status();
    // A server that is not in a cluster refuses more replicas, but loses the bucket when it is
    // restarted.
    if (streamInfo.cluster?.name === undefined) return;
    const manager = await jetstreamManager(this.#connection, { checkAPI: false });
    for (const replicas of sizes.filter((size) => size > present)) {
      try {
        await manager.streams.update(streamInfo.config.name, { num_replicas: replicas });
        return;
      } catch (error) {
        // Ignored if no number was requested, because the journal works with fewer replicas.
        if (this.#options.replicas !== undefined) throw error;
      }
    }
  }
}
