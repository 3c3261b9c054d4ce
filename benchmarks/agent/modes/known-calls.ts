import type { Json, Step } from "../types.ts";
import { githubFieldNames } from "./schema-slices.ts";

function escaped(text: string): string {
  return text.replaceAll(/[.#]/g, String.raw`\$&`);
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(String.raw`(?<!\w)${escaped(word)}(?!\w)`).test(text);
}

/** `issue.comments.create` stands in an index as `comments.create` on a line of its own thing. */
function isIndexed(id: string, skill: string): boolean {
  const thing = id.slice(0, id.indexOf("."));
  const path = id.slice(thing.length + 1);
  const parent = path.slice(0, path.lastIndexOf(".") + 1);
  const verb = path.slice(parent.length);
  const lines = skill
    .split("\n")
    .filter((line) => line.startsWith(`${thing}:`) || line.startsWith(`${thing}#:`));
  const call = new RegExp(String.raw`(?:^|[ ])${escaped(parent)}(?:[\w]+/)*${verb}(?=[/( ]|$)`);
  return lines.some((line) => call.test(line));
}

/** `thing.verb` of the things and verbs that the lean skill lists. */
function isMade(id: string, skill: string): boolean {
  const [, things = "", verbs = ""] = /^Things: (.*)\. Verbs: ([\w ,]*)/m.exec(skill) ?? [];
  const [thing = "", verb = "", ...more] = id.split(".");
  const isListed = things.split(" ").includes(thing) && verbs.split(/[ ,]+/).includes(verb);
  return more.length === 0 && isListed;
}

/** Whether the id stands in the text, in full or by its rule. */
export function knowsId(skill: string, id: string): boolean {
  return hasWord(skill, id) || isIndexed(id, skill) || isMade(id, skill);
}

/** Whether every input of a call stands in the text. */
export function knowsInputs(skill: string, { params }: Step): boolean {
  return Object.keys(params).every((name) => hasWord(skill, name));
}

function expressionsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(expressionsIn);
  if (value === null || typeof value !== "object") return [];
  const { $from } = value;
  return typeof $from === "string" ? [$from] : Object.values(value).flatMap(expressionsIn);
}

/** The names of outputs that a call speaks of: what it selects, and what it takes from other steps. */
function outputNames({ params, select = [] }: Step): string[] {
  const taken = Object.values(params)
    .flatMap(expressionsIn)
    .map((expression) => expression.replace(/^\w+\.data/, "").replaceAll(/'[^']*'/g, ""));
  return [...select, ...taken].flatMap((path) => path.match(/[A-Za-z]\w*/g) ?? []);
}

/** Whether every output that is named stands in the text or is called so by GitHub itself. */
export function knowsOutputs(skill: string, step: Step): boolean {
  const known = githubFieldNames();
  return outputNames(step).every((name) => known.has(name) || hasWord(skill, name));
}
