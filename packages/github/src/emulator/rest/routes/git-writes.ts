import { getActor } from "../../store/commits.ts";
import { need } from "../../store/access.ts";
import { invalid } from "../../store/errors.ts";
import { repoApi } from "../../urls.ts";
import type { RestCall, Routes } from "../call.ts";
import { created } from "../reply.ts";
import type { Reply } from "../reply.ts";
import { gitCommitView } from "../views/git.ts";

/** Creates blobs, trees and commits separately, as REST does for a commit with several files. */
function createBlob(call: RestCall): Reply {
  const { store, viewer, repository, body, urls } = call;
  need(viewer, repository, "WRITE");
  const isBase64 = body.text("encoding") === "base64";
  const sha = store.objects.writeBlob(
    Buffer.from(body.string("content"), isBase64 ? "base64" : "utf8"),
  );
  store.count("createBlob");
  return created({ url: `${repoApi(urls, repository)}/git/blobs/${sha}`, sha });
}

function createTree(call: RestCall): Reply {
  const { store, viewer, repository, body, urls } = call;
  need(viewer, repository, "WRITE");
  const base = body.text("base_tree");
  const baseTree = base === undefined ? undefined : (store.objects.commit(base)?.tree ?? base);
  const files = new Map(baseTree === undefined ? [] : store.objects.filesOf(baseTree));
  for (const entry of body.children("tree")) {
    const path = entry.text("path");
    if (path === undefined)
      throw invalid({ resource: "Tree", field: "path", code: "missing_field" });
    const content = entry.text("content");
    if (content !== undefined) files.set(path, store.objects.writeBlob(Buffer.from(content)));
    else if (entry.isNull("sha")) files.delete(path);
    else files.set(path, getBlob(call, entry.string("sha")));
  }
  const sha = store.objects.writeTree(files);
  store.count("createTree");
  const api = repoApi(urls, repository);
  const tree = (store.objects.tree(sha) ?? []).map(({ name, mode, oid }) => ({
    path: name,
    mode,
    type: mode === "040000" ? "tree" : "blob",
    sha: oid,
    url: `${api}/git/${mode === "040000" ? "trees" : "blobs"}/${oid}`,
  }));
  return created({ sha, url: `${api}/git/trees/${sha}`, tree, truncated: false });
}

function getBlob({ store }: RestCall, sha: string): string {
  if (store.objects.blob(sha) !== undefined) return sha;
  throw invalid(
    { resource: "Tree", field: "sha", code: "invalid", value: sha },
    `tree.sha ${sha} is not a valid blob`,
  );
}

function createCommit(call: RestCall): Reply {
  const { store, viewer, repository, body } = call;
  need(viewer, repository, "WRITE");
  const tree = body.string("tree");
  if (store.objects.tree(tree) === undefined) {
    throw invalid(
      { resource: "Commit", field: "tree", code: "invalid", value: tree },
      "Tree SHA does not exist",
    );
  }
  const actor = getActor(store, viewer);
  const parents = body.texts("parents") ?? [];
  const message = body.string("message");
  const commit = store.objects.writeCommit({
    tree,
    parents,
    message,
    author: actor,
    committer: actor,
  });
  store.count("createCommit");
  return created(gitCommitView(call, commit));
}

export const gitWriteRoutes: Routes = {
  "POST /repos/{owner}/{repo}/git/blobs": createBlob,
  "POST /repos/{owner}/{repo}/git/trees": createTree,
  "POST /repos/{owner}/{repo}/git/commits": createCommit,
};
