import { isRecord } from "@waybill/core/schema";
import { PUBLIC_HOST } from "./github-host.ts";
import { camelCased, isTrue } from "./reading.ts";
import type { Reading } from "./reading.ts";

/** Parses text as JSON, because an object on a command line is text. */
function parseIfJson(value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith("{")) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
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

/** Reads `field=version=2` of `gh workflow run`. */
function readFields({ id, written }: Reading): void {
  const name = ["field", "rawField", "raw-field"].find((each) => Object.hasOwn(written, each));
  if (id !== "workflow.dispatch" || name === undefined || written["inputs"] !== undefined) return;
  const pairs = [written[name]].flat().map((pair) => String(pair).split(/=([^]*)/u, 2));
  if (pairs.some(({ length }) => length < 2)) return;
  written["inputs"] = Object.fromEntries(pairs as [string, string][]);
  delete written[name];
}

/** Reads a file that is given flat, as in REST and GitHub's MCP server. */
function readCommittedFile({ id, written }: Reading): void {
  const { path, content, encoding, files } = written;
  const isFlat = typeof path === "string" && (typeof content === "string" || content === null);
  if (id !== "file.commit" || files !== undefined || !isFlat) return;
  written["files"] = [{ path, content, ...(encoding !== undefined && { encoding }) }];
  for (const name of ["path", "content", "encoding"]) delete written[name];
}

/** Reads `{ path, delete: true }` as a file without content, which deletes it. */
function readDeletedFiles({ id, written }: Reading): void {
  const { files } = written;
  if (id !== "file.commit" || !Array.isArray(files)) return;
  written["files"] = files.map((file: unknown) => {
    if (!isRecord(file) || Object.hasOwn(file, "content")) return file;
    const name = ["delete", "deleted"].find((each) => isTrue(file[each]));
    if (name === undefined) return file;
    const { [name]: _, ...rest } = file;
    return { ...rest, content: null };
  });
}

/** Inputs that name a sub-issue in a call whose main number is that of the parent. */
const SUB_ISSUES = ["subIssue", "subIssueNumber", "child", "childNumber"];

/**
 * Reads the parent and the sub-issue as in REST and GitHub's MCP server, where the call is about the
 * parent.
 */
function readSubIssue({ id, written, properties }: Reading): void {
  const child = Object.keys(written).find((name) => SUB_ISSUES.includes(camelCased(name)));
  const isOfChild = id.startsWith("issue.relations.parent.") && child !== undefined;
  if (!isOfChild || Object.hasOwn(properties, child)) return;
  const parent = ["issue_number", "issueNumber", "issue", "number"].find((name) =>
    Object.hasOwn(written, name),
  );
  if (parent !== undefined && Object.hasOwn(properties, "parentIssueNumber"))
    written["parentIssueNumber"] ??= written[parent];
  if (parent !== undefined) delete written[parent];
  written["issueNumber"] = written[child];
  delete written[child];
}

/** Reads the issue of a project item as in GitHub's MCP server, which has an input for each part. */
function readProjectItem({ id, written, host = PUBLIC_HOST }: Reading): void {
  const { item_owner: owner, item_repo: repo, item_type: type, issueUrl } = written;
  const [issue, pull] = [written["issue_number"], written["pull_request_number"]];
  const isGiven = typeof owner === "string" && typeof repo === "string" && issueUrl === undefined;
  if (!id.startsWith("project_v2.items.") || !isGiven || (issue ?? pull) === undefined) return;
  const isPull = issue === undefined || type === "pull_request";
  const page = `${isPull ? "pull" : "issues"}/${String(issue ?? pull)}`;
  written["issueUrl"] = `https://${host}/${owner}/${repo}/${page}`;
  const parts = ["item_owner", "item_repo", "item_type", "issue_number", "pull_request_number"];
  for (const name of parts) delete written[name];
}

/** The inputs of a comment on a line, in a review and in REST. */
const LINE_INPUTS: Readonly<Record<string, readonly string[]>> = {
  path: ["path", "file"],
  line: ["line"],
  side: ["side"],
  startLine: ["startLine", "start_line"],
  startSide: ["startSide", "start_side"],
};

/** Reads one comment on a line that is given flat, as a review with this comment. */
function readLineComment({ id, written }: Reading): void {
  const { body, comments, event = "COMMENT" } = written;
  const names = Object.values(LINE_INPUTS).flat();
  const isFlat = names.some((name) => Object.hasOwn(written, name)) && typeof body === "string";
  if (id !== "pr.reviews.submit" || comments !== undefined || !isFlat) return;
  const given = Object.entries(LINE_INPUTS).flatMap(([name, others]) => {
    const other = others.find((each) => Object.hasOwn(written, each));
    return other === undefined ? [] : [[name, written[other]] as const];
  });
  for (const name of [...names, "body"]) delete written[name];
  Object.assign(written, { event, comments: [{ ...Object.fromEntries(given), body }] });
}

/** Reads inputs that other tools have flat as the lists, objects and addresses of a capability. */
export function readFlatInputs(reading: Reading): void {
  readFields(reading);
  readGistFile(reading);
  readGistFiles(reading);
  readCommittedFile(reading);
  readDeletedFiles(reading);
  readSubIssue(reading);
  readProjectItem(reading);
  readLineComment(reading);
}
