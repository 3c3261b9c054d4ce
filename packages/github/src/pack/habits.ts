import { isRecord } from "@waybill/core/schema";
import { meaningOfName } from "./other-names.ts";
import type { Params, Reading } from "./reading.ts";

type Written = Record<string, unknown>;

function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

/** A bare switch of `gh` → the input that it stands for, and its value. */
const SWITCHES: Readonly<Record<string, readonly [name: string, value: string]>> = {
  approve: ["event", "APPROVE"],
  comment: ["event", "COMMENT"],
  merge: ["method", "merge"],
  private: ["visibility", "private"],
  public: ["visibility", "public"],
  rebase: ["method", "rebase"],
  requestChanges: ["event", "REQUEST_CHANGES"],
  request_changes: ["event", "REQUEST_CHANGES"],
  squash: ["method", "squash"],
};

/** `squash: true` is `method: "squash"`, where the capability has no such switch itself. */
function readSwitches({ written, properties }: Reading): void {
  for (const [given, [name, value]] of Object.entries(SWITCHES)) {
    const isOurs = Object.hasOwn(properties, name) && !Object.hasOwn(properties, given);
    if (!isOurs || !isTrue(written[given]) || Object.hasOwn(written, name)) continue;
    written[name] = value;
    delete written[given];
  }
}

/** A flag of `gh search` → the qualifier of a query. */
const QUALIFIERS: Readonly<Record<string, string>> = {
  assignee: "assignee",
  author: "author",
  extension: "extension",
  filename: "filename",
  label: "label",
  labels: "label",
  language: "language",
  milestone: "milestone",
  org: "org",
  owner: "user",
  repo: "repo",
  state: "state",
  topic: "topic",
  user: "user",
};

function qualifier(name: string, value: string): string {
  return `${name}:${/\s/u.test(value) ? JSON.stringify(value) : value}`;
}

/** `repo=octo/hello` of a search is `repo:octo/hello` in its query. */
function readQualifiers({ id, written, properties }: Reading): void {
  if (!id.startsWith("search.") || !Object.hasOwn(properties, "query")) return;
  const { owner, repo } = written;
  // REST and GitHub's MCP server name the two parts apart.
  if (typeof owner === "string" && typeof repo === "string" && !repo.includes("/")) {
    written["repo"] = `${owner}/${repo}`;
    delete written["owner"];
  }
  const parts: string[] = [];
  for (const [name, word] of Object.entries(QUALIFIERS)) {
    const value = Object.hasOwn(properties, name) ? undefined : written[name];
    const values = (Array.isArray(value) ? value : [value]).filter(
      (one) => typeof one === "string",
    );
    if (values.length === 0) continue;
    parts.push(...values.map((one) => qualifier(word, one)));
    delete written[name];
  }
  const query = ["query", "q", "search"].find((name) => typeof written[name] === "string");
  if (parts.length > 0) {
    written[query ?? "query"] = [query === undefined ? [] : written[query], parts]
      .flat(2)
      .join(" ");
  }
}

/** On a command line an object is text. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith("{")) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** `gh` and people write "not planned". GitHub's own reason for closing needs no second request. */
function readStateReason({ written, properties }: Reading): void {
  for (const name of ["reason", "state_reason", "stateReason"]) {
    const value = written[name];
    if (typeof value === "string") written[name] = value.toLowerCase().replace(/[\s-]/u, "_");
  }
  const isState = Object.hasOwn(properties, "stateReason") && written["state"] !== undefined;
  if (isState && written["state_reason"] === "reopened") delete written["state_reason"];
}

/** REST has `{ "a.txt": { "content": "…" } }` for the files of a gist. */
function readGistFiles({ id, written }: Reading): void {
  const files = parsed(written["files"]);
  if (id !== "gist.create" || !isRecord(files)) return;
  const texts = Object.entries(files).map(([name, file]) => {
    const content = isRecord(file) && Object.keys(file).length === 1 ? file["content"] : undefined;
    return [name, typeof content === "string" ? content : file];
  });
  written["files"] = Object.fromEntries(texts);
}

/** One file may be written flat, as REST and GitHub's MCP server take it. */
function readCommittedFile({ id, written }: Reading): void {
  const { path, content, files } = written;
  const isFlat = typeof path === "string" && typeof content === "string";
  if (id !== "file.commit" || files !== undefined || !isFlat) return;
  written["files"] = [{ path, content }];
  delete written["path"];
  delete written["content"];
}

/** The inputs that a word without a name may stand for, the first that is there. */
const FIRST_WORDS = ["tagName", "path", "login", "org", "user", "query", "owner", "title"];

function firstInput(id: string, properties: Params): string | undefined {
  const has = (name: string): boolean => Object.hasOwn(properties, name);
  if (has("tagName")) return "tagName";
  const named = meaningOfName(id, properties);
  if (named !== undefined || !has("owner")) return named ?? FIRST_WORDS.find(has);
  return FIRST_WORDS.find((name) => has(name) && (name !== "owner" || !has("name")));
}

function numberedInput(properties: Params): string {
  return ["runId", "jobId"].find((name) => Object.hasOwn(properties, name)) ?? "number";
}

/** `gh issue view 1` and `gh label create urgent` name the thing by their first word alone. */
function readFirstWord({ id, written, properties }: Reading): void {
  const word = written[""];
  if (typeof word !== "string") return;
  const isNumber = /^#?\d+$/u.test(word);
  const name = isNumber ? numberedInput(properties) : firstInput(id, properties);
  if (name === undefined || Object.hasOwn(written, name)) return;
  written[name] = word;
  delete written[""];
}

/** Translates the inputs of `gh`, GitHub's REST API and its MCP server to Waybill's form. */
export function readHabits(reading: Reading): Written {
  readFirstWord(reading);
  readQualifiers(reading);
  readSwitches(reading);
  readStateReason(reading);
  readGistFiles(reading);
  readCommittedFile(reading);
  return reading.written;
}
