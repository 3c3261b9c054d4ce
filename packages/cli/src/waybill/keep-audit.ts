import { createRedactor } from "@waybill/core";
import { openAudit } from "@waybill/state";
import type { Audit, AuditConfig } from "@waybill/state";
import { warn } from "../io.ts";
import type { Io } from "../io.ts";
import type { Secrets } from "./sources/secrets.ts";

/** The audit log in the configured file, without secrets. */
export function auditIn(io: Io, { file }: AuditConfig, secrets: Secrets): Audit {
  const redactor = createRedactor(() => secrets.known);
  return openAudit({
    path: file,
    redact: (value) => redactor.value(value),
    onProblem(problem) {
      const sentence =
        problem === undefined
          ? `the audit log ${file} can be written again`
          : `the audit log cannot be written, so writes are refused: ${problem}`;
      warn(io, [sentence]).catch(() => {});
    },
  });
}
