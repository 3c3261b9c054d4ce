import { isRecord } from "@waybill/core/schema";
import type { Seal } from "./seal.ts";

/** Stores small values between processes. Only one process changes them at a time. */
export interface ValueStore {
  read(key: string): Promise<unknown>;
  write(key: string, value: unknown): Promise<void>;
  exclusive<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** A signed-in account. It contains no secret. */
export interface Connection {
  /** The name that the source had when the account was connected. */
  readonly source: string;
  readonly account: string;
  /** The address that the tokens belong to. They are not sent for a source with another address. */
  readonly address: string;
  /** `oauth`, or the kind of secret that a person entered, such as `bearer`. */
  readonly method: string;
  /** The API's security schemes that use the token. */
  readonly schemes?: readonly string[];
  /** When the account was connected, as an ISO date. */
  readonly since: string;
}

export const DEFAULT_ACCOUNT = "default";

const LIST = "connections";

function isConnection(value: unknown): value is Connection {
  const names = ["source", "account", "address", "method", "since"];
  return isRecord(value) && names.every((name) => typeof value[name] === "string");
}

type Which = Pick<Connection, "address" | "account">;

function isSameConnection(a: Which, b: Which): boolean {
  return a.address === b.address && a.account === b.account;
}

/** The connections of a user: a readable list, and encrypted secrets. */
export class Connections {
  readonly #store: ValueStore;
  readonly #seal: Seal;

  constructor(store: ValueStore, seal: Seal) {
    this.#store = store;
    this.#seal = seal;
  }

  async list(): Promise<readonly Connection[]> {
    const value = await this.#store.read(LIST);
    return Array.isArray(value) ? value.filter(isConnection) : [];
  }

  async find(which: Which): Promise<Connection | undefined> {
    return (await this.list()).find((known) => isSameConnection(known, which));
  }

  async add(connection: Connection): Promise<void> {
    await this.#change((list) => [
      ...list.filter((known) => !isSameConnection(known, connection)),
      connection,
    ]);
  }

  async remove(which: Which): Promise<void> {
    await this.#change((list) => list.filter((known) => !isSameConnection(known, which)));
  }

  /** The secrets of one connection, by name. */
  secrets({ address, account }: Which): ValueStore {
    const name = (key: string): string => `${key} of ${account} at ${address}`;
    return {
      read: async (key) => this.#seal.open(await this.#store.read(name(key))),
      write: async (key, value) => this.#store.write(name(key), await this.#seal.close(value)),
      exclusive: (key, work) => this.#store.exclusive(name(key), work),
    };
  }

  async #change(edit: (list: readonly Connection[]) => readonly Connection[]): Promise<void> {
    await this.#store.exclusive(LIST, async () => this.#store.write(LIST, edit(await this.list())));
  }
}
