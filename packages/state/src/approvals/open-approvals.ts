import { fail } from "@waybill/core";
import type { ApprovalStore } from "@waybill/core";
import type { ApprovalRecord } from "@waybill/core/protocol";
import { DatabaseFile, FileDoor } from "../sqlite/index.ts";
import type { FileFormat } from "../sqlite/index.ts";

export interface ApprovalsOptions {
  readonly path: string;
  /** How long to wait for a busy file, in milliseconds (default: 5000 ms). */
  readonly waitMs?: number;
}

const FORMAT: FileFormat = {
  schema: "CREATE TABLE IF NOT EXISTS approvals (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT",
  version: 1,
  synchronous: "FULL",
};

const READ = "SELECT record FROM approvals WHERE id = @id";
const LIST = "SELECT record FROM approvals LIMIT 10000";
const INSERT = "INSERT OR IGNORE INTO approvals (id, record) VALUES (@id, @after)";
const UPDATE = "UPDATE approvals SET record = @after WHERE id = @id AND record = @before";
const DELETE = "DELETE FROM approvals WHERE id = @id AND record = @before";

function parseApproval(row: unknown): ApprovalRecord {
  return JSON.parse((row as { record: string }).record) as ApprovalRecord;
}

/** Replaces a record in a single statement, so that only one of two processes succeeds. */
function replaced(
  file: DatabaseFile,
  id: string,
  before: ApprovalRecord | undefined,
  after: ApprovalRecord | undefined,
): boolean {
  const [old, next] = [JSON.stringify(before), JSON.stringify(after)];
  const run = (sql: string, values: object): boolean =>
    file.statement(sql).run({ id, ...values }).changes === 1;
  if (before === undefined) return after === undefined || run(INSERT, { after: next });
  if (after === undefined) return run(DELETE, { before: old });
  return run(UPDATE, { before: old, after: next });
}

/** Stores approvals in a file that all processes of this user share. */
export function openApprovals({ path, waitMs = 5_000 }: ApprovalsOptions): ApprovalStore & {
  close(): Promise<void>;
} {
  const door = new FileDoor(() => DatabaseFile.open(path, FORMAT), waitMs);
  const use = async <T>(step: (file: DatabaseFile) => T): Promise<T> => {
    try {
      return await door.use(step);
    } catch (cause) {
      const message = `The approvals in ${path} cannot be read or written`;
      throw fail("NOT_READY", message, { outcome: "not_applied" }, { cause });
    }
  };
  return {
    read: (id) =>
      use((file) => {
        const row: unknown = file.statement(READ).get({ id });
        return row === undefined || row === null ? undefined : parseApproval(row);
      }),
    list: () => use((file) => file.statement(LIST).all().map(parseApproval)),
    replace: (id, before, after) => use((file) => replaced(file, id, before, after)),
    close: () => door.close(),
  };
}
