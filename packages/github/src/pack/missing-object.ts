import type { CallError } from "@waybill/core";
import type { CardKit } from "@waybill/core/cards";

type Params = Readonly<Record<string, unknown>>;
type Missing = ReturnType<NonNullable<CardKit["missing"]>>;

function textParam(params: Params, name: string): string | undefined {
  const value = params[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function repository(params: Params): string | undefined {
  const [owner, name] = [textParam(params, "owner"), textParam(params, "name")];
  return owner === undefined || name === undefined ? undefined : `${owner}/${name}`;
}

/** `Issue octo/hello#3` for a numbered object, or `Label bug of octo/hello`. */
function inRepository(params: Params, kind: string, which: string, isNumbered = false): string {
  const repo = repository(params);
  if (repo !== undefined) {
    return isNumbered ? `${kind} ${repo}#${which}` : `${kind} ${which} of ${repo}`;
  }
  const owner = textParam(params, "owner");
  return owner === undefined ? `${kind} ${which}` : `${kind} ${which} of ${owner}`;
}

/** The objects that inputs name, the most specific first. */
const THINGS: readonly (readonly [input: string, kind: string, isNumbered?: boolean])[] = [
  ["itemId", "Project item"],
  ["jobId", "Job"],
  ["runId", "Workflow run"],
  ["workflowId", "Workflow"],
  ["threadId", "Review thread"],
  ["commentId", "Comment"],
  ["releaseId", "Release"],
  ["issueNumber", "Issue", true],
  ["prNumber", "Pull request", true],
  ["discussionNumber", "Discussion", true],
  ["issueId", "Issue"],
  ["projectNumber", "Project"],
  ["projectId", "Project"],
  ["label", "Label"],
  ["variable", "Variable"],
  ["secret", "Secret"],
  ["tagName", "Release"],
  ["branch", "Branch"],
];

const MAKES = /\.(?:create|put)$/u;
/**
 * Inputs that name a new object if the call creates one, so the object cannot be the missing one.
 */
const NEW: ReadonlySet<string> = new Set(["label", "variable", "secret", "tagName", "branch"]);

function thing(id: string, params: Params): string | undefined {
  for (const [input, kind, isNumbered] of THINGS) {
    const which = textParam(params, input);
    if (which === undefined || (MAKES.test(id) && NEW.has(input))) continue;
    return inRepository(params, kind, which, isNumbered);
  }
  return undefined;
}

/** Names a file, commit, person or repository, which need more than one input. */
function place(id: string, params: Params): string | undefined {
  const [path, ref] = [textParam(params, "path"), textParam(params, "ref")];
  if (id.startsWith("file.") && path !== undefined) return inRepository(params, "File", path);
  const [base, head] = [textParam(params, "base"), textParam(params, "head")];
  if (id === "commit.compare") return inRepository(params, "Commit range", `${base}...${head}`);
  if (id.startsWith("commit.") && ref !== undefined) return inRepository(params, "Commit", ref);
  const repo = repository(params);
  if (repo !== undefined) return `Repository ${repo}`;
  const org = textParam(params, "org");
  if (org !== undefined) return `Organization ${org}`;
  const user =
    textParam(params, "login") ?? textParam(params, "user") ?? textParam(params, "owner");
  return user === undefined ? undefined : `User ${user}`;
}

function facts(params: Params): Record<string, unknown> {
  const known = { owner: params["owner"], repo: params["name"], login: params["login"] };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

/** Whether GraphQL's message says that the repository itself is missing. */
function isRepositoryItself({ message }: CallError): boolean {
  return message.includes("Could not resolve to a Repository");
}

/** Lookups of another issue, with the inputs that may name it. */
const OTHER_ISSUES: Readonly<Record<string, readonly string[]>> = {
  anchor: ["afterNumber", "beforeNumber"],
  child: ["childNumber"],
  other: ["parentIssueNumber", "blockedByIssueNumber"],
  restAfter: ["afterNumber"],
  restBefore: ["beforeNumber"],
  restChild: ["childNumber"],
  restOther: ["parentIssueNumber", "blockedByIssueNumber"],
};

/** The missing object of a failed lookup, if the call names several objects. */
function lookedUp(params: Params, { message }: CallError): string | undefined {
  const [, words = "", item] = /found no ([\w ]+?)(?: "(.+)")?$/u.exec(message) ?? [];
  const lookup = words.replaceAll(/ \w/gu, (start) => start.trim().toUpperCase());
  if (/^(?:assignee|login|user)$/u.test(lookup) && item !== undefined) return `User ${item}`;
  if (/pending/iu.test(`${lookup} ${message}`)) {
    return inRepository(params, "Pending review of", textParam(params, "prNumber") ?? "", true);
  }
  const numbers = (OTHER_ISSUES[lookup] ?? []).map((input) => textParam(params, input));
  const number = numbers.find((one) => one !== undefined);
  return number === undefined ? undefined : inRepository(params, "Issue", number, true);
}

/** REST's error for a label that is not on the issue is the same as for a missing issue. */
function absentLabel(params: Params, { message }: CallError): string | undefined {
  const labels = params["labels"];
  const label = Array.isArray(labels) && labels.length === 1 ? String(labels[0]) : undefined;
  if (label === undefined || !message.includes("Label does not exist")) return undefined;
  return inRepository(params, `Label ${label} on issue`, String(params["issueNumber"]), true);
}

/** Names the object that a call did not find. GitHub's own messages differ by route. */
export function missing(id: string, params: Params, error: CallError): Missing {
  const repo = repository(params);
  const name =
    isRepositoryItself(error) && repo !== undefined
      ? `Repository ${repo}`
      : (lookedUp(params, error) ??
        absentLabel(params, error) ??
        thing(id, params) ??
        place(id, params));
  return name === undefined ? undefined : { name, details: facts(params) };
}
