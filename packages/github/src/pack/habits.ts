import { isRecord } from "@waybill/core/schema";
import { meaningOfName } from "./other-names.ts";
import type { Params, Reading } from "./reading.ts";
import { refuseInput } from "./refuse-input.ts";
import { readQualifiers } from "./search-qualifiers.ts";

type Written = Record<string, unknown>;

function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

/** A bare switch of `gh` → the input that it stands for, and its value. */
const SWITCHES: Readonly<Record<string, readonly [name: string, value: unknown]>> = {
  approve: ["event", "APPROVE"],
  comment: ["event", "COMMENT"],
  merge: ["method", "merge"],
  noMaintainerEdit: ["maintainerCanModify", false],
  no_maintainer_edit: ["maintainerCanModify", false],
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

/** Switches of `gh` that ask for what the answer has in any case. */
const NEEDLESS: Readonly<Record<string, readonly string[]>> = {
  "workflow.run.view": ["logFailed", "log_failed", "log-failed"],
};

function dropNeedless({ id, written }: Reading): void {
  for (const name of NEEDLESS[id] ?? []) if (isTrue(written[name])) delete written[name];
}

/** On a command line an object is text. */
function parseIfJson(value: unknown): unknown {
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

/** GraphQL and GitHub's MCP server sort by `CREATED_AT`. */
function readSort({ written }: Reading): void {
  for (const name of ["sort", "orderBy", "order_by"]) {
    const value = written[name];
    if (typeof value === "string") written[name] = value.replace(/_AT$/iu, "");
  }
}

/** `gh` asks GitHub who `@me` is. GitHub itself knows it only in filters and searches. */
function refuseMe({ id, written, properties }: Reading): void {
  for (const name of ["assignees", "reviewers"]) {
    const isMe = [written[name], written[name.slice(0, -1)]].flat().includes("@me");
    if (isMe && Object.hasOwn(properties, name))
      throw refuseInput(id, name, "takes logins, not @me; user.me says yours");
  }
}

/** REST and GitHub's MCP server name the owner apart. */
function readWholeRepository({ written, properties }: Reading): void {
  const { owner, repo } = written;
  const isWhole = Object.hasOwn(properties, "repository") && !Object.hasOwn(properties, "owner");
  if (!isWhole || typeof owner !== "string" || typeof repo !== "string") return;
  written["repository"] ??= `${owner}/${repo}`;
  delete written["owner"];
  delete written["repo"];
}

/** `gh` and REST ask whether a release is a draft. Here it always is until it is published. */
function readDraft({ id, written }: Reading): void {
  if (id !== "release.create" || written["draft"] === undefined) return;
  if (!isTrue(written["draft"])) {
    throw refuseInput(id, "draft", "is not an input; call release.publish after this");
  }
  delete written["draft"];
}

/** One file of a gist may be written flat, as GitHub's MCP server takes it. */
function readGistFile({ id, written }: Reading): void {
  const { filename, content, files } = written;
  const isFlat = typeof filename === "string" && typeof content === "string";
  if (id !== "gist.create" || files !== undefined || !isFlat) return;
  written["files"] = { [filename]: content };
  delete written["filename"];
  delete written["content"];
}

/** REST has `{ "a.txt": { "content": "…" } }` for the files of a gist. */
function readGistFiles({ id, written }: Reading): void {
  const files = parseIfJson(written["files"]);
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
const FIRST_WORDS = [
  "tagName",
  "path",
  "login",
  "org",
  "user",
  "query",
  "owner",
  "target",
  "title",
];

function firstInput(id: string, properties: Params): string | undefined {
  const has = (name: string): boolean => Object.hasOwn(properties, name);
  if (has("tagName")) return "tagName";
  if (id.startsWith("commit.") && has("ref")) return "ref";
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
  dropNeedless(reading);
  readStateReason(reading);
  readSort(reading);
  readWholeRepository(reading);
  readDraft(reading);
  refuseMe(reading);
  readGistFile(reading);
  readGistFiles(reading);
  readCommittedFile(reading);
  return reading.written;
}
