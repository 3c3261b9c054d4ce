import { DatabaseFile } from "../sqlite/index.ts";
import { getCondition } from "./filter.ts";
import { getDetail, readCallSummary } from "./read-row.ts";
import type { FoundRow } from "./read-row.ts";
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

/** A position in the history. A new instance numbers its calls from the start. */
export interface HistoryMark {
  readonly last_seq: number;
  readonly instance: string;
}

const LIMIT = 100;
const MAX_LIMIT = 500;
const MAX_CHILDREN = 200;
/** Stops following the parents of a call that claims to be its own ancestor. */
const MAX_ANCESTORS = 32;

function bounded(limit: number | undefined): number {
  return Math.max(1, Math.min(MAX_LIMIT, Math.trunc(limit ?? LIMIT)));
}

/** The history's file while it is open. */
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
    const found = this.#get(STATEMENTS.instance);
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
    const counted = this.#get(`SELECT count(*) AS total FROM calls WHERE ${all.sql}`, all.values);
    return {
      calls: found.slice(0, wanted),
      more: found.length > wanted,
      total: Number(counted?.["total"]),
      last_seq: this.#last().seq,
    };
  }

  /** Oldest first. */
  since(seq: number, filter: HistoryFilter, limit?: number): RecordedCall[] {
    const newer = getCondition(filter, { after: ["seq > @after", seq] });
    const values = { ...newer.values, limit: bounded(limit) };
    return this.#list(`${newer.sql} ORDER BY seq LIMIT @limit`, values);
  }

  call(id: string): RecordedDetail | undefined {
    const row = this.#get(STATEMENTS.find, { id });
    if (row === undefined) return undefined;
    const children = this.#all(STATEMENTS.children, { id, limit: MAX_CHILDREN });
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
      const row = this.#get(STATEMENTS.summary, { id });
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
    const last = beyond <= 0 ? undefined : this.#get(STATEMENTS.lastBeyond, { beyond })?.["seq"];
    const first = Math.min(seq, Math.max(Number(last ?? 0), seq - maxCalls) + 1);
    this.#run("pruneCalls", { first });
    this.#run("pruneTexts", { first });
  }

  #last(): { seq: number; bytes: number } {
    const row = this.#get(STATEMENTS.last);
    return { seq: Number(row?.["seq"] ?? 0), bytes: Number(row?.["bytes_to"] ?? 0) };
  }

  #run(name: keyof typeof STATEMENTS, values: FoundRow): void {
    this.#file.statement(STATEMENTS[name]).run(values);
  }

  #get(sql: string, values: FoundRow = {}): FoundRow | undefined {
    return this.#file.statement(sql).get(values) as FoundRow | undefined;
  }

  #all(sql: string, values: FoundRow): FoundRow[] {
    return this.#file.statement(sql).all(values) as FoundRow[];
  }

  #list(rest: string, values: FoundRow): RecordedCall[] {
    return this.#all(`SELECT ${SUMMARY} FROM calls WHERE ${rest}`, values).map(readCallSummary);
  }
}
