import { can, findPermission } from "../../store/access.ts";
import { HEADS } from "../../store/commits.ts";
import { notFound } from "../../store/errors.ts";
import { latestRelease, nameWithOwner, sizeInKilobytes } from "../../store/facts.ts";
import { findIssue, findIssueOrPull, findPull, lookUpLabel } from "../../store/find.ts";
import type { Discussion, Label, Milestone, Release, Repository, User } from "../../store/model.ts";
import { canSeeProject } from "../../store/mutations/projects.ts";
import { visible } from "../../store/search.ts";
import { repoHtml } from "../../urls.ts";
import { paged } from "../connection.ts";
import type { Context, Fields, TypeFields } from "../context.ts";
import { filterIssues, filterPulls } from "../filters.ts";
import { ordered } from "../order.ts";
import { listRepositories } from "./accounts.ts";
import { entityFields } from "./common.ts";
import { branchNode, objectAt, objectNode, refNode } from "./git-nodes.ts";
import { selectIssues, getPulls } from "./lists.ts";

const settingFields: Fields<Repository> = {
  hasIssuesEnabled: ({ settings }) => settings.hasIssues,
  hasWikiEnabled: ({ settings }) => settings.hasWiki,
  hasProjectsEnabled: ({ settings }) => settings.hasProjects,
  hasDiscussionsEnabled: ({ settings }) => settings.hasDiscussions,
  hasSponsorshipsEnabled: () => false,
  hasVulnerabilityAlertsEnabled: () => false,
  mergeCommitAllowed: ({ settings }) => settings.mergeCommitAllowed,
  squashMergeAllowed: ({ settings }) => settings.squashMergeAllowed,
  rebaseMergeAllowed: ({ settings }) => settings.rebaseMergeAllowed,
  autoMergeAllowed: ({ settings }) => settings.autoMergeAllowed,
  deleteBranchOnMerge: ({ settings }) => settings.deleteBranchOnMerge,
  allowUpdateBranch: () => false,
  forkingAllowed: () => true,
  webCommitSignoffRequired: () => false,
  isBlankIssuesEnabled: () => true,
  isSecurityPolicyEnabled: () => false,
  mergeCommitMessage: () => "PR_TITLE",
  mergeCommitTitle: () => "MERGE_MESSAGE",
  squashMergeCommitMessage: () => "COMMIT_MESSAGES",
  squashMergeCommitTitle: () => "COMMIT_OR_PR_TITLE",
  squashPrTitleUsedAsDefault: () => false,
};

const factFields: Fields<Repository> = {
  ...entityFields,
  name: ({ name }) => name,
  nameWithOwner: (one) => nameWithOwner(one),
  owner: ({ owner }) => owner,
  description: ({ description }) => description,
  homepageUrl: ({ homepage }) => homepage,
  url: (one, _args, { urls }) => repoHtml(urls, one),
  resourcePath: (one) => `/${nameWithOwner(one)}`,
  sshUrl: (one) => `git@github.com:${nameWithOwner(one)}.git`,
  projectsUrl: (one, _args, { urls }) => `${repoHtml(urls, one)}/projects`,
  projectsResourcePath: (one) => `/${nameWithOwner(one)}/projects`,
  openGraphImageUrl: (one) => `https://opengraph.githubassets.com/1/${nameWithOwner(one)}`,
  usesCustomOpenGraphImage: () => false,
  mirrorUrl: () => null,
  isPrivate: ({ isPrivate }) => isPrivate,
  visibility: ({ isPrivate }) => (isPrivate ? "PRIVATE" : "PUBLIC"),
  isArchived: ({ isArchived }) => isArchived,
  archivedAt: ({ isArchived, updatedAt }) => (isArchived ? updatedAt : null),
  isFork: ({ parent }) => parent !== null,
  isTemplate: ({ isTemplate }) => isTemplate,
  isEmpty: ({ refs }) => refs.size === 0,
  isDisabled: () => false,
  isLocked: () => false,
  lockReason: () => null,
  isMirror: () => false,
  isInOrganization: ({ owner }) => owner.type === "Organization",
  isUserConfigurationRepository: ({ owner, name }) => owner.login === name,
  parent: ({ parent }, _args, { viewer }) =>
    parent !== null && can(viewer, parent, "READ") ? parent : null,
  templateRepository: () => null,
  pushedAt: ({ pushedAt }) => pushedAt,
  diskUsage: (one, _args, { store }) => sizeInKilobytes(store, one),
  stargazerCount: ({ stargazers }) => stargazers.length,
  forkCount: (one, _args, { store }) =>
    store.repositories.filter(({ parent }) => parent === one).length,
  primaryLanguage: ({ language }) => languageNode(language),
  licenseInfo: ({ license }) =>
    license && { type: "License", nodeId: `MDc6TGljZW5zZ${license.key}`, ...license },
  codeOfConduct: () => null,
  contributingGuidelines: () => null,
  contactLinks: () => [],
  fundingLinks: () => [],
  issueTemplates: () => [],
  pullRequestTemplates: () => [],
  securityPolicyUrl: () => null,
  mergeQueue: () => null,
};

function languageNode(name: string | null): Record<string, unknown> | null {
  return name === null
    ? null
    : { type: "Language", id: `MDg6TGFuZ3VhZ2U${name}`, name, color: "#3178c6" };
}

const viewerFields: Fields<Repository> = {
  viewerPermission: (one, _args, { viewer }) => findPermission(viewer, one) ?? null,
  viewerCanAdminister: (one, _args, { viewer }) => can(viewer, one, "ADMIN"),
  viewerCanCreateProjects: (one, _args, { viewer }) => can(viewer, one, "WRITE"),
  viewerCanUpdateTopics: (one, _args, { viewer }) => can(viewer, one, "MAINTAIN"),
  viewerCanSubscribe: () => true,
  viewerHasStarred: ({ stargazers }, _args, { viewer }) => stargazers.includes(viewer),
  viewerSubscription: ({ watchers }, _args, { viewer }) =>
    watchers.includes(viewer) ? "SUBSCRIBED" : "UNSUBSCRIBED",
  viewerDefaultMergeMethod: () => "MERGE",
  viewerDefaultCommitEmail: (_one, _args, { viewer }) => viewer.email,
  viewerPossibleCommitEmails: (_one, _args, { viewer }) => [viewer.email],
};

function people(repository: Repository, query: string | undefined, { store }: Context): User[] {
  const all = store.users.filter(
    (one) => repository.collaborators.has(one) || repository.owner === one,
  );
  return all.filter(({ login }) => query === undefined || login.includes(query));
}

const gitFields: Fields<Repository> = {
  defaultBranchRef: (one) => branchNode(one, one.defaultBranch),
  ref: (one, args) => {
    const name = args.string("qualifiedName");
    return (
      [name, `${HEADS}${name}`, `refs/tags/${name}`, `refs/${name}`]
        .map((full) => refNode(one, full))
        .find(Boolean) ?? null
    );
  },
  refs: (one, args) => {
    const prefix = args.string("refPrefix");
    const query = args.string("query");
    const names = [...one.refs.keys()].filter(
      (name) => name.startsWith(prefix) && name.slice(prefix.length).includes(query),
    );
    const sorted = names.toSorted();
    const isDown =
      args.child("orderBy").text("direction") === "DESC" || args.text("direction") === "DESC";
    return (isDown ? sorted.toReversed() : sorted).map((name) => refNode(one, name));
  },
  object: (one, args, { store }) => {
    const [expression, oid] = [args.text("expression"), args.text("oid")];
    if (oid !== undefined) return objectNode(store, one, oid);
    return expression === undefined ? null : objectAt(store, one, expression);
  },
  branchProtectionRules: (one) =>
    [...one.protections].map(([pattern, rules]) => ({
      type: "BranchProtectionRule",
      repository: one,
      pattern,
      rules,
    })),
  languages: ({ language }, _args) => {
    const node = languageNode(language);
    return paged(node === null ? [] : [node], { totalSize: 1 }, () => ({ size: 1 }));
  },
  repositoryTopics: (one, _args, { urls }) =>
    one.topics.map((name) => ({
      id: `RT_${name}`,
      topic: { id: `T_${name}`, name },
      url: `${urls.html}/topics/${name}`,
      resourcePath: `/topics/${name}`,
    })),
};

const listFields: Fields<Repository> = {
  issue: (one, args) => findIssue(one, args.integer("number")),
  issues: (one, args) => filterIssues(selectIssues(one), args),
  issueOrPullRequest: (one, args) => findIssueOrPull(one, args.integer("number")),
  pullRequest: (one, args) => findPull(one, args.integer("number")),
  pullRequests: (one, args) => filterPulls(getPulls(one), args),
  pinnedIssues: ({ pinnedIssues, owner }) =>
    pinnedIssues.map((issue) => ({
      id: `PI_${issue.nodeId}`,
      issue,
      repository: issue.repository,
      pinnedBy: owner,
    })),
  label: (one, args) => lookUpLabel(one, args.string("name")) ?? null,
  labels: ({ labels }, args) => {
    const query = args.text("query")?.toLowerCase() ?? "";
    const kept = labels.filter((one) =>
      `${one.name} ${one.description ?? ""}`.toLowerCase().includes(query),
    );
    return ordered(kept, args, {
      NAME: (one: Label) => one.name.toLowerCase(),
      CREATED_AT: (one: Label) => one.id,
      ISSUE_COUNT: (one: Label) =>
        selectIssues(one.repository).filter((issue) => issue.labels.includes(one)).length,
    });
  },
  milestone: ({ milestones }, args) =>
    milestones.find((one) => one.number === args.number("number")) ?? null,
  milestones: ({ milestones }, args) => {
    const states = args.choices("states");
    const query = args.string("query").toLowerCase();
    const kept = milestones.filter(
      ({ state, title }) =>
        (states === undefined || states.includes(state)) && title.toLowerCase().includes(query),
    );
    return ordered(kept, args, {
      DUE_DATE: ({ dueOn }: Milestone) => dueOn ?? "9999",
      NUMBER: ({ number }: Milestone) => number,
      CREATED_AT: ({ createdAt }: Milestone) => createdAt,
      UPDATED_AT: ({ updatedAt }: Milestone) => updatedAt,
    });
  },
  issueTypes: ({ owner }) => (owner.type === "Organization" ? owner.issueTypes : []),
  issueType: ({ owner }, args) =>
    (owner.type === "Organization" &&
      owner.issueTypes.find(({ name }) => name === args.text("name"))) ||
    null,
  release: ({ releases }, args) =>
    releases.find(({ tagName }) => tagName === args.text("tagName")) ?? null,
  latestRelease: (one) => latestRelease(one) ?? null,
  releases: (one, args, { viewer }) => {
    const seesDrafts = can(viewer, one, "WRITE");
    const kept = one.releases.filter(({ isDraft }) => !isDraft || seesDrafts);
    const keys = { CREATED_AT: ({ id }: Release) => id, NAME: ({ name }: Release) => name ?? "" };
    return args.has("orderBy") ? ordered(kept, args, keys) : kept;
  },
  discussion: ({ discussions }, args) => {
    const found = discussions.get(args.integer("number"));
    if (found === undefined)
      throw notFound(`a Discussion with the number of ${args.integer("number")}`);
    return found;
  },
  discussions: ({ discussions }, args) => {
    const category = args.text("categoryId");
    const [answered, states] = [args.flag("answered"), args.choices("states")];
    const kept = [...discussions.values()].filter(
      (one) =>
        (category === undefined || one.category.nodeId === category) &&
        (answered === undefined || (one.answer !== null) === answered) &&
        (states === undefined || states.includes(one.closedAt === null ? "OPEN" : "CLOSED")),
    );
    return ordered(kept, args, {
      CREATED_AT: ({ createdAt }: Discussion) => createdAt,
      UPDATED_AT: ({ updatedAt }: Discussion) => updatedAt,
    });
  },
  discussionCategories: ({ discussionCategories }) => discussionCategories,
  discussionCategory: ({ discussionCategories }, args) =>
    discussionCategories.find(({ slug }) => slug === args.text("slug")) ?? null,
  projectsV2: (one, _args, { store, viewer }) =>
    store.projects.filter(
      (project) => project.owner === one.owner && canSeeProject(viewer, project),
    ),
  // Always empty, because GitHub has removed classic projects.
  projects: () => [],
  packages: () => [],
  deployments: () => [],
  environments: () => [],
  submodules: () => [],
  commitComments: () => [],
  vulnerabilityAlerts: () => [],
  rulesets: () => [],
  forks: (one, args, { store, viewer }) =>
    listRepositories(
      visible(store, viewer).filter(({ parent }) => parent === one),
      args,
    ),
  stargazers: ({ stargazers }) => stargazers,
  watchers: ({ watchers }) => watchers,
  suggestedActors: (one, args, context) => {
    const all = [...context.store.bots, ...people(one, args.text("query"), context)];
    const logins = args.text("loginNames")?.toLowerCase().split(",");
    return all.filter(({ login }) => logins?.includes(login.toLowerCase()) ?? true);
  },
  assignableUsers: (one, args, context) => people(one, args.text("query"), context),
  mentionableUsers: (one, args, context) => people(one, args.text("query"), context),
  collaborators: (one, _args, { viewer }) =>
    can(viewer, one, "WRITE")
      ? paged([...one.collaborators.keys()], {}, (user) => ({
          permission: one.collaborators.get(user),
        }))
      : null,
};

export const repositoryTypes: TypeFields = {
  Repository: { ...factFields, ...settingFields, ...viewerFields, ...gitFields, ...listFields },
};
