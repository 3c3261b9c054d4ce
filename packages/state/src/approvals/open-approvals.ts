import { fail } from "@waybill/core";
import type { ApprovalStore } from "@waybill/core";
import type { ApprovalRecord } from "@waybill/core/protocol";
import { DatabaseFile, FileDoor, fileError, readTrouble } from "../sqlite/index.ts";
import type { FileFormat, FoundRow } from "../sqlite/index.ts";

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

function parseApproval({ record }: FoundRow): ApprovalRecord {
  try {
    return JSON.parse(String(record)) as ApprovalRecord;
  } catch (error) {
    throw fileError("FILE_DAMAGED", error);
  }
}

/** Replaces a record in a single statement, so that only one of two processes succeeds. */
function replaced(
  file: DatabaseFile,
  id: string,
  before: ApprovalRecord | undefined,
  after: ApprovalRecord | undefined,
): boolean {
  if (before === undefined) {
    return after === undefined || file.run(INSERT, { id, after: JSON.stringify(after) }) === 1;
  }
  const old = JSON.stringify(before);
  if (after === undefined) return file.run(DELETE, { id, before: old }) === 1;
  return file.run(UPDATE, { id, before: old, after: JSON.stringify(after) }) === 1;
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
      const { problem, remedy } = readTrouble(cause);
      const details = { outcome: "not_applied", hint: remedy } as const;
      throw fail("NOT_READY", `The file of approvals, ${path}, ${problem}`, details, { cause });
    }
  };
  return {
    read: (id) =>
      use((file) => {
        const row = file.get(READ, { id });
        return row && parseApproval(row);
      }),
    list: () => use((file) => file.all(LIST).map(parseApproval)),
    replace: (id, before, after) => use((file) => replaced(file, id, before, after)),
    close: () => door.close(),
  };
}
