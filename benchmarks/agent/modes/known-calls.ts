import type { Json, Params, Step } from "../types.ts";
import { githubFieldNames } from "./github-schema.ts";

function escaped(text: string): string {
  return text.replaceAll(/[.#$]/g, String.raw`\$&`);
}

export function hasWord(text: string, word: string): boolean {
  return new RegExp(String.raw`(?<!\w)${escaped(word)}(?!\w)`).test(text);
}

/** Whether an answer contains the signature of a capability: `issue.view(owner, name, number)`. */
export function showsSignature(answer: string, id: string): boolean {
  return answer.includes(`${id}(`);
}

/**
 * The signature of a call in an index: `issue.comments.create` appears as `comments.create(body)`
 * on the line of `issue`. Empty if it takes no further input, undefined if it is not listed.
 */
function signatureIn(skill: string, id: string): string | undefined {
  const thing = id.slice(0, id.indexOf("."));
  const path = id.slice(thing.length + 1);
  const parent = path.slice(0, path.lastIndexOf(".") + 1);
  const verb = path.slice(parent.length);
  const names = String.raw`${escaped(parent)}(?:\w+/)*${verb}(?:/\w+)*`;
  const call = new RegExp(String.raw`^${thing}#?:(?:.* )?${names}(?:\(([^)]*)\))?(?= |$)`, "m");
  const found = call.exec(skill);
  return found === null ? undefined : (found[1] ?? "");
}

/** Whether the lean skill lists the thing and the verb of an id. */
function isMade(id: string, skill: string): boolean {
  const [, things = "", verbs = ""] = /^Things: (.*)\. Verbs: ([\w ,]*)/m.exec(skill) ?? [];
  const [thing = "", verb = "", ...more] = id.split(".");
  const isListed = things.split(" ").includes(thing) && verbs.split(/[ ,]+/).includes(verb);
  return more.length === 0 && isListed;
}

/** Whether the text contains the id, in full or by its rule. */
export function knowsId(skill: string, id: string): boolean {
  return hasWord(skill, id) || signatureIn(skill, id) !== undefined || isMade(id, skill);
}

/** The part of a skill about inputs that many calls or lists have. */
function commonInputs(skill: string): string {
  return (skill.match(/(?:(?:Inputs|Lists): |Without \().*/g) ?? []).join("\n");
}

/** The inputs that a reference such as `octo/hello#1` replaces, if the text explains it. */
function inReference(skill: string, params: Params): readonly string[] {
  return skill.includes("owner/name#1") && "repo" in params ? ["repo", "number"] : [];
}

/** Whether the text mentions every input of a call, for this call or for many. */
export function knowsInputs(skill: string, { capability, params }: Step): boolean {
  const told = `${commonInputs(skill)}\n${signatureIn(skill, capability) ?? ""}`;
  const referred = inReference(skill, params);
  return Object.keys(params).every((name) => referred.includes(name) || hasWord(told, name));
}

function expressionsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(expressionsIn);
  if (value === null || typeof value !== "object") return [];
  const { $from } = value;
  return typeof $from === "string" ? [$from] : Object.values(value).flatMap(expressionsIn);
}

/** The output names that a call uses: selected fields, and references to other steps. */
function outputNames({ params, select }: Step): string[] {
  const taken = Object.values(params)
    .flatMap(expressionsIn)
    .map((expression) => expression.replace(/^\w+\.data/, "").replaceAll(/'[^']*'/g, ""));
  return [...(Array.isArray(select) ? select : []), ...taken].flatMap(
    (path) => path.match(/[A-Za-z]\w*/g) ?? [],
  );
}

/** The part of a skill about outputs: its list of fields, and the selections in its examples. */
function toldOutputs(skill: string): string {
  return (skill.match(/^Fields .*|"select":\S+|\$from":"[^"]*/gm) ?? []).join("\n");
}

/** Whether every used output is in the text, or has GitHub's own name. */
export function knowsOutputs(skill: string, step: Step): boolean {
  const known = githubFieldNames();
  const told = toldOutputs(skill);
  return outputNames(step).every((name) => known.has(name) || hasWord(told, name));
}

/** The text after the name of a graph tool: its signature, or the rest of the line. */
function getSaid(tool: string, text: string): string[] {
  const name = String.raw`(?<![\w.])(?:graph[._])?${tool}(?!\w)`;
  const behind = new RegExp(String.raw`${name}(?:\(([^]*?)\)(?![[\w])|(.*))`, "g");
  return [...text.matchAll(behind)].map(([, signature, rest]) => signature ?? rest ?? "");
}

/** Whether a text shows every input that a question about code passes to its tool. */
export function knowsQuestion(text: string, { capability, params }: Step): boolean {
  const tool = capability.replace("graph.", "");
  const names = Object.keys(params);
  return getSaid(tool, text).some((said) => names.every((name) => hasWord(said, name)));
}

/** The keywords of chains that these steps use. */
function chainWords(steps: readonly Step[]): string[] {
  const takes = steps.some(({ params }) =>
    Object.values(params).some((it) => expressionsIn(it).length > 0),
  );
  return [
    "task",
    "params",
    ...(steps.some(({ id }) => id !== undefined) ? ["id"] : []),
    ...(steps.some(({ select }) => select !== undefined) ? ["select"] : []),
    ...(takes ? ["$from"] : []),
  ];
}

/** Whether the part of a text about chains contains the keywords of these steps as member names. */
export function knowsChain(text: string, steps: readonly Step[]): boolean {
  const start = text.search(/\bchain\b/);
  const said = start < 0 ? "" : text.slice(start);
  // Excludes `--select`, which belongs to another command, and `"task":id` and `explain(id)`, which
  // are values.
  return chainWords(steps).every((word) =>
    new RegExp(String.raw`(?<![\w:(<-])${escaped(word)}(?!\w)`).test(said),
  );
}
