import { getHistory } from "../git/index.ts";
import type { GitActor, GitCommit } from "../git/index.ts";
import { invalid, notFound } from "./errors.ts";
import type { Repository, User } from "./model.ts";
import type { Store } from "./store.ts";

export const HEADS = "refs/heads/";
export const TAGS = "refs/tags/";

export function branchOid({ refs }: Repository, branch: string): string | undefined {
  return refs.get(`${HEADS}${branch}`);
}

/** The commit of a branch, tag, full ref name, HEAD, or full or short id. */
export function resolveCommit(
  store: Store,
  repository: Repository,
  name: string,
): GitCommit | undefined {
  const { refs, defaultBranch } = repository;
  const wanted = name === "HEAD" || name === "" ? defaultBranch : name;
  const oid =
    refs.get(`${HEADS}${wanted}`) ??
    refs.get(`${TAGS}${wanted}`) ??
    refs.get(wanted) ??
    refs.get(`refs/${wanted}`);
  if (oid !== undefined) return store.objects.commit(oid);
  if (!/^[0-9a-f]{4,40}$/.test(wanted)) return undefined;
  const [first, second] = store.objects.commitsLike(wanted);
  return second === undefined ? first : undefined;
}

export function findCommit(store: Store, repository: Repository, name: string): GitCommit {
  const commit = resolveCommit(store, repository, name);
  if (commit === undefined) throw notFound(`a commit with the name '${name}'`);
  return commit;
}

/** The user with the email address of a commit. */
export function getUser(store: Store, { email }: GitActor): User | undefined {
  return store.users.find((user) => user.email === email);
}

export function getActor(store: Store, { name, login, email }: User): GitActor {
  return { name: name ?? login, email, date: store.now() };
}

export interface FileEdits {
  /** The new content of files, by path. */
  readonly additions: ReadonlyMap<string, Buffer>;
  readonly deletions: readonly string[];
}

/** A path segment that git does not store, such as `..`. */
const MALFORMED = /^(?:|\.|\.\.|\.git)$/iu;

function assertFilePath(path: string, files: ReadonlyMap<string, unknown>): void {
  const parts = path.split("/");
  const refuse = (message: string): never => {
    throw invalid({ resource: "Commit", field: "path", code: "invalid", value: path }, message);
  };
  if (parts.some((part) => MALFORMED.test(part)))
    refuse("path contains a malformed path component");
  const folders = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
  if (folders.some((folder) => files.has(folder))) {
    const next = "Choose a new path and try again.";
    refuse(`A file exists where you’re trying to create a subdirectory. ${next}`);
  }
  if (!files.has(path) && [...files.keys()].some((each) => each.startsWith(`${path}/`)))
    refuse("path is a directory");
}

/** Creates a commit with changed files. Does not move a branch. */
export function commitFiles(
  store: Store,
  author: User,
  parent: string | null,
  message: string,
  edits: FileEdits,
): GitCommit {
  const files = new Map(parent === null ? [] : store.objects.filesAt(parent));
  for (const path of edits.deletions) {
    if (!files.delete(path)) {
      throw invalid(
        { resource: "Commit", field: "path", code: "missing", value: path },
        `A path was requested for deletion which does not exist as of commit oid \`${parent ?? ""}\`: ${path}`,
      );
    }
  }
  for (const [path, content] of edits.additions) {
    assertFilePath(path, files);
    files.set(path, store.objects.writeBlob(content));
  }
  const actor = getActor(store, author);
  return store.objects.writeCommit({
    tree: store.objects.writeTree(files),
    parents: parent === null ? [] : [parent],
    message,
    author: actor,
    committer: actor,
  });
}

export function historyAt(store: Store, repository: Repository, name: string): GitCommit[] {
  return getHistory(store.objects, findCommit(store, repository, name).oid);
}
