import { fail, isRecord } from "@waybill/core";
import type { OperationSpec } from "@waybill/core";
import { readAddress } from "./address.ts";
import type { Address } from "./address.ts";

type Params = Readonly<Record<string, unknown>>;
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

/** Those that may be given as plain `number`, since they say what the capability is about. */
export const NUMBERED_INPUTS: readonly string[] = Object.keys(NUMBERS).filter((name) =>
  NUMBERS[name]!.includes("number"),
);

const REPOSITORY = ["owner", "name"];
const REPOSITORY_NAMES = ["repo", "repository"];

function propertiesOf({ inputSchema }: OperationSpec): Readonly<Record<string, unknown>> {
  const properties = isRecord(inputSchema) ? inputSchema["properties"] : undefined;
  return isRecord(properties) ? properties : {};
}

function camelCased(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Sets what is not given already: what the caller says in its proper place wins. */
function fill(written: Written, name: string, value: unknown): void {
  if (!Object.hasOwn(written, name)) written[name] = value;
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

/** An address says more than the input it stands in: whose repository, and which number. */
function spreadAddress(
  written: Written,
  properties: Params,
  name: string,
  host: string | undefined,
): boolean {
  const address = addressOn(host, written[name]);
  if (address === undefined) return false;
  const { owner, name: repository, number, comment } = address;
  const numberName = Object.keys(NUMBERS).find((each) => Object.hasOwn(properties, each));
  const isNumber = name === numberName;
  if (isNumber && number === undefined) return false;
  if (isNumber || !Object.hasOwn(properties, name)) delete written[name];
  for (const place of ["owner", "org", "user"]) {
    if (Object.hasOwn(properties, place)) fill(written, place, owner);
  }
  const hasName = Object.hasOwn(properties, "name") && repository !== undefined;
  if (hasName) fill(written, "name", repository);
  if (numberName !== undefined && number !== undefined) fill(written, numberName, number);
  if (comment !== undefined && Object.hasOwn(properties, "commentId"))
    fill(written, "commentId", comment);
  return true;
}

/** `repo` and `repository` hold a name, or owner and name. */
function readRepository(written: Written, properties: Params, host: string | undefined): void {
  if (!Object.hasOwn(properties, "owner") || !Object.hasOwn(properties, "name")) return;
  const from = REPOSITORY_NAMES.find(
    (name) => Object.hasOwn(written, name) && !Object.hasOwn(properties, name),
  );
  if (from === undefined || spreadAddress(written, properties, from, host)) return;
  const value = written[from];
  const [owner, name, ...more] = typeof value === "string" ? value.split("/") : [];
  if (owner !== undefined && name !== undefined && more.length === 0) {
    fill(written, "owner", owner);
    fill(written, "name", name);
    delete written[from];
  } else rename(written, from, "name");
}

function readAddresses(written: Written, properties: Params, host: string | undefined): void {
  const places = ["url", ...Object.keys(NUMBERS)];
  for (const place of places) {
    if (!Object.hasOwn(written, place)) continue;
    if (place === "url" && Object.hasOwn(properties, place)) continue;
    spreadAddress(written, properties, place, host);
  }
}

/** The number of a comment, or its address, in which the repository stands too. */
function readCommentId(written: Written): void {
  const value = written["commentId"];
  if (typeof value !== "string") return;
  const number = /^(?:https?:.*#(?:issuecomment-|discussion_r))?(\d+)$/.exec(value)?.[1];
  if (number === undefined) return;
  written["commentId"] = Number(number);
  const address = readAddress(value);
  if (address === undefined) return;
  fill(written, "owner", address.owner);
  fill(written, "name", address.name);
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

/** `#12` is how people write a number. */
function withoutHash(value: unknown): unknown {
  return typeof value === "string" && /^#\d+$/.test(value) ? value.slice(1) : value;
}

/** What no owner or repository can be called would be read as something else in a search. */
function refuseHostile(written: Written, { id }: OperationSpec): void {
  for (const name of REPOSITORY) {
    const value = written[name];
    if (typeof value !== "string" || /^[\w.-]*$/.test(value)) continue;
    const message = "may hold letters, digits, dots, dashes and underscores only";
    throw fail("VALIDATION", `Invalid input for ${id}: /${name} ${message}`, {
      outcome: "not_applied",
      issues: [{ path: `/${name}`, message }],
    });
  }
}

/** A workflow is known by the name of its file, whatever folder or page it is named with. */
function fileName(value: unknown): unknown {
  return typeof value === "string" ? value.slice(value.lastIndexOf("/") + 1) : value;
}

function inItsForm(name: string, value: unknown): unknown {
  if (name === "workflowId") return fileName(value);
  return name in NUMBERS ? withoutHash(value) : value;
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
  readRepository(written, properties, host);
  renameInputs(written, properties);
  readAddresses(written, properties, host);
  if (repository !== undefined) fillRepository(written, properties, { ...repository });
  if (Object.hasOwn(properties, "commentId")) readCommentId(written);
  for (const [name, schema] of Object.entries(properties)) {
    if (!Object.hasOwn(written, name)) continue;
    written[name] = inItsCase(inItsForm(name, written[name]), schema);
  }
  if (REPOSITORY.every((name) => Object.hasOwn(properties, name))) refuseHostile(written, spec);
  if (Object.hasOwn(properties, "path")) readPath(written);
  return written;
}
