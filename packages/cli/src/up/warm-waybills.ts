import { createHash } from "node:crypto";
import type { EffectiveConfig } from "@waybill/state";
import type { Io } from "../io.ts";
import { openWaybill } from "../waybill/index.ts";
import type { LendWaybill, OpenedWaybill, Served, Wanted } from "../waybill/index.ts";

/**
 * The most folders with an open Waybill. If there are more, the least recently used one is closed.
 */
const MAX_OPEN = 8;

/** Environment variables that differ between terminals or commands and that no source reads. */
const VOLATILE =
  /^(?:_|PWD|OLDPWD|SHLVL|COLUMNS|LINES|HIST\w*|PS\d|TERM\w*|COLORTERM|WINDOWID|SSH_\w+|TMUX\w*|STY|NODE_UNIQUE_ID)$/u;

function relevant(env: Io["env"]): [string, string | undefined][] {
  return Object.entries(env)
    .filter(([name]) => !VOLATILE.test(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function configDigest(facts: unknown): string {
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}

/** Digest of the folder, environment and options of a request. */
function callerDigest(io: Io, { code = { root: io.cwd } }: Wanted, served: Served): string {
  return configDigest([io.cwd, relevant(io.env), served.isRecorded ?? false, code]);
}

interface Entry {
  readonly cwd: string;
  /** Digest of the configuration that the Waybill was opened with. */
  readonly config: string;
  readonly opening: Promise<OpenedWaybill>;
  readonly io: { current: Io };
  users: number;
  usedAt: number;
  /** Whether to close the Waybill when its last command ends. */
  isDropped: boolean;
}

/** The open Waybills of a background process, one for each folder and configuration. */
export class WarmWaybills {
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Set<Promise<void>>();

  get folders(): readonly string[] {
    return [...new Set([...this.#entries.values()].map(({ cwd }) => cwd))];
  }

  /** If the configuration or environment has changed, opens a new Waybill. */
  readonly lend: LendWaybill = async (io, config, wanted, served) => {
    const place = callerDigest(io, wanted, served);
    const version = configDigest(config);
    if (this.#entries.get(place)?.config !== version) this.#drop(place);
    const entry =
      this.#entries.get(place) ?? this.#open(place, version, io, config, wanted, served);
    entry.users += 1;
    entry.usedAt = Date.now();
    entry.io.current = io;
    const release = (): void => {
      entry.users -= 1;
      this.#closeUnused(entry);
      this.#makeRoom();
    };
    try {
      const { waybill, opened } = await entry.opening;
      return { waybill, opened, release };
    } catch (error) {
      this.#drop(place);
      throw error;
    }
  };

  async close(): Promise<void> {
    for (const place of this.#entries.keys()) this.#drop(place);
    await Promise.allSettled(this.#closing);
  }

  #open(
    place: string,
    version: string,
    io: Io,
    config: EffectiveConfig,
    { code = { root: io.cwd } }: Wanted,
    { isRecorded = false }: Served,
  ): Entry {
    const current = { current: io };
    const wanted = { unlisted: true, checkout: true, code };
    const served = { isRecorded, isWarm: true, namesMissing: true };
    const opening = openWaybill(speakingTo(current), config, wanted, served);
    const times = { users: 0, usedAt: Date.now(), isDropped: false };
    const entry: Entry = { cwd: io.cwd, config: version, opening, io: current, ...times };
    this.#entries.set(place, entry);
    return entry;
  }

  #makeRoom(): void {
    if (this.#entries.size <= MAX_OPEN) return;
    const unused = [...this.#entries].filter(([, { users }]) => users === 0);
    const [oldest] = unused.toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
    if (oldest !== undefined) this.#drop(oldest[0]);
  }

  /** Stops lending the Waybill to commands. It closes after its running calls end. */
  #drop(place: string): void {
    const entry = this.#entries.get(place);
    if (entry === undefined) return;
    this.#entries.delete(place);
    entry.isDropped = true;
    this.#closeUnused(entry);
  }

  #closeUnused(entry: Entry): void {
    if (!entry.isDropped || entry.users > 0) return;
    const closing = entry.opening
      .then((opened) => opened.close(entry.io.current))
      .catch(() => {})
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

/** Forwards output to the streams of the command that used the Waybill last. */
function speakingTo(io: { readonly current: Io }): Io {
  const { argv, env, cwd } = io.current;
  return {
    argv,
    env,
    cwd,
    isTTY: false,
    stdin: io.current.stdin,
    get stdout() {
      return io.current.stdout;
    },
    get stderr() {
      return io.current.stderr;
    },
  };
}
