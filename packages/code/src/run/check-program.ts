import { setImmediate } from "node:timers/promises";
import { fail } from "@waybill/core";
import { nearestNames } from "@waybill/core/schema";
import type { WrittenCall, NameUse, ProgramOutline } from "../sandbox/index.ts";
import type { Catalogue } from "./catalogue.ts";
import { checkCall } from "./check-call.ts";
import { BUILT_IN_NAMES, FOREIGN_NAMES } from "./foreign-names.ts";
import { suggestCapability } from "./prepared-call.ts";

/** Members of the global `waybill`. */
const WAYBILL_MEMBERS = ["search", "signature", "call"];

/** One mistake in a program. */
interface Finding {
  readonly line: number;
  readonly message: string;
  readonly did_you_mean?: readonly string[];
}

const MAX_FINDINGS = 5;
const CHECKED_AT_ONCE = 50;

function rootWord(name: string): string {
  return name.split(".", 1)[0]!;
}

/** Names of capabilities that the text of a program calls. */
export function calledNames(facts: ProgramOutline): string[] {
  const called = facts.calls.flatMap(({ name, args: [first] }) => {
    if (rootWord(name) !== "waybill") return [name];
    return first?.kind === "value" && typeof first.value === "string" ? [first.value] : [];
  });
  return [...new Set(called)].filter(
    (name) => name.includes(".") && !BUILT_IN_NAMES.has(rootWord(name)),
  );
}

async function nameFindings(facts: ProgramOutline, catalogue: Catalogue): Promise<Finding[]> {
  const assigned = new Set(facts.assigned.map(({ name }) => name));
  const findings: Finding[] = [];
  for (const { name, line } of facts.free) {
    if (findings.length === MAX_FINDINGS) return findings;
    if (BUILT_IN_NAMES.has(name) || assigned.has(name) || (await catalogue.isRoot(name))) continue;
    findings.push(await unknownName(name, line, catalogue));
  }
  for (const { name, line } of facts.assigned) {
    if (!BUILT_IN_NAMES.has(name) && !(await catalogue.isRoot(name))) continue;
    const message = `"${name}" belongs to Waybill. Give your variable another name, such as ${name}Data.`;
    findings.push({ line, message });
  }
  return findings;
}

async function unknownName(name: string, line: number, catalogue: Catalogue): Promise<Finding> {
  if (Object.hasOwn(FOREIGN_NAMES, name)) {
    return { line, message: `"${name}" is not available. ${FOREIGN_NAMES[name]}` };
  }
  const roots = await catalogue.rootNames();
  const close = nearestNames(name, [...roots, ...BUILT_IN_NAMES], 1);
  // JavaScript reads `stock-room.count()` as `stock` minus `room.count()`.
  const near = close.length > 0 ? close : roots.filter((root) => isBegun(name, root)).slice(0, 1);
  const meant = near.length === 0 ? "" : ` Did you mean ${near[0]}?`;
  const list = `The first words of capabilities are ${roots.slice(0, 20).join(", ")}.`;
  return {
    line,
    message: `"${name}" is not defined.${meant} ${list}`,
    ...(near.length > 0 && { did_you_mean: near }),
  };
}

const MIN_BEGINNING = 3;

function isBegun(name: string, root: string): boolean {
  return name.length >= MIN_BEGINNING && root.startsWith(name);
}

async function unknownCall(name: string, line: number, catalogue: Catalogue): Promise<Finding> {
  const near = await catalogue.nearest(name);
  return {
    line,
    message: `There is no capability ${name}. ${suggestCapability(near)}`,
    ...(near.length > 0 && { did_you_mean: near }),
  };
}

function waybillFinding({ name, line }: WrittenCall): Finding | undefined {
  const member = name.split(".")[1] ?? "";
  if (WAYBILL_MEMBERS.includes(member)) return undefined;
  const message = `waybill.${member} does not exist; waybill has search(words), signature(id) and call(id, …)`;
  return { line, message };
}

function notAwaited({ name, line, use = "" }: WrittenCall): Finding {
  const then = use === "" ? "" : use.startsWith("[") ? use : `.${use}`;
  const message = `${name}(…) returns a promise. Put await before it: (await ${name}(…))${then}`;
  return { line, message };
}

async function callFinding(call: WrittenCall, catalogue: Catalogue): Promise<Finding | undefined> {
  const { name, line } = call;
  const root = rootWord(name);
  if (root === "waybill") return waybillFinding(call);
  if (BUILT_IN_NAMES.has(root) || !(await catalogue.isRoot(root))) return undefined;
  const target = catalogue.find(name);
  if (target === undefined) return unknownCall(name, line, catalogue);
  if (call.use !== undefined) return notAwaited(call);
  const message = await checkCall(target, call);
  return message === undefined ? undefined : { line, message };
}

/** Variables with the first word of a capability as their name, which hide the capability. */
async function hiddenFindings(own: readonly NameUse[], catalogue: Catalogue): Promise<Finding[]> {
  await catalogue.learn(own.map(({ name }) => name).filter((name) => name.split(".").length > 1));
  return own
    .filter(({ name }) => catalogue.find(name)?.form === "data")
    .map(({ name, line }) => {
      const root = rootWord(name);
      const message = `"${root}" is your own variable here, so ${name} cannot be called. Rename it, such as ${root}Data.`;
      return { line, message };
    });
}

/** Whether the first argument of a call may be a reference to a repository. */
export function isReferred({ args: [first] }: WrittenCall): boolean {
  if (first?.kind === "value") return typeof first.value === "string" && first.value.includes("/");
  return first?.kind === "text" && first.hasSlash;
}

/** Finds every mistake that is visible before the first call. */
async function findMistakes(
  facts: ProgramOutline,
  catalogue: Catalogue,
): Promise<readonly Finding[]> {
  await catalogue.learn(calledNames(facts).filter((name) => !FOREIGN_NAMES[rootWord(name)]));
  const findings = await nameFindings(facts, catalogue);
  for (const [index, call] of facts.calls.entries()) {
    if (findings.length >= MAX_FINDINGS) break;
    // Pauses regularly, so that checking a long program does not block this process.
    if (index % CHECKED_AT_ONCE === CHECKED_AT_ONCE - 1) await setImmediate();
    const finding = await callFinding(call, catalogue);
    if (finding !== undefined) findings.push(finding);
  }
  return findings.toSorted((a, b) => a.line - b.line);
}

/** Throws if the program has mistakes. Nothing was sent then. */
export async function assertProgram(facts: ProgramOutline, catalogue: Catalogue): Promise<void> {
  const found = await findMistakes(facts, catalogue);
  const hidden = found.length > 0 ? [] : await hiddenFindings(hidingCalls(facts), catalogue);
  const findings = [...found, ...hidden];
  if (findings.length === 0) return;
  const lines = findings
    .slice(0, MAX_FINDINGS)
    .map(({ line, message }) => `Line ${line}: ${message}`);
  const near = [...new Set(findings.flatMap(({ did_you_mean = [] }) => did_you_mean))];
  throw fail("VALIDATION", `${lines.join("\n")}\nNothing was applied.`, {
    outcome: "not_applied",
    line: findings[0]!.line,
    ...(near.length > 0 && { did_you_mean: near.slice(0, 3) }),
  });
}

/** Common methods of arrays and strings. Calling them on a variable is no mistake. */
const USUAL_METHODS = new Set([
  ...Object.getOwnPropertyNames(Array.prototype),
  ...Object.getOwnPropertyNames(String.prototype),
  ...Object.getOwnPropertyNames(Map.prototype),
  ...Object.getOwnPropertyNames(Set.prototype),
  ...Object.getOwnPropertyNames(Promise.prototype),
]);

function hidingCalls({ own }: ProgramOutline): NameUse[] {
  return own.filter(({ name }) => {
    const words = name.split(".");
    return !name.includes("undefined") && !USUAL_METHODS.has(words.at(-1)!);
  });
}
