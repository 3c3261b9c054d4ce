import { HEADS, findCommit } from "../../store/commits.ts";
import { StoreError, invalid } from "../../store/errors.ts";
import { nameWithOwner } from "../../store/facts.ts";
import { commitOnBranch } from "../../store/mutations/refs.ts";
import type { RestCall, Routes } from "../call.ts";
import { json, ok, raw, redirect } from "../reply.ts";
import type { Reply } from "../reply.ts";
import { contentView, gitCommitView } from "../views/git.ts";
import type { Entry } from "../views/git.ts";

interface Found {
  readonly entry: Entry;
  readonly children: readonly Entry[];
}

function lookUp({ store }: RestCall, commit: string, path: string): Found | undefined {
  let tree = store.objects.commit(commit)?.tree ?? "";
  let entry: Entry = { path: "", type: "dir", oid: tree, size: 0 };
  for (const name of path.split("/").filter((part) => part !== "")) {
    const found = (store.objects.tree(tree) ?? []).find((one) => one.name === name);
    if (found === undefined) return undefined;
    tree = found.oid;
    const size = store.objects.blob(found.oid)?.length ?? 0;
    const full = entry.path === "" ? name : `${entry.path}/${name}`;
    entry = { path: full, type: found.mode === "040000" ? "dir" : "file", oid: found.oid, size };
  }
  const children = (store.objects.tree(entry.oid) ?? []).map(({ name, mode, oid }): Entry => {
    const size = store.objects.blob(oid)?.length ?? 0;
    const full = entry.path === "" ? name : `${entry.path}/${name}`;
    return { path: full, type: mode === "040000" ? "dir" : "file", oid, size };
  });
  return { entry, children };
}

/** Base64 with 60 characters per line, as GitHub sends it. */
function base64(content: Buffer): string {
  return content.toString("base64").replaceAll(/.{1,60}/g, "$&\n");
}

/** Returns a list, or for the `object` media type an object with a list. */
function viewFolder(call: RestCall, ref: string, entry: Entry, children: readonly Entry[]): Reply {
  const entries = children.map((one) => contentView(call, ref, one));
  if (!/\bobject\b/.test(call.accept)) return ok(entries);
  return ok({ ...contentView(call, ref, entry), entries });
}

function viewPath(call: RestCall, path = call.param("path")): Reply {
  const { store, repository } = call;
  const ref = call.query("ref") ?? repository.defaultBranch;
  const found = lookUp(call, findCommit(store, repository, ref).oid, path);
  if (found === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  const { entry, children } = found;
  if (entry.type === "dir") return viewFolder(call, ref, entry, children);
  const content = store.objects.blob(entry.oid)!;
  if (/\braw\b/.test(call.accept)) return raw(content, "application/vnd.github.raw; charset=utf-8");
  return ok({ ...contentView(call, ref, entry), content: base64(content), encoding: "base64" });
}

function readme(call: RestCall): Reply {
  const { store, repository } = call;
  const ref = call.query("ref") ?? repository.defaultBranch;
  const files = store.objects.filesAt(findCommit(store, repository, ref).oid);
  const path = [...files.keys()].find((name) => /^readme(\.\w+)?$/i.test(name));
  if (path === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  return viewPath(call, path);
}

function getBranch({ repository, body }: RestCall): string {
  const branch = body.text("branch") ?? repository.defaultBranch;
  if (repository.refs.size > 0 && !repository.refs.has(`${HEADS}${branch}`)) {
    throw new StoreError("NOT_FOUND", `Branch ${branch} not found`);
  }
  return branch;
}

function fileOid(call: RestCall, branch: string, path: string): string | undefined {
  const head = call.repository.refs.get(`${HEADS}${branch}`);
  return head === undefined ? undefined : lookUp(call, head, path)?.entry.oid;
}

/** To change or delete a file, the caller must send its current sha. */
function checkSha(call: RestCall, path: string, old: string | undefined): void {
  const sha = call.body.text("sha");
  if (old !== undefined && sha === undefined) {
    throw invalid(
      { resource: "Content", field: "sha", code: "missing_field" },
      `Invalid request.\n\n"sha" wasn't supplied.`,
    );
  }
  if (sha !== undefined && sha !== old)
    throw new StoreError("CONFLICT", `${path} does not match ${sha}`);
}

function readBase64(text: string): Buffer {
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(text.replaceAll(/\s/g, ""));
  if (isBase64) return Buffer.from(text, "base64");
  throw new StoreError("UNPROCESSABLE", "content is not valid Base64");
}

function writeContent(call: RestCall): Reply {
  const { store, viewer, repository, body } = call;
  const path = call.param("path");
  const branch = getBranch(call);
  const old = fileOid(call, branch, path);
  checkSha(call, path, old);
  const content = readBase64(body.string("content"));
  const message = body.string("message");
  const edits = { additions: new Map([[path, content]]), deletions: [] };
  const commit = commitOnBranch(store, viewer, repository, { branch, message, edits });
  const { entry } = lookUp(call, commit.oid, path)!;
  const view = { content: contentView(call, branch, entry), commit: gitCommitView(call, commit) };
  return json(old === undefined ? 201 : 200, view);
}

function remove(call: RestCall): Reply {
  const { store, viewer, repository, body } = call;
  const path = call.param("path");
  const branch = getBranch(call);
  const old = fileOid(call, branch, path);
  if (old === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  checkSha(call, path, old);
  const edits = { additions: new Map<string, Buffer>(), deletions: [path] };
  const message = body.string("message");
  const commit = commitOnBranch(store, viewer, repository, { branch, message, edits });
  return ok({ content: null, commit: gitCommitView(call, commit) });
}

/** Redirects to the storage host, which serves archives as well as logs. */
function archive(call: RestCall, format: "zip" | "tar"): Reply {
  const { store, repository, urls } = call;
  const ref = call.param("ref") || repository.defaultBranch;
  const { oid } = findCommit(store, repository, ref);
  return redirect(302, `${urls.storage}/${nameWithOwner(repository)}/archive/${format}/${oid}`);
}

const CONTENTS = "/repos/{owner}/{repo}/contents/{path}";

export const contentRoutes: Routes = {
  [`GET ${CONTENTS}`]: (call) => viewPath(call),
  // GitHub's description does not have this path, but clients request it for an empty path.
  "GET /repos/{owner}/{repo}/contents": (call) => viewPath(call),
  "GET /repos/{owner}/{repo}/zipball/{ref}": (call) => archive(call, "zip"),
  "GET /repos/{owner}/{repo}/tarball/{ref}": (call) => archive(call, "tar"),
  "GET /repos/{owner}/{repo}/zipball": (call) => archive(call, "zip"),
  "GET /repos/{owner}/{repo}/tarball": (call) => archive(call, "tar"),
  [`PUT ${CONTENTS}`]: writeContent,
  [`DELETE ${CONTENTS}`]: remove,
  "GET /repos/{owner}/{repo}/readme": readme,
};
