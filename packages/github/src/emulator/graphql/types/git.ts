import {
  blameRanges,
  changesBetween,
  commitsBetween,
  getHistory,
  touching,
} from "../../git/index.ts";
import type { FileChange, GitActor, TreeEntry } from "../../git/index.ts";
import { getUser } from "../../store/commits.ts";
import type { Repository } from "../../store/model.ts";
import { rollupState, getStatuses } from "../../store/pull-facts.ts";
import type { Store } from "../../store/store.ts";
import { repoApi, repoHtml } from "../../urls.ts";
import type { Context, Fields, TypeFields } from "../context.ts";
import { urlPath } from "./common.ts";
import { commitNode, objectNode, oidAt, rollupNode } from "./git-nodes.ts";
import type { BlobNode, CommitNode, InRepository, TreeNode } from "./git-nodes.ts";
import { getPulls } from "./lists.ts";

function getChanges({ objects }: Store, { commit }: CommitNode): FileChange[] {
  return changesBetween(objects, commit.parents[0] ?? null, commit.oid);
}

function total(changes: readonly FileChange[], field: "additions" | "deletions"): number {
  return changes.reduce((sum, one) => sum + one[field], 0);
}

function commitUrl(
  { urls }: Context,
  { repository, oid }: { repository: Repository; oid: string },
): string {
  return `${repoHtml(urls, repository)}/commit/${oid}`;
}

/** GitHub rates the age of a commit from 1 (new) to 10 (old) by an undocumented rule. */
const BLAME_AGE = 5;

const objectFields: Fields<InRepository<string>> = {
  id: ({ nodeId }) => nodeId,
  oid: ({ oid }) => oid,
  abbreviatedOid: ({ oid }) => oid.slice(0, 7),
  repository: ({ repository }) => repository,
  commitUrl: (node, _args, context) => commitUrl(context, node),
  commitResourcePath: (node, _args, context) => urlPath(commitUrl(context, node)),
};

const commitFields: Fields<CommitNode> = {
  ...objectFields,
  url: (node, _args, context) => commitUrl(context, node),
  resourcePath: (node, _args, context) => urlPath(commitUrl(context, node)),
  treeUrl: ({ repository, oid }, _args, { urls }) => `${repoHtml(urls, repository)}/tree/${oid}`,
  treeResourcePath: ({ repository, oid }, _args, { urls }) =>
    urlPath(`${repoHtml(urls, repository)}/tree/${oid}`),
  tarballUrl: ({ repository, oid }, _args, { urls }) =>
    `${repoApi(urls, repository)}/tarball/${oid}`,
  zipballUrl: ({ repository, oid }, _args, { urls }) =>
    `${repoApi(urls, repository)}/zipball/${oid}`,
  message: ({ commit }) => commit.message,
  messageHeadline: ({ commit }) => commit.message.split("\n")[0],
  messageBody: ({ commit }) => commit.message.split("\n").slice(1).join("\n").trim(),
  author: ({ commit }) => ({ type: "GitActor", actor: commit.author }),
  committer: ({ commit }) => ({ type: "GitActor", actor: commit.committer }),
  authors: ({ commit }) => [{ type: "GitActor", actor: commit.author }],
  authoredDate: ({ commit }) => commit.author.date,
  committedDate: ({ commit }) => commit.committer.date,
  authoredByCommitter: ({ commit }) => commit.author.email === commit.committer.email,
  committedViaWeb: () => false,
  pushedDate: () => null,
  signature: () => null,
  onBehalfOf: () => null,
  additions: (node, _args, { store }) => total(getChanges(store, node), "additions"),
  deletions: (node, _args, { store }) => total(getChanges(store, node), "deletions"),
  changedFiles: (node, _args, { store }) => getChanges(store, node).length,
  changedFilesIfAvailable: (node, _args, { store }) => getChanges(store, node).length,
  parents: ({ repository, commit }, _args, { store }) =>
    commit.parents.map((oid) => commitNode(store, repository, oid)),
  tree: ({ repository, commit }, _args, { store }) => objectNode(store, repository, commit.tree),
  file: ({ repository, commit }, args, { store }) => {
    const path = args.string("path");
    const oid = oidAt(store, commit.tree, path);
    const mode = store.objects.tree(oid ?? "") === undefined ? "100644" : "040000";
    const name = path.split("/").at(-1) ?? "";
    return oid === undefined ? null : entryNode(repository, path, { name, mode, oid });
  },
  history: ({ repository, oid }, args, { store }) => {
    const path = args.text("path");
    const [since, until] = [args.string("since"), args.text("until") ?? "9999"];
    const whole = getHistory(store.objects, oid);
    const kept = path === undefined ? whole : touching(store.objects, whole, path);
    const wanted = args.child("author").texts("emails");
    return kept
      .filter(({ committer }) => committer.date >= since && committer.date <= until)
      .filter(({ author }) => wanted === undefined || wanted.includes(author.email))
      .map((one) => commitNode(store, repository, one.oid));
  },
  blame: ({ repository, oid }, args, { store }) => {
    const ranges = blameRanges(store.objects, oid, args.string("path"));
    return {
      ranges: ranges.map((range) => ({
        ...range,
        commit: commitNode(store, repository, range.oid),
        age: BLAME_AGE,
      })),
    };
  },
  associatedPullRequests: ({ repository, oid }, _args, { store }) =>
    getPulls(repository).filter(
      (pull) =>
        pull.mergeCommit === oid ||
        commitsBetween(store.objects, pull.baseOid, pull.headOid).some((one) => one.oid === oid),
    ),
  statusCheckRollup: ({ repository, oid }) =>
    rollupState(repository, oid) === undefined ? null : rollupNode(repository, oid),
  status: ({ repository, oid }) =>
    getStatuses(repository, oid).length === 0 ? null : { type: "Status", repository, oid },
  checkSuites: ({ repository, oid }) =>
    repository.checkSuites.filter(({ headSha }) => headSha === oid),
  comments: () => [],
  viewerCanSubscribe: () => true,
  viewerSubscription: () => "UNSUBSCRIBED",
};

interface ActorNode {
  readonly actor: GitActor;
}

const actorFields: Fields<ActorNode> = {
  name: ({ actor }) => actor.name,
  email: ({ actor }) => actor.email,
  date: ({ actor }) => actor.date,
  user: ({ actor }, _args, { store }) => getUser(store, actor) ?? null,
  avatarUrl: ({ actor }, _args, { store }) =>
    `https://avatars.githubusercontent.com/u/${getUser(store, actor)?.id ?? 0}?v=4`,
};

interface EntryNode {
  readonly type: "TreeEntry";
  readonly repository: Repository;
  readonly path: string;
  readonly entry: TreeEntry;
}

function entryNode(repository: Repository, path: string, entry: TreeEntry): EntryNode {
  return { type: "TreeEntry", repository, path, entry };
}

const entryFields: Fields<EntryNode> = {
  name: ({ entry }) => entry.name,
  nameRaw: ({ entry }) => Buffer.from(entry.name).toString("base64"),
  path: ({ path }) => path,
  pathRaw: ({ path }) => Buffer.from(path).toString("base64"),
  oid: ({ entry }) => entry.oid,
  mode: ({ entry }) => Number.parseInt(entry.mode, 8),
  type: ({ entry }) => (entry.mode === "040000" ? "tree" : "blob"),
  extension: ({ entry }) => /\.\w+$/.exec(entry.name)?.[0] ?? "",
  size: ({ entry }, _args, { store }) => store.objects.blob(entry.oid)?.length ?? 0,
  lineCount: ({ entry }, _args, { store }) =>
    store.objects.blob(entry.oid)?.toString("utf8").split("\n").length ?? null,
  isGenerated: () => false,
  language: () => null,
  submodule: () => null,
  object: ({ repository, entry }, _args, { store }) => objectNode(store, repository, entry.oid),
  repository: ({ repository }) => repository,
};

const blobFields: Fields<BlobNode> = {
  ...objectFields,
  byteSize: ({ oid }, _args, { store }) => store.objects.blob(oid)?.length ?? 0,
  isBinary: ({ oid }, _args, { store }) => store.objects.blob(oid)?.includes(0) ?? null,
  isTruncated: () => false,
  text: ({ oid }, _args, { store }) => {
    const content = store.objects.blob(oid);
    return content === undefined || content.includes(0) ? null : content.toString("utf8");
  },
};

export const gitTypes: TypeFields = {
  Commit: commitFields,
  GitActor: actorFields,
  Tree: {
    ...objectFields,
    entries: ({ repository, oid }, _args, { store }) =>
      store.objects.tree(oid)?.map((entry) => entryNode(repository, entry.name, entry)) ?? null,
  } satisfies Fields<TreeNode>,
  TreeEntry: entryFields,
  Blob: blobFields,
};
