import { StoreError, notFound } from "../../store/errors.ts";
import {
  findAccount,
  findIssueOrPull,
  findRepository,
  findUser,
  lookUpRepository,
} from "../../store/find.ts";
import { parseGitNodeId } from "../../store/ids.ts";
import type { Entity, Repository } from "../../store/model.ts";
import { can } from "../../store/access.ts";
import { canSeeProject } from "../../store/mutations/projects.ts";
import { searchAccounts, searchIssues, searchRepositories, visible } from "../../store/search.ts";
import { parseSearch } from "../../store/search-query.ts";
import type { Input } from "../../input.ts";
import { isInputObject } from "../../input.ts";
import { paged } from "../connection.ts";
import type { Paged } from "../connection.ts";
import type { Context, Fields, TypeFields } from "../context.ts";
import { QueryError } from "../failure.ts";
import { objectNode, refNode } from "./git-nodes.ts";
import { pullCommitNode } from "./pull-commits.ts";

const MAX_IDS = 100;

function seen(repository: Repository, { viewer, scopes }: Context): boolean {
  return can(viewer, repository, "READ") && (!repository.isPrivate || scopes.includes("repo"));
}

function repositoryByName(_root: unknown, args: Input, context: Context): Repository {
  const [owner, name] = [args.string("owner"), args.string("name")];
  const found = lookUpRepository(context.store, owner, name, context.viewer);
  if (found !== undefined && seen(found, context)) return found;
  throw notFound(`a Repository with the name '${owner}/${name}'`);
}

/** The repository of an entity, to check that the viewer may see it. */
function repositoryForNode(entity: Entity): Repository | undefined {
  if (entity.type === "Repository") return entity as Repository;
  const near = [
    "repository",
    "subject",
    "pullRequest",
    "thread",
    "release",
    "suite",
    "run",
    "discussion",
  ];
  for (const name of near) {
    const next: unknown = Reflect.get(entity, name);
    if (isInputObject(next) && typeof next["type"] === "string")
      return repositoryForNode(next as unknown as Entity);
  }
  return undefined;
}

export function findNode(id: string, context: Context): unknown {
  const entity = context.store.node(id);
  const found = entity ?? gitNode(id, context);
  const place = entity === undefined ? undefined : repositoryForNode(entity);
  const project =
    entity?.type === "ProjectV2" ? context.store.projects.find((one) => one === entity) : undefined;
  const isHidden =
    (place !== undefined && !seen(place, context)) ||
    (project !== undefined && !canSeeProject(context.viewer, project));
  if (found !== undefined && found !== null && !isHidden) return found;
  throw notFound(`a node with the global id of '${id}'`);
}

function gitNode(id: string, context: Context): unknown {
  const parsed = parseGitNodeId(id);
  const owner = parsed && context.store.node(parsed.owner);
  if (parsed === undefined || owner === undefined) return undefined;
  const { store } = context;
  const pull = store.repositories
    .flatMap(({ issues }) => [...issues.values()])
    .find((one) => one === owner);
  if (pull?.type === "PullRequest") return pullCommitNode(store, pull, parsed.name);
  const place = store.repositories.find((one) => one === owner);
  if (place === undefined || !seen(place, context)) return undefined;
  return parsed.kind === "Ref"
    ? refNode(place, parsed.name)
    : objectNode(store, place, parsed.name);
}

/** The object that a page's URL shows. URLs of other hosts return nothing. */
export function findResource(address: string, context: Context): unknown {
  const [, host, owner, name, folder, number] =
    /^https?:\/\/([^/]+)\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+)\/(\d+))?/.exec(address) ?? [];
  if (owner === undefined || host !== new URL(context.urls.html).host) return null;
  if (name === undefined) return findAccount(context.store, owner) ?? null;
  const place = findRepository(context.store, owner, name, context.viewer);
  if (folder === undefined || number === undefined) return place;
  if (folder === "discussions") return place.discussions.get(Number(number)) ?? null;
  return findIssueOrPull(place, Number(number));
}

const NO_COUNTS = {
  issueCount: 0,
  repositoryCount: 0,
  userCount: 0,
  discussionCount: 0,
  codeCount: 0,
  wikiCount: 0,
};

function search(_root: unknown, args: Input, { store, viewer }: Context): Paged {
  const text = args.string("query");
  const type = args.text("type");
  if (type === "REPOSITORY") {
    const found = searchRepositories(store, viewer, text);
    return paged(found, { ...NO_COUNTS, repositoryCount: found.length });
  }
  if (type === "USER") {
    const found = searchAccounts(store, text);
    return paged(found, { ...NO_COUNTS, userCount: found.length });
  }
  if (type === "DISCUSSION") {
    const { words } = parseSearch(text);
    const all = visible(store, viewer).flatMap(({ discussions }) => [...discussions.values()]);
    const found = all.filter(({ title, body }) =>
      words.every((word) => `${title}\n${body}`.toLowerCase().includes(word)),
    );
    return paged(found, { ...NO_COUNTS, discussionCount: found.length });
  }
  const found = searchIssues(store, viewer, text);
  return paged(found, { ...NO_COUNTS, issueCount: found.length });
}

const queryFields: Fields<unknown> = {
  viewer: (_root, _args, { viewer }) => viewer,
  user: (_root, args, { store }) => findUser(store, args.string("login")),
  organization: (_root, args, { store }) => {
    const login = args.string("login");
    const found = findAccount(store, login);
    if (found?.type === "Organization") return found;
    throw notFound(`an Organization with the login of '${login}'`);
  },
  repositoryOwner: (_root, args, { store }) => findAccount(store, args.string("login")) ?? null,
  repository: repositoryByName,
  node: (_root, args, context) => findNode(args.string("id"), context),
  nodes: (_root, args, context) => {
    const ids = args.texts("ids") ?? [];
    if (ids.length > MAX_IDS) {
      const message = `You may not provide more than ${MAX_IDS} node ids; you provided ${ids.length}.`;
      throw new QueryError("ARGUMENT_LIMIT", message);
    }
    return ids.map((id) => {
      try {
        return findNode(id, context);
      } catch (error) {
        return error instanceof StoreError ? error : Promise.reject(error);
      }
    });
  },
  resource: (_root, args, context) => findResource(args.string("url"), context),
  search,
  rateLimit: (_root, _args, { rate }) => ({
    cost: 1,
    nodeCount: 0,
    limit: rate.limit,
    remaining: rate.remaining,
    used: rate.used,
    resetAt: new Date(rate.reset * 1000).toISOString(),
  }),
  relay: () => ({}),
};

export const queryTypes: TypeFields = { Query: queryFields };
