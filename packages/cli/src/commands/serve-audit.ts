import { resolve } from "node:path";
import type { AuditConfig } from "@waybill/state";
import type { Words } from "../command.ts";
import type { Io } from "../io.ts";

/** The settings of the audit log that the command line names. */
export function auditIn({ values }: Words, { cwd }: Io): { readonly audit?: AuditConfig } {
  const file = values.get("audit");
  return file === undefined ? {} : { audit: { file: resolve(cwd, file) } };
}
