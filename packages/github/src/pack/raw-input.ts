import { isRecord } from "@waybill/core/schema";
import type { OperationSpec, Source } from "@waybill/core";
import { readAddress, readAddressQuery } from "./address.ts";
import type { Address } from "./address.ts";
import { refuseForOtherWay } from "./other-ways.ts";
import { camelCased } from "./reading.ts";
import type { Params } from "./reading.ts";
import { refuseInput } from "./refuse-input.ts";
import { readQualifiers } from "./search-qualifiers.ts";

function schemaProperties(schema: unknown): Params {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(properties) ? properties : {};
}

/** Splits `repo: "octo/hello"`, `"octo/hello#1"` or a URL into owner, repository and number. */
function spreadRepository(input: Record<string, unknown>, properties: Params): void {
  const { repo } = input;
  if (!Object.hasOwn(properties, "repo") || typeof repo !== "string") return;
  const address = readAddress(repo);
  const parts = address === undefined ? repo.split(/\/|#(?=\d+$)/u) : [address.owner, address.name];
  const [owner, name, number] = parts;
  if (name === undefined || (input["owner"] ?? owner) !== owner) return;
  input["owner"] = owner;
  input["repo"] = name;
  if (number !== undefined) input["number"] ??= number;
}

const NUMBERS = [
  "issue_number",
  "pull_number",
  "milestone_number",
  "discussion_number",
  "run_id",
  "job_id",
];

/** The ids in a URL, by the name of the parameter. */
function addressParams(address: Address): Params {
  const { kind, owner, number, job, workflow, comment, reviewComment, named = {} } = address;
  const { ref, tagName, releaseId, label, variable, secret, base, head, ...same } = named;
  const isAccount = kind === "account";
  return {
    ...same,
    ref,
    commit_sha: ref,
    tree_sha: ref,
    tag: tagName,
    release_id: releaseId,
    name: label ?? variable,
    secret_name: secret,
    basehead: base === undefined ? undefined : `${base}...${String(head)}`,
    username: isAccount ? owner : undefined,
    org: isAccount ? owner : undefined,
    run_id: kind === "run" || kind === "job" ? number : undefined,
    job_id: job,
    workflow_id: workflow,
    comment_id: comment ?? reviewComment,
  };
}

const GIST =
  /^https?:\/\/(?:gist\.[^/]+\/(?:[^/]+\/)?|[^/]+\/(?:api\/v3\/)?gists\/)([0-9a-f]{20,})/iu;

/** The operations whose `ref` is `heads/main` or `tags/v1`, not the name of a branch or tag. */
const OF_GIT_REFS = /^github\.git\.(?:get|update|delete|list-matching)-refs?$/u;

/** The full name of the ref in a URL. */
function fullRef({ named = {} }: Address): string | undefined {
  const { gitRef, branch, tagName } = named;
  if (gitRef !== undefined) return String(gitRef);
  if (branch !== undefined) return `heads/${branch}`;
  return tagName === undefined ? undefined : `tags/${tagName}`;
}

/** Turns a branch or tag into `heads/…` or `tags/…`. GitHub refuses the prefix `refs/`. */
function readGitRef(id: string, input: Record<string, unknown>): void {
  if (!OF_GIT_REFS.test(id)) return;
  for (const [name, folder] of [
    ["branch", "heads"],
    ["tag", "tags"],
  ] as const) {
    const { [name]: value } = input;
    if (typeof value !== "string" || Object.hasOwn(input, "ref")) continue;
    const short = value.replace(/^refs\//u, "");
    input["ref"] = short.startsWith(`${folder}/`) ? short : `${folder}/${short}`;
    delete input[name];
  }
  const { ref } = input;
  if (typeof ref === "string") input["ref"] = ref.replace(/^refs\//u, "");
}

/** Reads the repository and the number from the URL of a page. */
function spreadUrl(id: string, input: Record<string, unknown>, properties: Params): void {
  const { url } = input;
  if (typeof url !== "string" || Object.hasOwn(properties, "url")) return;
  const gist = GIST.exec(url)?.[1];
  const address = gist === undefined ? readAddress(url) : undefined;
  if (address === undefined && gist === undefined) return;
  delete input["url"];
  const isList = Object.hasOwn(properties, "per_page");
  for (const [name, value] of readAddressQuery(url, isList)) input[name] ??= value;
  const ofRefs = address !== undefined && OF_GIT_REFS.test(id) ? { ref: fullRef(address) } : {};
  const params = address === undefined ? {} : { ...addressParams(address), ...ofRefs };
  const repository = { owner: address?.owner, repo: address?.name };
  for (const [name, value] of Object.entries({ ...params, ...repository, gist_id: gist })) {
    if (value !== undefined && Object.hasOwn(properties, name)) input[name] ??= value;
  }
  const isRun = address?.kind === "run" || address?.kind === "job";
  const isNumbered = NUMBERS.some((name) => Object.hasOwn(properties, name));
  if (address?.number !== undefined && !isRun && isNumbered) input["number"] ??= address.number;
}

/** The only required input that is missing. */
function missingInput(input: Params, { inputSchema }: OperationSpec): string | undefined {
  const required = isRecord(inputSchema) ? inputSchema["required"] : undefined;
  const names = Array.isArray(required) ? required.map(String) : [];
  const missing = names.filter((name) => !Object.hasOwn(input, name));
  return missing.length === 1 ? missing[0] : undefined;
}

/** Reads a word without a name: a number, or the one input that is missing. */
function readFirstWord(
  input: Record<string, unknown>,
  name: string | undefined,
  isWanted: (word: string) => boolean,
): void {
  const word = input[""];
  if (typeof word !== "string" || name === undefined || !isWanted(word)) return;
  input[name] ??= name === "number" ? word.replace("#", "") : word;
  delete input[""];
}

/** Reads `number` as the one number in the path. */
function readNumber(input: Record<string, unknown>, properties: Params): void {
  const wanted = NUMBERS.find((name) => Object.hasOwn(properties, name));
  const other = ["number", ...NUMBERS].find((name) => Object.hasOwn(input, name));
  if (wanted === undefined || other === undefined || Object.hasOwn(input, wanted)) return;
  if (Object.hasOwn(properties, other)) return;
  input[wanted] = input[other];
  delete input[other];
}

/** The names in `gh` and GitHub's MCP server for each parameter of GitHub's REST API. */
const RAW_NAMES: Readonly<Record<string, readonly string[]>> = {
  codespace_name: ["codespace"],
  description: ["desc"],
  idle_timeout_minutes: ["idleTimeout"],
  org: ["owner", "organization"],
  per_page: ["limit", "first"],
  ref: ["branch"],
  retention_period_minutes: ["retentionPeriod"],
  tag_name: ["tag"],
  thread_id: ["notificationId", "notificationID"],
  username: ["user", "login"],
};

function snakeCased(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z]+)/gu, (_, before: string, after: string) => `${before}_${after}`)
    .toLowerCase();
}

/** Renames `perPage` to `per_page`, and names from other tools. */
function renameInputs(input: Record<string, unknown>, known: Params): void {
  for (const name of Object.keys(input).filter((each) => !Object.hasOwn(known, each))) {
    const given = camelCased(name);
    const others = Object.keys(RAW_NAMES).filter((each) => RAW_NAMES[each]!.includes(given));
    const proper = [snakeCased(name), ...others].find((each) => Object.hasOwn(known, each));
    if (proper === undefined || Object.hasOwn(input, proper)) continue;
    input[proper] = input[name];
    delete input[name];
  }
}

/** Other names of a commit or ref. */
const COMMITS: readonly string[] = ["sha", "commit", "commit_sha", "branch", "tag", "ref"];

/** Reads `workflow` or `id` as `workflow_id`, and `sha` as `ref`, if only that input is missing. */
function readShortName(
  input: Record<string, unknown>,
  missing: string | undefined,
  known: Params,
): void {
  if (missing === undefined) return;
  const [, thing, kind] = /^(.+)_(id|number|name|slug)$/u.exec(missing) ?? [];
  // A number, such as that of `octo/hello#3`, is no id of a comment or a release.
  const usual = ["id", "number", "name", "slug"].filter(
    (name) => name !== "number" || kind === name,
  );
  const names = thing === undefined ? [] : [thing, ...usual];
  const others = ["ref", "commit_sha"].includes(missing) ? COMMITS : names;
  const given = others.find((name) => Object.hasOwn(input, name) && !Object.hasOwn(known, name));
  if (given === undefined) return;
  input[missing] = input[given];
  delete input[given];
}

/** Moves members of the body that are given beside the other inputs. */
function gatherBody(input: Record<string, unknown>, properties: Params): void {
  const fields = schemaProperties(properties["body"]);
  const given = input["body"];
  const isText = typeof given === "string" && Object.hasOwn(fields, "body");
  if (given !== undefined && !isRecord(given) && !isText) return;
  const flat = Object.keys(input).filter(
    (name) => !Object.hasOwn(properties, name) && Object.hasOwn(fields, name),
  );
  if (flat.length === 0 && !isText) return;
  const body: Record<string, unknown> = isRecord(given) ? { ...given } : {};
  if (isText) body["body"] = given;
  for (const name of flat) {
    body[name] = input[name];
    delete input[name];
  }
  input["body"] = body;
}

/** Splits a string with commas, if the parameter is a list of strings. */
function splitLists(input: Record<string, unknown>, known: Params): void {
  for (const [name, value] of Object.entries(input)) {
    const schema = Object.hasOwn(known, name) ? known[name] : undefined;
    const items = isRecord(schema) && schema["type"] === "array" ? schema["items"] : undefined;
    const isTexts = isRecord(items) && items["type"] === "string";
    if (!isTexts || typeof value !== "string" || value.startsWith("[")) continue;
    input[name] = value.split(",").map((part) => part.trim());
  }
}

/** Refuses unknown inputs. An operation that accepts any input is skipped. */
function refuseUnknown(id: string, input: Params, properties: Params): void {
  for (const name of Object.keys(input)) {
    if (!Object.hasOwn(properties, name)) refuseForOtherWay(id, name);
  }
}

/**
 * Refuses to delete a file without its hash, which GitHub requires. Suggests `file.delete`, which
 * reads the hash first.
 */
function refuseWithoutHash(id: string, input: Params): void {
  const { body } = input;
  const isGiven = isRecord(body) && body["sha"] !== undefined;
  if (id !== "github.repos.delete-file" || isGiven) return;
  throw refuseInput(
    id,
    "sha",
    "is required; or call file.delete with path, message and branch, which looks it up",
  );
}

/** Refuses the title of a milestone, because GitHub's REST API finds milestones only by number. */
function refuseTitle(id: string, input: Params, missing: string | undefined): void {
  const { milestone_number: number } = input;
  if (missing === "milestone_number") {
    throw refuseInput(id, missing, "is required; milestone.list shows it");
  }
  if (typeof number !== "string" || /^\d+$/u.test(number)) return;
  throw refuseInput(id, "milestone_number", "must be a number; milestone.list shows it");
}

/** Converts the input forms that agents use to those of GitHub's REST API description. */
function normaliseRawInput(params: Params, spec: OperationSpec): Params {
  const properties = schemaProperties(spec.inputSchema);
  const input = { ...params };
  // `mark-thread-as-done` already means this state.
  if (spec.id.endsWith(".mark-thread-as-done") && input["state"] === "done") delete input["state"];
  // Ignored, because Waybill never asks for a confirmation on a terminal.
  if (!Object.hasOwn(properties, "yes")) delete input["yes"];
  const isSearch = Object.hasOwn(properties, "q");
  readFirstWord(input, isSearch ? "q" : "number", (word) => isSearch || /^#?\d+$/u.test(word));
  spreadUrl(spec.id, input, properties);
  spreadRepository(input, properties);
  readNumber(input, properties);
  readFirstWord(input, missingInput(input, spec), () => true);
  readQualifiers({ id: spec.id, written: input, properties, host: undefined });
  readGitRef(spec.id, input);
  const fields = schemaProperties(properties["body"]);
  renameInputs(input, { ...fields, ...properties });
  readShortName(input, missingInput(input, spec), { ...fields, ...properties });
  splitLists(input, { ...fields, ...properties });
  gatherBody(input, properties);
  refuseUnknown(spec.id, input, properties);
  refuseWithoutHash(spec.id, input);
  refuseTitle(spec.id, input, missingInput(input, spec));
  return input;
}

/** The inputs that other ids of an operation stand for. */
const RAW_ID_INPUTS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  "github.issues.update-milestone": {
    "milestone.close": { state: "closed" },
    "milestone.reopen": { state: "open" },
  },
};

/** Wraps a source, so that it also accepts the input forms of agents and other tools. */
export function withFlatInputs(source: Source): Source {
  return {
    name: source.name,
    ...(source.route !== undefined && { route: source.route }),
    list: () => source.list(),
    describe: (id) => {
      const spec = source.describe(id);
      const normaliseInput = (params: Params): Params => normaliseRawInput(params, spec);
      return { ...spec, normaliseInput, idInputs: RAW_ID_INPUTS[id] };
    },
    runOf: (id) => source.runOf(id),
    problems: () => source.problems?.() ?? [],
    close: () => source.close(),
  };
}
