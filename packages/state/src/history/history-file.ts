import { DatabaseFile } from "../sqlite/index.ts";
import type { FoundRow } from "../sqlite/index.ts";
import { getCondition } from "./filter.ts";
import { getDetail, readCallSummary } from "./read-row.ts";
import type {
  HistoryFilter,
  HistoryPage,
  HistoryQuery,
  HistoryTotals,
  RecordedCall,
  RecordedDetail,
  SourceTotals,
  TotalsQuery,
} from "./recorded.ts";
import type { Row } from "./row.ts";
import { FORMAT, STATEMENTS, SUMMARY } from "./schema.ts";
import { sourcesIn, totalsIn } from "./totals.ts";

export interface Bounds {
  readonly maxCalls: number;
  readonly maxBytes: number;
}

/**
 * A position in the history. If the file is created again, it is a new instance with numbers
 * from the start.
 */
export interface HistoryMark {
  readonly last_seq: number;
  readonly instance: string;
}

const LIMIT = 100;
const MAX_LIMIT = 500;
const MAX_CHILDREN = 200;
/** The maximum number of parents to follow, because a damaged call may be its own ancestor. */
const MAX_ANCESTORS = 32;

function bounded(limit: number | undefined): number {
  return Math.max(1, Math.min(MAX_LIMIT, Math.trunc(limit ?? LIMIT)));
}

/** The open file of the history. */
export class HistoryFile {
  readonly #file: DatabaseFile;

  private constructor(file: DatabaseFile) {
    this.#file = file;
  }

  static async open(path: string): Promise<HistoryFile> {
    return new HistoryFile(await DatabaseFile.open(path, FORMAT));
  }

  isInPlace(): boolean {
    return this.#file.isInPlace();
  }

  close(): boolean {
    return this.#file.close();
  }

  /** Adds all rows or none, and removes the oldest rows above the limits. */
  append(rows: readonly Row[], bounds: Bounds): void {
    this.#file.transaction(() => {
      for (const row of rows) {
        this.#run("insert", row);
        this.#run("insertTexts", row);
      }
      this.#prune(bounds);
    });
  }

  mark(): HistoryMark {
    const found = this.#file.get(STATEMENTS.instance);
    return { last_seq: this.#last().seq, instance: String(found?.["value"]) };
  }

  page(query: HistoryQuery): HistoryPage {
    const { before, limit, ...filter } = query;
    const wanted = bounded(limit);
    const all = getCondition(filter);
    const older = getCondition(filter, { before: ["seq < @before", before] });
    const found = this.#list(`${older.sql} ORDER BY seq DESC LIMIT @limit`, {
      ...older.values,
      limit: wanted + 1,
    });
    const counted = this.#file.get(
      `SELECT count(*) AS total FROM calls WHERE ${all.sql}`,
      all.values,
    );
    return {
      calls: found.slice(0, wanted),
      more: found.length > wanted,
      total: Number(counted?.["total"]),
      last_seq: this.#last().seq,
    };
  }

  /** The calls after this position, oldest first. */
  since(seq: number, filter: HistoryFilter, limit?: number): RecordedCall[] {
    const newer = getCondition(filter, { after: ["seq > @after", seq] });
    const values = { ...newer.values, limit: bounded(limit) };
    return this.#list(`${newer.sql} ORDER BY seq LIMIT @limit`, values);
  }

  call(id: string): RecordedDetail | undefined {
    const row = this.#file.get(STATEMENTS.find, { id });
    if (row === undefined) return undefined;
    const children = this.#file.all(STATEMENTS.children, { id, limit: MAX_CHILDREN });
    const detail = getDetail(row);
    return {
      ...detail,
      children: children.map(readCallSummary),
      ancestors: this.#ancestors(detail.parent_id),
    };
  }

  totals(query: TotalsQuery): HistoryTotals {
    return totalsIn(this.#file, query);
  }

  sources(): SourceTotals[] {
    return sourcesIn(this.#file);
  }

  #ancestors(parent: string | undefined): RecordedCall[] {
    const found: RecordedCall[] = [];
    for (let id = parent; id !== undefined && found.length < MAX_ANCESTORS;) {
      const row = this.#file.get(STATEMENTS.summary, { id });
      if (row === undefined) break;
      const call = readCallSummary(row);
      found.unshift(call);
      id = call.parent_id;
    }
    return found;
  }

  #prune({ maxCalls, maxBytes }: Bounds): void {
    const { seq, bytes } = this.#last();
    const beyond = bytes - maxBytes;
    const last =
      beyond <= 0 ? undefined : this.#file.get(STATEMENTS.lastBeyond, { beyond })?.["seq"];
    const first = Math.min(seq, Math.max(Number(last ?? 0), seq - maxCalls) + 1);
    this.#run("pruneCalls", { first });
    this.#run("pruneTexts", { first });
  }

  #last(): { seq: number; bytes: number } {
    const row = this.#file.get(STATEMENTS.last);
    return { seq: Number(row?.["seq"] ?? 0), bytes: Number(row?.["bytes_to"] ?? 0) };
  }

  #run(name: keyof typeof STATEMENTS, values: FoundRow): void {
    this.#file.run(STATEMENTS[name], values);
  }

  #list(rest: string, values: FoundRow): RecordedCall[] {
    return this.#file
      .all(`SELECT ${SUMMARY} FROM calls WHERE ${rest}`, values)
      .map(readCallSummary);
  }
}
