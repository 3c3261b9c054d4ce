import type { Input } from "../input.ts";
import { StoreError } from "../store/errors.ts";
import { findIssue, findIssueOrPull, findPull, lookUpRepository } from "../store/find.ts";
import { nameWithOwner } from "../store/facts.ts";
import type { Entity, Issue, PullRequest, Repository, User } from "../store/model.ts";
import type { Store } from "../store/store.ts";
import type { Urls } from "../urls.ts";
import type { Reply } from "./reply.ts";

export interface RestCallInfo {
  readonly store: Store;
  readonly viewer: User;
  readonly scopes: readonly string[];
  readonly urls: Urls;
  readonly params: Readonly<Record<string, string>>;
  readonly url: URL;
  readonly accept: string;
  readonly contentType: string;
  readonly body: Input;
  readonly rawBody: Buffer;
}

export type Handler = (call: RestCall) => Reply;

/**
 * Handlers by method and path, such as "GET /repos/{owner}/{repo}". The templates are those of
 * GitHub's description.
 */
export type Routes = Readonly<Record<string, Handler>>;

/** Thrown if the repository was renamed. */
export class Moved extends Error {
  readonly repository: Repository;

  constructor(repository: Repository) {
    super("Moved Permanently");
    this.repository = repository;
  }
}

function notFoundError(): StoreError {
  return new StoreError("NOT_FOUND", "Not Found");
}

/** One REST request, with helpers for its handler. */
export class RestCall {
  readonly store: Store;
  readonly viewer: User;
  readonly scopes: readonly string[];
  readonly urls: Urls;
  readonly url: URL;
  readonly accept: string;
  readonly contentType: string;
  readonly body: Input;
  readonly rawBody: Buffer;
  readonly #params: Readonly<Record<string, string>>;

  constructor(facts: RestCallInfo) {
    this.store = facts.store;
    this.viewer = facts.viewer;
    this.scopes = facts.scopes;
    this.urls = facts.urls;
    this.url = facts.url;
    this.accept = facts.accept;
    this.contentType = facts.contentType;
    this.body = facts.body;
    this.rawBody = facts.rawBody;
    this.#params = facts.params;
  }

  param(name: string): string {
    return this.#params[name] ?? "";
  }

  /** A number in the path. Anything else is "not found". */
  id(name: string): number {
    const text = this.param(name);
    if (!/^\d{1,15}$/.test(text)) throw notFoundError();
    return Number(text);
  }

  query(name: string): string | undefined {
    return this.url.searchParams.get(name) ?? undefined;
  }

  get repository(): Repository {
    const { store, viewer } = this;
    const [owner, name] = [this.param("owner"), this.param("repo")];
    const found = lookUpRepository(store, owner, name, viewer);
    if (found === undefined) throw notFoundError();
    if (found.isPrivate && !this.scopes.includes("repo")) throw notFoundError();
    if (nameWithOwner(found).toLowerCase() !== `${owner}/${name}`.toLowerCase())
      throw new Moved(found);
    return found;
  }

  get subject(): Issue | PullRequest {
    return findIssueOrPull(this.repository, this.id("issue_number"));
  }

  get issue(): Issue {
    return findIssue(this.repository, this.id("issue_number"));
  }

  get pull(): PullRequest {
    return findPull(this.repository, this.id("pull_number"));
  }

  /** Finds an item of a list by a number in the path. */
  pick<E extends Entity>(list: Iterable<E>, name: string): E {
    const id = this.id(name);
    for (const entity of list) if (entity.id === id) return entity;
    throw notFoundError();
  }
}
