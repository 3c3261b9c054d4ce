import { fail } from "@waybill/core";
import { loadTokenList } from "@waybill/core/protocol";
import type { CallRecord, Observer } from "@waybill/core";
import { FileDoor, readTrouble } from "../sqlite/index.ts";
import { stateFiles } from "../files/index.ts";
import { HistoryFile } from "./history-file.ts";
import type { Bounds, HistoryMark } from "./history-file.ts";
import type {
  CallClient,
  CallSurface,
  HistoryFilter,
  HistoryPage,
  HistoryQuery,
  HistoryTotals,
  RecordedCall,
  RecordedDetail,
  SourceTotals,
  TotalsQuery,
} from "./recorded.ts";
import { historyRow, withTokens } from "./row.ts";
import type { Redact, Row } from "./row.ts";

export interface HistoryOptions {
  /** Removes every secret from a value. If it throws, the value is not stored. */
  readonly redact: Redact;
  /** The file (default: `history.db` in the user's state folder). */
  readonly path?: string;
  /** The oldest calls are removed above this number (default: 20,000). */
  readonly maxCalls?: number;
  /** The oldest calls are removed above this file size (default: 100 MB). */
  readonly maxBytes?: number;
  /** How long to wait for a busy file, in milliseconds. */
  readonly waitMs?: number;
}

/** The calls of this machine. Reading throws if the file cannot be read; writing never throws. */
export interface History {
  /** Returns an observer that stores calls, with the surface through which they came in. */
  observe(via: CallSurface, client?: CallClient): Required<Pick<Observer, "onCall">>;
  /** Why calls are not stored; undefined if they are. */
  readonly problem: string | undefined;
  mark(): Promise<HistoryMark>;
  calls(query?: HistoryQuery): Promise<HistoryPage>;
  /** The calls after this number, oldest first. */
  since(seq: number, filter?: HistoryFilter, limit?: number): Promise<readonly RecordedCall[]>;
  call(request_id: string): Promise<RecordedDetail | undefined>;
  totals(query?: TotalsQuery): Promise<HistoryTotals>;
  sources(): Promise<readonly SourceTotals[]>;
  /** Waits until every call so far is written, or cannot be written. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** The pause before writing, so that calls that end together are written together. */
const BATCH_MS = 20;
const MAX_BATCH = 500;
/** The maximum number of calls that wait while the file is busy. Further calls are not stored. */
const MAX_WAITING = 5_000;
const MAX_WAITING_BYTES = 33_554_432;

class SqliteHistory implements History {
  readonly #path: string;
  readonly #redact: Redact;
  readonly #bounds: Bounds;
  readonly #door: FileDoor<HistoryFile>;
  #waiting: Row[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #problem: string | undefined;
  #dropped = 0;

  constructor(options: HistoryOptions) {
    this.#path = options.path ?? stateFiles().history;
    this.#redact = options.redact;
    const { maxCalls = 20_000, maxBytes = 100_000_000 } = options;
    this.#bounds = { maxCalls, maxBytes };
    this.#door = new FileDoor(() => HistoryFile.open(this.#path), options.waitMs ?? 5_000);
  }

  get problem(): string | undefined {
    if (this.#dropped === 0) return this.#problem;
    return (
      this.#problem ??
      `Calls missing from the history, because they could not be stored: ${this.#dropped}`
    );
  }

  observe(via: CallSurface, client: CallClient = {}): Required<Pick<Observer, "onCall">> {
    return { onCall: (record) => this.#add(record, via, client) };
  }

  mark(): Promise<HistoryMark> {
    return this.#read((file) => file.mark());
  }

  calls(query: HistoryQuery = {}): Promise<HistoryPage> {
    return this.#read((file) => file.page(query));
  }

  since(seq: number, filter: HistoryFilter = {}, limit?: number): Promise<RecordedCall[]> {
    return this.#read((file) => file.since(seq, filter, limit));
  }

  /** Writes and reads again if the call is not found: it may have waited to be written. */
  async call(request_id: string): Promise<RecordedDetail | undefined> {
    // Asked before the first read: the writing may end while that read goes on.
    const wasBehind = this.#isBehind;
    const found = await this.#read((file) => file.call(request_id));
    if (found !== undefined || !wasBehind) return found;
    await this.flush();
    return this.#read((file) => file.call(request_id));
  }

  get #isBehind(): boolean {
    return this.#waiting.length > 0 || this.#writing !== undefined;
  }

  totals(query: TotalsQuery = {}): Promise<HistoryTotals> {
    return this.#read((file) => file.totals(query));
  }

  sources(): Promise<SourceTotals[]> {
    return this.#read((file) => file.sources());
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#waiting.length > 0) await (this.#writing ??= this.#write());
    await this.#writing;
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#door.close();
  }

  async #read<T>(step: (file: HistoryFile) => T): Promise<T> {
    try {
      return await this.#door.use(step);
    } catch (cause) {
      const { problem, remedy } = readTrouble(cause);
      const hint = `${this.#path}: ${remedy}`;
      throw fail("NOT_READY", `The history of calls ${problem}`, { hint }, { cause });
    }
  }

  /** Copies the record now, because its caller may change the answer later. */
  #add(record: CallRecord, via: CallSurface, client: CallClient): void {
    const isFull = this.#waiting.length >= MAX_WAITING || this.#waitingBytes >= MAX_WAITING_BYTES;
    if (isFull) {
      this.#dropped += 1;
      return;
    }
    const row = historyRow(record, via, this.#redact, client);
    this.#waiting.push(row);
    this.#waitingBytes += row.size;
    this.#timer ??= setTimeout(() => void this.flush(), BATCH_MS).unref();
  }

  async #write(): Promise<void> {
    const rows = this.#waiting.splice(0, MAX_BATCH);
    for (const { size } of rows) this.#waitingBytes -= size;
    try {
      await loadTokenList();
      await this.#door.use((file) => file.append(rows.map(withTokens), this.#bounds));
      this.#problem = undefined;
    } catch (error) {
      // Ignored, because a failed write must not affect calls.
      const { problem, remedy } = readTrouble(error);
      this.#problem = `The history of calls ${problem} (${this.#path}: ${remedy})`;
      this.#dropped += rows.length;
    }
    this.#writing = undefined;
  }
}

/** A history in an SQLite file that many processes share. The file is opened when first needed. */
export function openHistory(options: HistoryOptions): History {
  return new SqliteHistory(options);
}
