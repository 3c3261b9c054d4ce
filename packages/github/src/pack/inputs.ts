import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { OperationSpec } from "@waybill/core";
import { readAddress, readAddressQuery } from "./address.ts";
import { translateInputs } from "./translate-inputs.ts";
import { OTHER_NAMES, meaningOfName } from "./other-names.ts";
import { hasOwnWay, refuseForOtherWay } from "./other-ways.ts";
import { readNumber } from "./read-number.ts";
import { agree, camelCased } from "./reading.ts";
import type { Params, Reading } from "./reading.ts";
import { refuseInput } from "./refuse-input.ts";
import { refuseOtherKind } from "./search-qualifiers.ts";
import { ADDRESSED, readIssueUrl, readProjectUrl, spreadAddress } from "./spread-address.ts";

type Written = Record<string, unknown>;

/** The inputs for the number of an issue or pull request, with the names that agents use. */
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  issueNumber: ["number", "issue"],
  prNumber: ["number", "pr", "pull_number", "pull_request", "pullNumber"],
  runId: ["run", "resourceId", "id"],
  jobId: ["job", "resourceId", "id"],
  milestoneNumber: ["milestone"],
  projectNumber: ["number", "project"],
  discussionNumber: ["number", "discussion"],
  blockedByIssueNumber: ["blockedBy", "blockedByNumber"],
  parentIssueNumber: ["parent", "parentNumber"],
  childNumber: ["child", "childIssue", "subIssue", "subIssueNumber"],
  afterNumber: [],
  beforeNumber: [],
};

/** The inputs that may be given as `number`, because they are the capability's main subject. */
export const NUMBERED_INPUTS: readonly string[] = Object.keys(NUMBERS).filter((name) =>
  NUMBERS[name]!.includes("number"),
);

const REPOSITORY = ["owner", "name"];
/** The inputs for the name of an account or repository. */
const NAMES = [...REPOSITORY, "org", "user", "login", "repository"];
const REPOSITORY_NAMES = ["repo", "repository"];

function getProperties({ inputSchema }: OperationSpec): Readonly<Record<string, unknown>> {
  const properties = isRecord(inputSchema) ? inputSchema["properties"] : undefined;
  return isRecord(properties) ? properties : {};
}

function rename(written: Written, from: string, to: string): void {
  if (from === to || !Object.hasOwn(written, from) || Object.hasOwn(written, to)) return;
  written[to] = written[from];
  delete written[from];
}

/** Renames `issue_number` to `issueNumber`, and `number` to this capability's number. */
function renameInputs(
  { id, written, properties }: Reading,
  aliases: readonly string[],
  byName: OperationSpec["aliases"] = {},
): void {
  for (const name of Object.keys(written)) {
    const proper = camelCased(name);
    const isKnown = Object.hasOwn(properties, proper) || aliases.includes(proper);
    if (!Object.hasOwn(properties, name) && isKnown) rename(written, name, proper);
  }
  for (const table of [NUMBERS, OTHER_NAMES]) {
    for (const [name, others] of Object.entries(table)) {
      if (!Object.hasOwn(properties, name)) continue;
      const other = Object.keys(written).find(
        (each) =>
          others.includes(camelCased(each)) &&
          !Object.hasOwn(properties, each) &&
          !hasOwnWay(id, each),
      );
      if (other !== undefined) rename(written, other, name);
    }
  }
  for (const [name, others] of Object.entries(byName)) {
    for (const other of others) rename(written, other, name);
  }
}

/** Reads `private` of REST as the visibility. */
function readPrivate(written: Written): void {
  const { private: isPrivate, visibility } = written;
  const isKnown = [true, false, "true", "false"].includes(isPrivate as boolean | string);
  if (!isKnown || visibility !== undefined) return;
  written["visibility"] = isPrivate === true || isPrivate === "true" ? "private" : "public";
  delete written["private"];
}

/** If `repo` names the repository, `name` means something else: a label, a branch or a title. */
function readName({ id, written, properties }: Reading, from: string): void {
  const { [from]: repository, name } = written;
  if (typeof name !== "string" || typeof repository !== "string") return;
  const [, ...parts] = repository.split("/");
  const whole = readAddress(repository)?.name ?? parts.at(-1);
  if (whole?.toLowerCase() === name.toLowerCase()) return;
  const named = meaningOfName(id, properties);
  // `label.edit octo/hello bug name=defect` of `gh`: a second name is the new one.
  const isNamed = readAddress(repository)?.named?.[named ?? ""] !== undefined;
  const isNew = named !== undefined && (isNamed || Object.hasOwn(written, named));
  const meant = isNew && Object.hasOwn(properties, "newName") ? "newName" : named;
  if (meant === undefined || Object.hasOwn(written, meant)) return;
  written[meant] = name;
  delete written["name"];
}

/** Refuses a second `name`, because the first is the repository. */
function refuseTwoNames({ id, written, properties }: Reading): void {
  const meant = meaningOfName(id, properties);
  if (!Array.isArray(written["name"]) || meant === undefined) return;
  throw refuseInput(id, "name", `names the repository here; pass the other name as ${meant}`);
}

const REFERENCE = /^(?<repository>[^/#]+\/[^/#]+)#(?<number>\d+)$/u;

/** Reads the number of `repo: "octo/hello#1"`, and leaves the repository. */
function readReference(reading: Reading, from: string): void {
  const { id, written, properties } = reading;
  const { repository, number } = REFERENCE.exec(String(written[from]))?.groups ?? {};
  if (repository === undefined) return;
  const input = NUMBERED_INPUTS.find((name) => Object.hasOwn(properties, name));
  if (input === undefined) {
    throw refuseInput(id, from, `must be owner/name; this capability has no input for #${number}`);
  }
  for (const other of NUMBERS[input]!) {
    if (!Object.hasOwn(properties, other)) rename(written, other, input);
  }
  agree(reading, from, input, Number(number));
  written[from] = repository;
}

/** Reads `repo` and `repository`, which contain a name, owner and name, or a reference. */
function readRepository(reading: Reading): void {
  const { written, properties } = reading;
  if (!Object.hasOwn(properties, "owner") || !Object.hasOwn(properties, "name")) return;
  const from = REPOSITORY_NAMES.find(
    (name) => Object.hasOwn(written, name) && !Object.hasOwn(properties, name),
  );
  if (from === undefined) return;
  readReference(reading, from);
  readName(reading, from);
  if (spreadAddress(reading, from)) return;
  const value = written[from];
  const [owner, name, ...more] = typeof value === "string" ? value.split("/") : [];
  if (owner !== undefined && name !== undefined && more.length === 0) {
    agree(reading, from, "owner", owner);
    agree(reading, from, "name", name);
    delete written[from];
  } else rename(written, from, "name");
}

function readAddresses(reading: Reading): void {
  const { written, properties } = reading;
  for (const name of ADDRESSED) {
    if (Object.hasOwn(properties, name) && Object.hasOwn(written, name)) {
      spreadAddress(reading, name);
    }
  }
  if (!Object.hasOwn(properties, "url")) {
    // With an owner, `name` is the repository, which has to agree with the address.
    if (!Object.hasOwn(written, "owner")) readName(reading, "url");
    spreadAddress(reading, "url");
  }
  if (Object.hasOwn(properties, "issueUrl")) readIssueUrl(reading);
}

/** Reads the query of a URL as inputs. An explicit input takes precedence. */
function readQuery({ written, properties }: Reading): void {
  const names = ["url", ...REPOSITORY_NAMES].filter((name) => !Object.hasOwn(properties, name));
  const isList = Object.hasOwn(properties, "first");
  for (const name of names) {
    const value = written[name];
    if (typeof value !== "string") continue;
    for (const [key, text] of readAddressQuery(value, isList)) written[key] ??= text;
  }
}

/** A comment id that is not a node id must be a number. */
function readCommentId(written: Written): void {
  const value = written["commentId"];
  if (typeof value === "string" && /^\d+$/.test(value)) written["commentId"] = Number(value);
}

/** Removes the folder from a workflow's file name. */
function readWorkflowId(written: Written): void {
  const value = written["workflowId"];
  if (typeof value === "string") written["workflowId"] = value.slice(value.lastIndexOf("/") + 1);
}

/**
 * Removes the prefix of a full branch name, because git would create a branch with the prefix in
 * its name.
 */
function readBranch(written: Written): void {
  const { branch } = written;
  if (typeof branch === "string") written["branch"] = branch.replace(/^refs\/heads\//u, "");
}

/** Removes a leading slash or dot from a path; the root becomes empty. */
function readPath(written: Written): void {
  const path = written["path"];
  if (typeof path !== "string") return;
  written["path"] = path.replace(/^(?:\.?\/|\.$)+/u, "").replace(/(?<!\/)\/+$/u, "");
  if (written["path"] === "") delete written["path"];
}

function inItsCase(value: unknown, schema: unknown): unknown {
  if (!isRecord(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => inItsCase(item, schema["items"]));
  const allowed = schema["enum"];
  if (typeof value !== "string" || !Array.isArray(allowed) || allowed.includes(value)) return value;
  const lower = value.toLowerCase();
  return allowed.find((each) => typeof each === "string" && each.toLowerCase() === lower) ?? value;
}

/**
 * Refuses text that cannot be an owner or repository, because it would change the meaning of a
 * search.
 */
function refuseHostile({ id, written }: Reading): void {
  for (const name of REPOSITORY) {
    const value = written[name];
    if (typeof value !== "string" || /^[\w.-]*$/.test(value)) continue;
    throw refuseInput(id, name, "may contain only letters, digits, dots, dashes and underscores");
  }
}

/** The inputs that the alternatives of a schema require, if each alternative requires one input. */
function getChanges({ inputSchema }: OperationSpec): readonly string[] {
  const anyOf: unknown = isRecord(inputSchema) ? inputSchema["anyOf"] : undefined;
  const required = (Array.isArray(anyOf) ? anyOf : []).map((one: unknown) =>
    isRecord(one) && Array.isArray(one["required"]) ? (one["required"] as string[]) : [],
  );
  return required.every(({ length }) => length === 1) ? required.flat() : [];
}

/**
 * Refuses an update without a change. The schema's own error would name only the first alternative.
 */
function refuseNoChange({ id, written, properties }: Reading, spec: OperationSpec): void {
  const changes = getChanges(spec);
  const isKnown = Object.keys(written).every((name) => Object.hasOwn(properties, name));
  if (changes.length === 0 || !isKnown || changes.some((name) => Object.hasOwn(written, name)))
    return;
  const message = `needs at least one of ${changes.join(", ")}`;
  throw fail("VALIDATION", `Invalid input for ${id}: ${message}`, {
    outcome: "not_applied",
    issues: [{ path: "", message, allowed: changes }],
  });
}

/**
 * Refuses a call without a login, because GitHub's REST API has separate paths for the caller and
 * for others.
 */
function refuseNobody({ id, written }: Reading): void {
  if (id === "user.view" && Object.keys(written).length === 0) {
    throw refuseInput(id, "login", "is required; user.me shows your own account");
  }
}

/** Refuses `state: merged`, because merging is a separate request on GitHub. */
function refuseMerged({ id, written }: Reading): void {
  const { state } = written;
  if (id !== "pr.update" || String(state).toLowerCase() !== "merged") return;
  throw refuseInput(id, "state", "must be open or closed; use pr.merge to merge");
}

/**
 * Refuses words such as "none" for a milestone. They would be searched for as a title, and removing
 * a milestone is another capability.
 */
function refuseNoMilestone({ id, written }: Reading): void {
  const value = written["milestone"];
  const isNone = value === null || value === "" || value === "none" || value === "null";
  if (id !== "issue.update" || !isNone) return;
  throw refuseInput(
    id,
    "milestone",
    "must be a title or number; use issue.milestone.clear to remove it",
  );
}

/** Refuses an input that other tools have and this capability does not, with the next step. */
function refuseOther({ id, written, properties }: Reading, aliases: readonly string[]): void {
  for (const name of Object.keys(written)) {
    if (Object.hasOwn(properties, name) || aliases.includes(name)) continue;
    refuseForOtherWay(id, name);
  }
}

/** Reads a milestone of digits as its number. */
function readMilestone(written: Written): void {
  const value = written["milestone"];
  if (typeof value === "string" && /^#?\d+$/.test(value))
    written["milestone"] = Number(value.replace("#", ""));
}

/**
 * Sets a date to noon UTC, because GitHub stores the day in its own time zone, and noon UTC is on
 * the same day there.
 */
function readDueOn(written: Written): void {
  const value = written["dueOn"];
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/u.test(value))
    written["dueOn"] = `${value}T12:00:00Z`;
}

/** Splits a string with commas, if the input is a list of strings. */
function asList(value: unknown, schema: unknown): unknown {
  const isTexts =
    isRecord(schema) && isRecord(schema["items"]) && schema["items"]["type"] === "string";
  if (!isTexts || typeof value !== "string" || value.startsWith("[")) return value;
  return value.split(",").map((part) => part.trim());
}

/** Refuses `.` and `..`, which would change the path. No owner or repository has such a name. */
function refuseDots({ id, written, properties }: Reading): void {
  for (const name of NAMES) {
    const value = Object.hasOwn(properties, name) ? written[name] : undefined;
    if (typeof value !== "string" || !/(?:^|\/)\.\.?(?:\/|$)/.test(value)) continue;
    throw refuseInput(id, name, `must be a name, not ${JSON.stringify(value)}`);
  }
}

/**
 * Fills in the current repository only if the call names neither owner nor name: a mix could be a
 * wrong repository.
 */
function fillRepository(written: Written, properties: Params, repository: Params): void {
  const names = ["owner", "name"];
  const isAsked = names.every((name) => Object.hasOwn(properties, name));
  if (!isAsked || names.some((name) => Object.hasOwn(written, name))) return;
  for (const name of names) written[name] = repository[name];
}

/**
 * Converts the input forms that agents use to the inputs of a GitHub capability. Without a
 * repository, the current one is used, if there is one. `host` is the host of valid URLs.
 */
export function normaliseInput(
  params: Params,
  spec: OperationSpec,
  repository?: { readonly owner: string; readonly name: string },
  host?: string,
): Params {
  const properties = getProperties(spec);
  const aliases = Object.values(spec.aliases ?? {}).flat();
  const written: Written = { ...params };
  const reading: Reading = { id: spec.id, written, properties, host };
  readProjectUrl(reading);
  readQuery(reading);
  translateInputs(reading);
  refuseTwoNames(reading);
  readRepository(reading);
  renameInputs(reading, aliases, spec.aliases);
  readAddresses(reading);
  if (Object.hasOwn(properties, "visibility")) readPrivate(written);
  if (Object.hasOwn(properties, "commentId")) readCommentId(written);
  if (Object.hasOwn(properties, "workflowId")) readWorkflowId(written);
  if (repository !== undefined) fillRepository(written, properties, { ...repository });
  for (const [name, schema] of Object.entries(properties)) {
    if (!Object.hasOwn(written, name)) continue;
    const value = name in NUMBERS ? readNumber(reading, name) : asList(written[name], schema);
    written[name] = inItsCase(value, schema);
  }
  if (REPOSITORY.every((name) => Object.hasOwn(properties, name))) refuseHostile(reading);
  refuseDots(reading);
  if (Object.hasOwn(properties, "path")) readPath(written);
  if (Object.hasOwn(properties, "branch")) readBranch(written);
  if (Object.hasOwn(properties, "milestone")) readMilestone(written);
  if (Object.hasOwn(properties, "dueOn")) readDueOn(written);
  refuseOther(reading, aliases);
  refuseNobody(reading);
  refuseMerged(reading);
  refuseOtherKind(reading);
  refuseNoMilestone(reading);
  refuseNoChange(reading, spec);
  return written;
}
