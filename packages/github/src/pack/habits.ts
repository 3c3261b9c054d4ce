import { isRecord } from "@waybill/core/schema";
import { meaningOfName } from "./other-names.ts";
import type { Params, Reading } from "./reading.ts";
import { refuseInput } from "./refuse-input.ts";
import { readQualifiers } from "./search-qualifiers.ts";

type Written = Record<string, unknown>;

function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

/** Switches of `gh` without a value, with the input and value that they stand for. */
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

/** Reads `squash: true` as `method: "squash"`, if the capability has no input `squash`. */
function readSwitches({ written, properties }: Reading): void {
  for (const [given, [name, value]] of Object.entries(SWITCHES)) {
    const isOurs = Object.hasOwn(properties, name) && !Object.hasOwn(properties, given);
    if (!isOurs || !isTrue(written[given]) || Object.hasOwn(written, name)) continue;
    written[name] = value;
    delete written[given];
  }
}

/** Switches of `gh` that ask for something that every answer contains. */
const NEEDLESS: Readonly<Record<string, readonly string[]>> = {
  "workflow.run.view": ["logFailed", "log_failed", "log-failed"],
};

function dropNeedless({ id, written }: Reading): void {
  for (const name of NEEDLESS[id] ?? []) if (isTrue(written[name])) delete written[name];
}

/** Parses text as JSON, because an object on a command line is text. */
function parseIfJson(value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith("{")) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/**
 * Reads "not planned", as `gh` and people write it. Closing with a reason needs no second request.
 */
function readStateReason({ written, properties }: Reading): void {
  for (const name of ["reason", "state_reason", "stateReason"]) {
    const value = written[name];
    if (typeof value === "string") written[name] = value.toLowerCase().replace(/[\s-]/u, "_");
  }
  const isState = Object.hasOwn(properties, "stateReason") && written["state"] !== undefined;
  if (isState && written["state_reason"] === "reopened") delete written["state_reason"];
}

/** Reads the sort order `CREATED_AT` of GraphQL and GitHub's MCP server. */
function readSort({ written }: Reading): void {
  for (const name of ["sort", "orderBy", "order_by"]) {
    const value = written[name];
    if (typeof value === "string") written[name] = value.replace(/_AT$/iu, "");
  }
}

/** Refuses `@me` where GitHub does not know it. GitHub accepts it only in filters and searches. */
function refuseMe({ id, written, properties }: Reading): void {
  for (const name of ["assignees", "reviewers"]) {
    const isMe = [written[name], written[name.slice(0, -1)]].flat().includes("@me");
    if (isMe && Object.hasOwn(properties, name))
      throw refuseInput(id, name, "takes logins, not @me; user.me says yours");
  }
}

/** Reads owner and repository as two inputs, as in REST and GitHub's MCP server. */
function readWholeRepository({ written, properties }: Reading): void {
  const { owner, repo } = written;
  const isWhole = Object.hasOwn(properties, "repository") && !Object.hasOwn(properties, "owner");
  if (!isWhole || typeof owner !== "string" || typeof repo !== "string") return;
  written["repository"] ??= `${owner}/${repo}`;
  delete written["owner"];
  delete written["repo"];
}

/** Ignores `draft` of `gh` and REST, because here a release is a draft until it is published. */
function readDraft({ id, written }: Reading): void {
  if (id === "release.update" && ["false", false].includes(written["draft"] as string | boolean)) {
    throw refuseInput(id, "draft", "can only be true; release.publish publishes a draft");
  }
  if (id !== "release.create" || written["draft"] === undefined) return;
  if (!isTrue(written["draft"])) {
    throw refuseInput(id, "draft", "is not an input; call release.publish after this");
  }
  delete written["draft"];
}

/** Reads a gist's file that is given flat, as in GitHub's MCP server. */
function readGistFile({ id, written }: Reading): void {
  const { filename, content, files } = written;
  const isFlat = typeof filename === "string" && typeof content === "string";
  if (id !== "gist.create" || files !== undefined || !isFlat) return;
  written["files"] = { [filename]: content };
  delete written["filename"];
  delete written["content"];
}

/** Reads a gist's files as `{ "a.txt": { "content": "…" } }`, as in REST. */
function readGistFiles({ id, written }: Reading): void {
  const files = parseIfJson(written["files"]);
  if (id !== "gist.create" || !isRecord(files)) return;
  const texts = Object.entries(files).map(([name, file]) => {
    const content = isRecord(file) && Object.keys(file).length === 1 ? file["content"] : undefined;
    return [name, typeof content === "string" ? content : file];
  });
  written["files"] = Object.fromEntries(texts);
}

/** Reads a file that is given flat, as in REST and GitHub's MCP server. */
function readCommittedFile({ id, written }: Reading): void {
  const { path, content, files } = written;
  const isFlat = typeof path === "string" && (typeof content === "string" || content === null);
  if (id !== "file.commit" || files !== undefined || !isFlat) return;
  written["files"] = [{ path, content }];
  delete written["path"];
  delete written["content"];
}

/** The inputs that a word without a name may stand for. The first existing one is used. */
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

/** Reads the first word of `gh issue view 1` or `gh label create urgent`. */
function readFirstWord({ id, written, properties }: Reading): void {
  const word = written[""];
  if (typeof word !== "string") return;
  const isNumber = /^#?\d+$/u.test(word);
  const name = isNumber ? numberedInput(properties) : firstInput(id, properties);
  if (name === undefined || Object.hasOwn(written, name)) return;
  written[name] = word;
  delete written[""];
}

/** Translates the inputs of `gh`, GitHub's REST API and its MCP server to Waybill's inputs. */
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
