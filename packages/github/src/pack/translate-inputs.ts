import { readFlatInputs } from "./flat-inputs.ts";
import { meaningOfName } from "./other-names.ts";
import { camelCased, isTrue } from "./reading.ts";
import type { Params, Reading } from "./reading.ts";
import { readQualifiers } from "./search-qualifiers.ts";

type Written = Record<string, unknown>;

/** Switches of `gh` without a value, with the input and value that they stand for. */
const SWITCHES: Readonly<Record<string, readonly [name: string, value: unknown]>> = {
  approve: ["event", "APPROVE"],
  comment: ["event", "COMMENT"],
  merge: ["method", "merge"],
  noMaintainerEdit: ["maintainerCanModify", false],
  private: ["visibility", "private"],
  public: ["visibility", "public"],
  rebase: ["method", "rebase"],
  requestChanges: ["event", "REQUEST_CHANGES"],
  squash: ["method", "squash"],
};

/** Reads `squash: true` as `method: "squash"`, if the capability has no input `squash`. */
function readSwitches({ written, properties }: Reading): void {
  for (const given of Object.keys(written)) {
    const proper = camelCased(given);
    if (!Object.hasOwn(SWITCHES, proper)) continue;
    const [name, value] = SWITCHES[proper]!;
    const isOurs = Object.hasOwn(properties, name) && !Object.hasOwn(properties, given);
    if (!isOurs || !isTrue(written[given]) || Object.hasOwn(written, name)) continue;
    written[name] = value;
    delete written[given];
  }
}

/**
 * Inputs of `gh` and GitHub's MCP server that have no effect here, by the prefix of an id. Answers
 * already contain what they request, or they concern prompts on a terminal.
 */
const NEEDLESS: Readonly<Record<string, readonly string[]>> = {
  "": ["yes"],
  "discussion.view": ["includeReplies"],
  project_v2: ["format", "ownerType"],
  "workflow.job.logs": ["log", "logFailed", "returnContent"],
  "workflow.run": ["exitStatus"],
  "workflow.run.view": ["logFailed", "returnContent"],
};

function dropNeedless({ id, written, properties }: Reading): void {
  const needless = Object.keys(NEEDLESS).flatMap((prefix) =>
    prefix === "" || id === prefix || id.startsWith(`${prefix}.`) ? NEEDLESS[prefix]! : [],
  );
  for (const name of Object.keys(written)) {
    if (needless.includes(camelCased(name)) && !Object.hasOwn(properties, name)) {
      delete written[name];
    }
  }
}

/**
 * Accepts a reason such as "not planned" in the form that `gh` and people use. Reopening needs no
 * reason, so `reopened` is removed.
 */
function readStateReason({ written, properties }: Reading): void {
  for (const name of ["reason", "state_reason", "stateReason", "lock_reason", "lockReason"]) {
    const value = written[name];
    if (typeof value === "string") written[name] = value.toLowerCase().replace(/[\s-]/u, "_");
  }
  const isState = Object.hasOwn(properties, "stateReason") && written["state"] !== undefined;
  if (isState && written["state_reason"] === "reopened") delete written["state_reason"];
}

/** Accepts the sort order `CREATED_AT` of GraphQL and GitHub's MCP server. */
function readSort({ written }: Reading): void {
  for (const name of ["sort", "orderBy", "order_by"]) {
    const value = written[name];
    if (typeof value === "string") written[name] = value.replace(/_AT$/iu, "");
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

/**
 * The inputs that a word without a name may stand for. The first one that the capability has is
 * used.
 */
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
  "assignees",
  "reviewers",
];

function firstInput(id: string, properties: Params): string | undefined {
  const has = (name: string): boolean => Object.hasOwn(properties, name);
  if (has("tagName")) return "tagName";
  if (id === "gist.create") return "filename";
  if (id === "repo.create") return "name";
  if (id.startsWith("commit.") && has("ref")) return "ref";
  const named = meaningOfName(id, properties);
  if (named !== undefined || !has("owner")) return named ?? FIRST_WORDS.find(has);
  return FIRST_WORDS.find((name) => has(name) && (name !== "owner" || !has("name")));
}

function numberedInput(properties: Params): string {
  return ["runId", "jobId"].find((name) => Object.hasOwn(properties, name)) ?? "number";
}

/**
 * Reads the first positional argument: `1` in `gh issue view 1`, `urgent` in `gh label create
 * urgent`.
 */
function readFirstWord({ id, written, properties }: Reading): void {
  const word = written[""];
  if (typeof word !== "string") return;
  const [, base, head] = id === "commit.compare" ? (/^(.+?)\.{2,3}(.+)$/u.exec(word) ?? []) : [];
  if (base !== undefined) {
    Object.assign(written, { base, head });
    delete written[""];
    return;
  }
  const isNumber = /^#?\d+$/u.test(word);
  const name = isNumber ? numberedInput(properties) : firstInput(id, properties);
  if (name === undefined || Object.hasOwn(written, name)) return;
  written[name] = word;
  delete written[""];
}

/** Translates the inputs of `gh`, GitHub's REST API and its MCP server to Waybill's inputs. */
export function translateInputs(reading: Reading): Written {
  readFirstWord(reading);
  readQualifiers(reading);
  readSwitches(reading);
  dropNeedless(reading);
  readStateReason(reading);
  readSort(reading);
  readWholeRepository(reading);
  readFlatInputs(reading);
  return reading.written;
}
