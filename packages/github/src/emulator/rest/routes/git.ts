import { changesBetween, commitsBetween, diffText, mergeBase, touching } from "../../git/index.ts";
import type { GitCommit, TreeEntry } from "../../git/index.ts";
import { HEADS, TAGS, findCommit, historyAt, resolveCommit } from "../../store/commits.ts";
import { StoreError, invalid } from "../../store/errors.ts";
import { gitNodeId } from "../../store/ids.ts";
import type { Repository } from "../../store/model.ts";
import { createRef, deleteRef, updateRef } from "../../store/mutations/refs.ts";
import { repoApi, repoHtml } from "../../urls.ts";
import type { RestCall, Routes } from "../call.ts";
import { listReply, findPage } from "../pages.ts";
import { created, json, noContent, ok, raw } from "../reply.ts";
import type { Reply } from "../reply.ts";
import * as views from "../views/git.ts";
import { simpleUser } from "../views/account.ts";

/** The commit in the path. GitHub answers 422 for text that looks like an id but is not one. */
export function requestedCommit(call: RestCall, name = call.param("ref")): GitCommit {
  const commit = resolveCommit(call.store, call.repository, name);
  if (commit === undefined)
    throw new StoreError("UNPROCESSABLE", `No commit found for SHA: ${name}`);
  return commit;
}

function listCommits(call: RestCall): Reply {
  const { store, repository } = call;
  if (repository.refs.size === 0) throw new StoreError("CONFLICT", "Git Repository is empty.");
  const path = call.query("path");
  const [author, since, until] = ["author", "since", "until"].map((name) => call.query(name));
  const all = historyAt(store, repository, call.query("sha") ?? repository.defaultBranch);
  const kept = (path ? touching(store.objects, all, path) : all).filter(
    (one) =>
      (author === undefined ||
        one.author.email.startsWith(`${author}@`) ||
        one.author.email === author) &&
      (since === undefined || one.committer.date >= since) &&
      (until === undefined || one.committer.date <= until),
  );
  return listReply(call, kept, (one) => views.commitView(call, one));
}

function viewCommit(call: RestCall): Reply {
  const commit = requestedCommit(call);
  if (/\bdiff\b/.test(call.accept)) {
    const text = diffText(views.commitChanges(call.store, commit));
    return raw(Buffer.from(text), "application/vnd.github.v3.diff; charset=utf-8");
  }
  if (/\bsha\b/.test(call.accept))
    return raw(Buffer.from(commit.oid), "application/vnd.github.v3.sha; charset=utf-8");
  const full = views.fullCommit(call, commit);
  if (call.query("per_page") === undefined) return ok(full);
  // Every page contains the whole commit, but only some of its files.
  const { items: files, headers } = findPage(call, full.files);
  return json(200, { ...full, files }, headers);
}

/** One side of a comparison. It may be in another owner's fork: owner:branch. */
function findSide(call: RestCall, name: string): GitCommit {
  const [owner, branch] = name.split(/:(.*)/s);
  const { store, repository } = call;
  if (branch === undefined) return findCommit(store, repository, name);
  const family = store.repositories.filter(
    (one) => one === repository || one.parent === repository,
  );
  const place = family.find((one) => one.owner.login.toLowerCase() === owner!.toLowerCase());
  if (place === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  return findCommit(store, place, branch);
}

function compareCommits(call: RestCall): Reply {
  const { store, repository, urls } = call;
  const [from = "", to] = call.param("basehead").split("...");
  if (to === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  const [base, head] = [findSide(call, from), findSide(call, to)];
  const fork = mergeBase(store.objects, base.oid, head.oid);
  if (fork === undefined)
    throw new StoreError("NOT_FOUND", `No common ancestor between ${from} and ${to}.`);
  const changes = changesBetween(store.objects, fork, head.oid);
  if (/\bdiff\b/.test(call.accept)) {
    return raw(Buffer.from(diffText(changes)), "application/vnd.github.v3.diff; charset=utf-8");
  }
  const ahead = commitsBetween(store.objects, base.oid, head.oid);
  const behind = commitsBetween(store.objects, head.oid, base.oid);
  const { items, headers } = findPage(call, ahead);
  const html = `${repoHtml(urls, repository)}/compare/${from}...${to}`;
  return json(
    200,
    {
      url: `${repoApi(urls, repository)}/compare/${from}...${to}`,
      html_url: html,
      permalink_url: `${repoHtml(urls, repository)}/compare/${base.oid}...${head.oid}`,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      base_commit: views.commitView(call, base),
      merge_base_commit: views.commitView(call, store.objects.commit(fork)!),
      status: getStatus(ahead.length, behind.length),
      ahead_by: ahead.length,
      behind_by: behind.length,
      total_commits: ahead.length,
      commits: items.map((one) => views.commitView(call, one)),
      files: changes.map((one) => views.changeView(call, head.oid, one)),
    },
    headers,
  );
}

function getStatus(ahead: number, behind: number): string {
  if (ahead > 0 && behind > 0) return "diverged";
  if (ahead > 0) return "ahead";
  return behind > 0 ? "behind" : "identical";
}

function refsBelow({ refs }: Repository, start: string): [name: string, oid: string][] {
  return [...refs]
    .filter(([name]) => name.startsWith(start))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function branchView(call: RestCall, name: string, oid: string): Record<string, unknown> {
  const { repository, urls } = call;
  const url = `${repoApi(urls, repository)}/branches/${views.encodePath(name)}`;
  const rules = repository.protections.get(name);
  const checks = {
    enforcement_level: rules === undefined ? "off" : "non_admins",
    contexts: rules?.requiredChecks ?? [],
    checks: (rules?.requiredChecks ?? []).map((context) => ({ context, app_id: null })),
  };
  return {
    name,
    commit: { sha: oid, url: `${repoApi(urls, repository)}/commits/${oid}` },
    protected: rules !== undefined,
    protection: { enabled: rules !== undefined, required_status_checks: checks },
    protection_url: `${url}/protection`,
  };
}

function viewBranch(call: RestCall): Reply {
  const name = call.param("branch");
  const oid = call.repository.refs.get(`${HEADS}${name}`);
  if (oid === undefined) throw new StoreError("NOT_FOUND", "Branch not found");
  const view = branchView(call, name, oid);
  const self = `${repoApi(call.urls, call.repository)}/branches/${views.encodePath(name)}`;
  const html = `${repoHtml(call.urls, call.repository)}/tree/${views.encodePath(name)}`;
  const commit = views.commitView(call, call.store.objects.commit(oid)!);
  return ok({ ...view, commit, _links: { self, html } });
}

function tagView(call: RestCall, name: string, oid: string): Record<string, unknown> {
  const api = repoApi(call.urls, call.repository);
  const ref = `${TAGS}${name}`;
  return {
    name,
    zipball_url: `${api}/zipball/${ref}`,
    tarball_url: `${api}/tarball/${ref}`,
    commit: { sha: oid, url: `${api}/commits/${oid}` },
    node_id: gitNodeId("Ref", call.repository, ref),
  };
}

function findRef(call: RestCall): [name: string, oid: string] {
  const name = `refs/${call.param("ref")}`;
  const oid = call.repository.refs.get(name);
  if (oid === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  return [name, oid];
}

function viewTree(call: RestCall): Reply {
  const { store, repository } = call;
  const name = call.param("tree_sha");
  const sha =
    store.objects.tree(name) === undefined ? resolveCommit(store, repository, name)?.tree : name;
  if (sha === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  const isDeep = call.query("recursive") !== undefined;
  const api = repoApi(call.urls, repository);
  const walk = (oid: string, prefix: string): unknown[] =>
    (store.objects.tree(oid) ?? []).flatMap((entry) => {
      const path = `${prefix}${entry.name}`;
      const own = treeEntry(call, api, path, entry);
      return entry.mode === "040000" && isDeep ? [own, ...walk(entry.oid, `${path}/`)] : [own];
    });
  return ok({ sha, url: `${api}/git/trees/${sha}`, tree: walk(sha, ""), truncated: false });
}

function treeEntry(
  { store }: RestCall,
  api: string,
  path: string,
  { mode, oid }: TreeEntry,
): Record<string, unknown> {
  if (mode === "040000")
    return { path, mode, type: "tree", sha: oid, url: `${api}/git/trees/${oid}` };
  const size = store.objects.blob(oid)?.length ?? 0;
  return { path, mode, type: "blob", sha: oid, size, url: `${api}/git/blobs/${oid}` };
}

function viewBlob(call: RestCall): Reply {
  const sha = call.param("file_sha");
  const content = call.store.objects.blob(sha);
  if (content === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  return ok({
    sha,
    node_id: gitNodeId("Blob", call.repository, sha),
    size: content.length,
    url: `${repoApi(call.urls, call.repository)}/git/blobs/${sha}`,
    content: content.toString("base64"),
    encoding: "base64",
  });
}

/** The authors of the default branch, with the number of their commits. */
function contributors(call: RestCall): Reply {
  const { store, repository } = call;
  const counts = new Map<string, number>();
  for (const { author } of historyAt(store, repository, repository.defaultBranch)) {
    counts.set(author.email, (counts.get(author.email) ?? 0) + 1);
  }
  const users = store.users.filter(({ email }) => counts.has(email));
  return listReply(
    call,
    users.toSorted((a, b) => counts.get(b.email)! - counts.get(a.email)!),
    (one) => ({
      ...simpleUser(call.urls, one),
      contributions: counts.get(one.email),
    }),
  );
}

const REPO = "/repos/{owner}/{repo}";

export const gitRoutes: Routes = {
  [`GET ${REPO}/commits`]: listCommits,
  [`GET ${REPO}/commits/{ref}`]: viewCommit,
  [`GET ${REPO}/compare/{basehead}`]: compareCommits,
  [`GET ${REPO}/contributors`]: contributors,
  [`GET ${REPO}/branches`]: (call) => {
    const only = call.query("protected");
    const all = refsBelow(call.repository, HEADS).map(
      ([name, oid]) => [name.slice(HEADS.length), oid] as const,
    );
    const kept = all.filter(
      ([name]) => only === undefined || String(call.repository.protections.has(name)) === only,
    );
    return listReply(call, kept, ([name, oid]) => branchView(call, name, oid));
  },
  [`GET ${REPO}/branches/{branch}`]: viewBranch,
  [`GET ${REPO}/tags`]: (call) => {
    const all = refsBelow(call.repository, TAGS).toReversed();
    return listReply(call, all, ([name, oid]) => tagView(call, name.slice(TAGS.length), oid));
  },
  [`GET ${REPO}/git/ref/{ref}`]: (call) => ok(views.refView(call, ...findRef(call))),
  [`GET ${REPO}/git/matching-refs/{ref}`]: (call) =>
    listReply(call, refsBelow(call.repository, `refs/${call.param("ref")}`), (one) =>
      views.refView(call, ...one),
    ),
  [`POST ${REPO}/git/refs`]: (call) => {
    const { store, viewer, repository, body } = call;
    const [name, oid] = [body.text("ref"), body.text("sha")];
    if (name === undefined || oid === undefined) {
      throw invalid({
        resource: "Reference",
        field: name === undefined ? "ref" : "sha",
        code: "missing_field",
      });
    }
    createRef(store, viewer, repository, { name, oid });
    return created(views.refView(call, name, oid));
  },
  [`PATCH ${REPO}/git/refs/{ref}`]: (call) => {
    const { store, viewer, repository, body } = call;
    const name = `refs/${call.param("ref")}`;
    const oid = body.string("sha");
    updateRef(store, viewer, repository, { name, oid, force: body.isOn("force") });
    return ok(views.refView(call, name, oid));
  },
  [`DELETE ${REPO}/git/refs/{ref}`]: (call) => {
    deleteRef(call.store, call.viewer, call.repository, `refs/${call.param("ref")}`);
    return noContent;
  },
  [`GET ${REPO}/git/commits/{commit_sha}`]: (call) => {
    const commit = call.store.objects.commit(call.param("commit_sha"));
    if (commit === undefined) throw new StoreError("NOT_FOUND", "Not Found");
    return ok(views.gitCommitView(call, commit));
  },
  [`GET ${REPO}/git/trees/{tree_sha}`]: viewTree,
  [`GET ${REPO}/git/blobs/{file_sha}`]: viewBlob,
};
