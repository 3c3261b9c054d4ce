import { ERROR_CODES } from "@waybill/core";
import { CALL_ERROR_CODES, PREFLIGHT_CODES } from "@waybill/core/protocol";

type Mapping = Readonly<Record<string, { readonly code: string; readonly when: string }>>;

const introduction = `# Error codes

<!-- Written by "npm run generate" from the tables in packages/core. Change them there. -->

Look up what an error code means, and whether a retry may help. A failed call has one of these codes
in \`error.code\`. Compare codes, never messages or classes: codes are part of the interface.
[Troubleshoot](../guides/troubleshoot.md) says how to fix the most common errors.`;

const callErrors = `## Inside a process

Code that runs in the same process sees a \`CallError\`. Its code says which step failed; the table
says what the caller of the operation is told.`;

const preflight = `## Before a route is tried

A route that cannot work is skipped, with one of these reasons. When no route is left, the caller is
told the code beside it.`;

/** The text of docs/reference/errors.md. */
export function renderErrors(): string {
  return [
    introduction,
    errorTable(),
    callErrors,
    mappingTable(CALL_ERROR_CODES),
    preflight,
    mappingTable(PREFLIGHT_CODES),
    "",
  ].join("\n\n");
}

function errorTable(): string {
  const rows = Object.entries(ERROR_CODES).map(([code, facts]) => [
    `\`${code}\``,
    facts.when,
    yesNo(facts.retryable),
    yesNo(facts.fallsBack),
    String(facts.http),
  ]);
  return table(["Code", "When", "Retry may help", "Another route is tried", "HTTP"], rows);
}

function mappingTable(codes: Mapping): string {
  const rows = Object.entries(codes).map(([name, { code, when }]) => [
    `\`${name}\``,
    when,
    `\`${code}\``,
  ]);
  return table(["Code", "When", "The caller sees"], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map(tableRow).join("\n");
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}
