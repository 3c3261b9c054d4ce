import { agentErrorCode, errorFromUnknown, fail } from "@waybill/core";
import type { Connection } from "./connect.ts";
import type { Memory } from "./memory.ts";
import type { McpSourceSettings } from "./settings.ts";
import type { StateStore } from "./store/state-store.ts";

const DEFAULT_IDLE_MS = 300_000;

/** Error codes of failures that another protocol version would not fix. */
const NOT_ABOUT_PROTOCOL: ReadonlySet<string> = new Set(["AUTH", "ADAPTER_UNSUPPORTED"]);

/** Waits for a promise, or for the abort if that comes first. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/**
 * The connection of a source. The first call opens it and all calls share it. It is closed after
 * some idle time, and the next call opens a new one.
 */
export class Link {
  readonly #settings: McpSourceSettings;
  readonly #store: StateStore;
  readonly #memory: Memory;
  readonly #onConnected: (connection: Connection) => void;
  #connecting: Promise<Connection> | undefined;
  #current: Connection | undefined;
  #users = 0;
  /** The number of users of each connection. The last user of a dropped connection closes it. */
  readonly #uses = new Map<Connection, number>();
  #idle: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  constructor(
    settings: McpSourceSettings,
    store: StateStore,
    memory: Memory,
    onConnected: (connection: Connection) => void,
  ) {
    this.#settings = settings;
    this.#store = store;
    this.#memory = memory;
    this.#onConnected = onConnected;
  }

  /**
   * Runs work on the connection. If a caller stops waiting, the connection stays open for the
   * others.
   */
  async use<T>(work: (connection: Connection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#isClosed)
      throw fail("NOT_READY", `The source ${this.#settings.name} was closed; open it again`);
    this.#users += 1;
    clearTimeout(this.#idle);
    try {
      return await this.#useOne(await this.#connected(signal), work);
    } finally {
      this.#users -= 1;
      if (this.#users === 0 && !this.#isClosed) this.#waitIdle();
    }
  }

  /**
   * Makes the next call open a new connection. Running calls keep theirs, because one of them
   * may be a write.
   */
  async drop(connection: Connection): Promise<void> {
    if ((await this.#connecting?.catch(() => undefined)) !== connection) return;
    this.#forget();
    if (!this.#uses.has(connection)) connection.close().catch(() => {});
  }

  async #useOne<T>(
    connection: Connection,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    this.#uses.set(connection, (this.#uses.get(connection) ?? 0) + 1);
    try {
      return await work(connection);
    } finally {
      const left = (this.#uses.get(connection) ?? 1) - 1;
      if (left > 0) this.#uses.set(connection, left);
      else this.#uses.delete(connection);
      if (left === 0 && connection !== this.#current) connection.close().catch(() => {});
    }
  }

  /** Does not wait for a connection that is still being opened. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#letGo();
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  #connected(signal: AbortSignal | undefined): Promise<Connection> {
    const connecting = (this.#connecting ??= this.#connect());
    return signal === undefined ? connecting : unlessAborted(connecting, signal);
  }

  #connect(): Promise<Connection> {
    const connecting: Promise<Connection> = this.#connectByMemory().then(
      (connection) => this.#ready(connection, connecting),
      (error: unknown) => {
        if (this.#connecting === connecting) this.#connecting = undefined;
        throw error;
      },
    );
    return connecting;
  }

  /** The SDK is loaded with the first connection, because many runs never open one. */
  async #connectByMemory(): Promise<Connection> {
    const { connect } = await import("./connect.ts");
    const prior = await this.#memory.verdict();
    const options = { store: this.#store, prior, signal: this.#closing.signal };
    try {
      return await connect(this.#settings, options);
    } catch (error) {
      const code = agentErrorCode(errorFromUnknown(error));
      const isFinal = NOT_ABOUT_PROTOCOL.has(code) || this.#isClosed;
      if (prior === undefined || isFinal) throw error;
      await this.#memory.rememberVerdict(undefined);
      return connect(this.#settings, { ...options, prior: undefined });
    }
  }

  async #ready(connection: Connection, connecting: Promise<Connection>): Promise<Connection> {
    const { client } = connection;
    client.onclose = () => {
      if (this.#connecting === connecting) this.#forget();
      connection.close().catch(() => {});
    };
    if (!connection.isAssumed) await this.#memory.rememberVerdict(connection.verdict);
    if (this.#isClosed) {
      await connection.close();
      throw fail("NOT_READY", `The source ${this.#settings.name} was closed; open it again`);
    }
    this.#current = connection;
    this.#onConnected(connection);
    return connection;
  }

  #forget(): void {
    this.#connecting = undefined;
    this.#current = undefined;
  }

  #waitIdle(): void {
    const idleMs = this.#settings.idleMs ?? DEFAULT_IDLE_MS;
    this.#idle = setTimeout(() => void this.#letGo(), idleMs).unref();
  }

  async #letGo(): Promise<void> {
    clearTimeout(this.#idle);
    const connecting = this.#connecting;
    this.#forget();
    const connection = await connecting?.catch(() => undefined);
    await connection?.close();
  }
}
