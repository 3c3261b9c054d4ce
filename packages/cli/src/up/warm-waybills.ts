import { createHash } from "node:crypto";
import type { EffectiveConfig } from "@waybill/state";
import type { Io } from "../io.ts";
import { openWaybill } from "../waybill/index.ts";
import type { LendWaybill, OpenedWaybill, Served, Wanted } from "../waybill/index.ts";

/** Folders that are kept open; the one that was used longest ago makes room for another. */
const MAX_OPEN = 8;

/** Differs from one terminal or command to the next, and no source looks at it. */
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

/** From where a Waybill is asked, and how. */
function callerDigest(io: Io, { code = { root: io.cwd } }: Wanted, served: Served): string {
  return configDigest([io.cwd, relevant(io.env), served.isRecorded ?? false, code]);
}

interface Entry {
  readonly cwd: string;
  /** Digest of the configuration that it was opened with. */
  readonly config: string;
  readonly opening: Promise<OpenedWaybill>;
  readonly io: { current: Io };
  users: number;
  usedAt: number;
  /** It is closed when its last user has given it back. */
  isDropped: boolean;
}

/** The Waybills of a process that stays, one for each folder and configuration it is asked from. */
export class WarmWaybills {
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Set<Promise<void>>();

  get folders(): readonly string[] {
    return [...new Set([...this.#entries.values()].map(({ cwd }) => cwd))];
  }

  /** A change of the configuration or of the environment opens another one. */
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

  /** Nobody new gets it; calls that are running end first. */
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

/** The streams of the command that used a Waybill last. */
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
