import { isRecord } from "@waybill/core";
import type { OperationSpec } from "@waybill/core";
import { readAddress } from "./address.ts";
import type { Address } from "./address.ts";
import { agree, withoutHash } from "./reading.ts";
import type { Params, Reading } from "./reading.ts";
import { refuseInput } from "./refuse-input.ts";

type Written = Record<string, unknown>;

/** The inputs that hold the number of an issue or a pull request, and what agents call them. */
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  issueNumber: ["number", "issue"],
  prNumber: ["number", "pr", "pull_number", "pull_request", "pullNumber"],
  runId: ["run"],
  jobId: ["job"],
  milestoneNumber: ["milestone"],
  projectNumber: ["number", "project"],
  discussionNumber: ["number", "discussion"],
};

const REPOSITORY = ["owner", "name"];
/** What capabilities call whoever something belongs to. */
const OWNERS = ["owner", "org", "user"];
const REPOSITORY_NAMES = ["repo", "repository"];

function propertiesOf({ inputSchema }: OperationSpec): Readonly<Record<string, unknown>> {
  const properties = isRecord(inputSchema) ? inputSchema["properties"] : undefined;
  return isRecord(properties) ? properties : {};
}

function camelCased(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function rename(written: Written, from: string, to: string): void {
  if (from === to || !Object.hasOwn(written, from) || Object.hasOwn(written, to)) return;
  written[to] = written[from];
  delete written[from];
}

/** `issue_number` for `issueNumber`, and `number` for whichever number this capability takes. */
function renameInputs(written: Written, properties: Params): void {
  for (const name of Object.keys(written)) {
    const proper = camelCased(name);
    if (!Object.hasOwn(properties, name) && Object.hasOwn(properties, proper)) {
      rename(written, name, proper);
    }
  }
  for (const [name, others] of Object.entries(NUMBERS)) {
    if (!Object.hasOwn(properties, name)) continue;
    const other = others.find(
      (each) => Object.hasOwn(written, each) && !Object.hasOwn(properties, each),
    );
    if (other !== undefined) rename(written, other, name);
  }
}

/** What is on another host is not to be looked for, and even less written to, on this one. */
function addressOn(host: string | undefined, value: unknown): Address | undefined {
  const address = typeof value === "string" ? readAddress(value) : undefined;
  const isHere = host === undefined || address?.host.replace(/^www\./, "") === host;
  return isHere ? address : undefined;
}

function agreeOnRepository(reading: Reading, from: string, { owner, name }: Address): void {
  for (const place of OWNERS) agree(reading, from, place, owner);
  agree(reading, from, "name", name);
}

/** An address says more than the input it stands in: whose repository, and which number. */
function spreadAddress(reading: Reading, from: string): boolean {
  const { written, properties, host } = reading;
  const address = addressOn(host, written[from]);
  if (address === undefined) return false;
  const numberName = Object.keys(NUMBERS).find((each) => Object.hasOwn(properties, each));
  const isNumber = from === numberName;
  if (isNumber && address.number === undefined) return false;
  if (isNumber || !Object.hasOwn(properties, from)) delete written[from];
  agreeOnRepository(reading, from, address);
  if (numberName !== undefined) agree(reading, from, numberName, address.number);
  agree(reading, from, "commentId", address.comment);
  return true;
}

/** `repo` and `repository` hold a name, or owner and name. */
function readRepository(reading: Reading): void {
  const { written, properties } = reading;
  if (!Object.hasOwn(properties, "owner") || !Object.hasOwn(properties, "name")) return;
  const from = REPOSITORY_NAMES.find(
    (name) => Object.hasOwn(written, name) && !Object.hasOwn(properties, name),
  );
  if (from === undefined || spreadAddress(reading, from)) return;
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
  const places = ["url", ...Object.keys(NUMBERS)];
  for (const place of places) {
    if (!Object.hasOwn(written, place)) continue;
    if (place === "url" && Object.hasOwn(properties, place)) continue;
    spreadAddress(reading, place);
  }
}

/** The number of a comment, or its address, in which the repository stands too. */
function readCommentId(reading: Reading): void {
  const { written } = reading;
  const value = written["commentId"];
  if (typeof value !== "string") return;
  const number = /^(?:https?:.*#(?:issuecomment-|discussion_r))?(\d+)$/.exec(value)?.[1];
  if (number === undefined) return;
  written["commentId"] = Number(number);
  const address = readAddress(value);
  if (address !== undefined) agreeOnRepository(reading, "commentId", address);
}

/** A workflow is known by the name of its file, whatever folder or page it is named with. */
function readWorkflowId(reading: Reading): void {
  const { written, host } = reading;
  const value = written["workflowId"];
  if (typeof value !== "string") return;
  const address = addressOn(host, value);
  if (address !== undefined) agreeOnRepository(reading, "workflowId", address);
  written["workflowId"] = value.slice(value.lastIndexOf("/") + 1);
}

/** A path begins at the root, with or without a sign for that; the root itself needs none. */
function readPath(written: Written): void {
  const path = written["path"];
  if (typeof path !== "string") return;
  written["path"] = path.replace(/^(?:\.?\/|\.$)+/u, "").replace(/\/+$/u, "");
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

/** What no owner or repository can be called would be read as something else in a search. */
function refuseHostile({ id, written }: Reading): void {
  for (const name of REPOSITORY) {
    const value = written[name];
    if (typeof value !== "string" || /^[\w.-]*$/.test(value)) continue;
    throw refuseInput(id, name, "may hold letters, digits, dots, dashes and underscores only");
  }
}

/** Half of it from the call and half from elsewhere would be a repository that nobody meant. */
function fillRepository(written: Written, properties: Params, repository: Params): void {
  const names = ["owner", "name"];
  const isAsked = names.every((name) => Object.hasOwn(properties, name));
  if (!isAsked || names.some((name) => Object.hasOwn(written, name))) return;
  for (const name of names) written[name] = repository[name];
}

/**
 * What agents really write for an input of a GitHub capability, put into its proper form. Where no
 * repository is named, the one at hand is meant, if there is one; addresses are those of `host`.
 */
export function normaliseInput(
  params: Params,
  spec: OperationSpec,
  repository?: { readonly owner: string; readonly name: string },
  host?: string,
): Params {
  const properties = propertiesOf(spec);
  const written: Written = { ...params };
  const reading: Reading = { id: spec.id, written, properties, host };
  readRepository(reading);
  renameInputs(written, properties);
  readAddresses(reading);
  if (Object.hasOwn(properties, "commentId")) readCommentId(reading);
  if (Object.hasOwn(properties, "workflowId")) readWorkflowId(reading);
  if (repository !== undefined) fillRepository(written, properties, { ...repository });
  for (const [name, schema] of Object.entries(properties)) {
    if (!Object.hasOwn(written, name)) continue;
    const value = name in NUMBERS ? withoutHash(written[name]) : written[name];
    written[name] = inItsCase(value, schema);
  }
  if (REPOSITORY.every((name) => Object.hasOwn(properties, name))) refuseHostile(reading);
  if (Object.hasOwn(properties, "path")) readPath(written);
  return written;
}
