import { calledNames } from "./check-program.ts";

/** The ids that a program calls, or why its text does not show them. */
export type ProgramCalls =
  | { readonly calls: readonly string[]; readonly problem?: undefined }
  | { readonly problem: string; readonly calls?: undefined };

const COMPUTED = "A saved program writes out every id that it calls, such as issue.list(…)";

/** Removes the form: `issue.list.page` calls `issue.list`. */
function withoutForm(name: string): string {
  return name.replace(/\.(?:result|page)$/u, "");
}

/**
 * The ids that the text of a program calls. The parser is loaded only here and in the threads that
 * run programs.
 */
export async function readProgramCalls(program: string): Promise<ProgramCalls> {
  const { readProgram } = await import("../thread/read-program.js");
  const { facts, problem } = await readProgram(program);
  if (facts === undefined) return { problem: problem.message };
  const [computed] = facts.computed;
  if (computed !== undefined) {
    return { problem: `${computed}[…] is computed. ${COMPUTED}` };
  }
  const open = facts.calls.find(
    ({ name, args: [id] }) =>
      name === "waybill.call" && !(id?.kind === "value" && typeof id.value === "string"),
  );
  if (open !== undefined) {
    return { problem: `Line ${open.line}: the id of waybill.call is computed. ${COMPUTED}` };
  }
  const named = calledNames(facts).filter((name) => !name.startsWith("waybill."));
  return { calls: [...new Set(named.map(withoutForm))] };
}
