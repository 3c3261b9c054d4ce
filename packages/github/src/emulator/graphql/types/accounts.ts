import type {
  Account,
  Gist,
  IssueType,
  Organization,
  Repository,
  User,
} from "../../store/model.ts";
import type { Input } from "../../input.ts";
import { lookUpRepository, findProject } from "../../store/find.ts";
import { canSeeProject } from "../../store/mutations/projects.ts";
import { visible } from "../../store/search.ts";
import { accountHtml, avatarAddress } from "../../urls.ts";
import type { Context, Fields, TypeFields } from "../context.ts";
import { notFound } from "../../store/errors.ts";
import { ordered } from "../order.ts";
import { filterIssues, filterPulls } from "../filters.ts";
import { needScope } from "../scopes.ts";
import { entityFields } from "./common.ts";

const REPOSITORY_KEYS = {
  CREATED_AT: ({ createdAt }: Repository) => createdAt,
  UPDATED_AT: ({ updatedAt }: Repository) => updatedAt,
  PUSHED_AT: ({ pushedAt }: Repository) => pushedAt ?? "",
  NAME: ({ name }: Repository) => name.toLowerCase(),
  STARGAZERS: ({ stargazers }: Repository) => stargazers.length,
};

export function listRepositories(all: readonly Repository[], args: Input): Repository[] {
  const [privacy, isFork, isArchived] = [
    args.text("privacy"),
    args.flag("isFork"),
    args.flag("isArchived"),
  ];
  const kept = all.filter(
    (one) =>
      (privacy === undefined || one.isPrivate === (privacy === "PRIVATE")) &&
      (isFork === undefined || (one.parent !== null) === isFork) &&
      (isArchived === undefined || one.isArchived === isArchived),
  );
  return ordered(kept, args, REPOSITORY_KEYS);
}

function getRepositories(account: Account, args: Input, { store, viewer }: Context): Repository[] {
  const affiliations = args.texts("ownerAffiliations") ?? ["OWNER", "COLLABORATOR"];
  const all = visible(store, viewer).filter((one) => {
    if (one.owner === account) return affiliations.includes("OWNER");
    const isMember = account.type === "User" && one.collaborators.has(account);
    return isMember && affiliations.includes("COLLABORATOR");
  });
  return listRepositories(all, args);
}

function getProjects(owner: Account, { store, viewer, scopes }: Context) {
  needScope(scopes, "projectsV2", "read:project");
  return store.projects.filter((one) => one.owner === owner && canSeeProject(viewer, one));
}

function getProject(owner: Account, number: number, { store, viewer, scopes }: Context) {
  needScope(scopes, "projectV2", "read:project");
  const project = findProject(store, owner, number);
  if (canSeeProject(viewer, project)) return project;
  throw notFound(`a ProjectV2 with the number ${number}`);
}

const accountFields: Fields<Account> = {
  ...entityFields,
  login: ({ login }) => login,
  name: ({ name }) => name,
  avatarUrl: (account) => avatarAddress(account),
  url: (account, _args, { urls }) => accountHtml(urls, account),
  resourcePath: ({ login }) => `/${login}`,
  repositories: getRepositories,
  repository: ({ login }, args, { store, viewer }) =>
    lookUpRepository(store, login, args.string("name"), viewer) ?? null,
  projectV2: (owner, args, context) => getProject(owner, args.integer("number"), context),
  projectsV2: (owner, _args, context) => getProjects(owner, context),
  // Always empty, because GitHub has removed classic projects.
  projects: () => [],
  viewerCanCreateProjects: (owner, _args, { viewer }) =>
    owner === viewer || (owner.type === "Organization" && owner.members.includes(viewer)),
  websiteUrl: (account) => (account.type === "User" ? account.websiteUrl : null),
  location: (account) => (account.type === "User" ? account.location : null),
  email: (account) => (account.type === "User" ? account.email : null),
  twitterUsername: () => null,
};

const userFields: Fields<User> = {
  ...accountFields,
  bio: ({ bio }) => bio,
  company: ({ company }) => company,
  isViewer: (user, _args, { viewer }) => user === viewer,
  isSiteAdmin: () => false,
  isEmployee: () => false,
  isHireable: () => false,
  pronouns: () => null,
  status: () => null,
  followers: () => [],
  following: () => [],
  viewerCanFollow: (user, _args, { viewer }) => user !== viewer,
  viewerIsFollowing: () => false,
  isFollowingViewer: () => false,
  organizations: (user, _args, { store }) =>
    store.organizations.filter(({ members }) => members.includes(user)),
  organization: (user, args, { store }) =>
    store.organizations.find(
      ({ login, members }) => login === args.text("login") && members.includes(user),
    ) ?? null,
  gists: (user, args, { store, viewer }) => {
    const privacy = args.text("privacy") ?? "PUBLIC";
    const own = store.gists.filter(
      ({ owner, isPublic }) => owner === user && (isPublic || user === viewer),
    );
    const kept =
      privacy === "ALL" ? own : own.filter(({ isPublic }) => isPublic === (privacy === "PUBLIC"));
    return ordered(kept, args, {
      CREATED_AT: (one) => one.id,
      UPDATED_AT: (one) => one.updatedAt,
      PUSHED_AT: (one) => one.updatedAt,
    });
  },
  gist: (user, args, { store }) =>
    store.gists.find(({ owner, name }) => owner === user && name === args.text("name")) ?? null,
  starredRepositories: (user, _args, { store, viewer }) =>
    visible(store, viewer).filter(({ stargazers }) => stargazers.includes(user)),
  issues: (user, args, context) =>
    filterIssues(
      allSubjects(context).filter((one) => one.type === "Issue" && one.author === user),
      args,
    ),
  pullRequests: (user, args, context) =>
    filterPulls(
      allSubjects(context).filter((one) => one.type === "PullRequest" && one.author === user),
      args,
    ),
};

function allSubjects({ store, viewer }: Context) {
  return visible(store, viewer).flatMap(({ issues }) => [...issues.values()]);
}

const organizationFields: Fields<Organization> = {
  ...accountFields,
  description: ({ description }) => description,
  isVerified: () => false,
  archivedAt: () => null,
  membersWithRole: ({ members }) => members,
  viewerIsAMember: ({ members }, _args, { viewer }) => members.includes(viewer),
  viewerCanAdminister: ({ members }, _args, { viewer }) => members[0] === viewer,
  viewerCanCreateRepositories: ({ members }, _args, { viewer }) => members.includes(viewer),
  viewerCanCreateTeams: ({ members }, _args, { viewer }) => members.includes(viewer),
  teams: () => [],
  team: () => null,
  issueTypes: ({ issueTypes }) => issueTypes,
};

const issueTypeFields: Fields<IssueType> = {
  ...entityFields,
  name: ({ name }) => name,
  description: ({ description }) => description,
  color: ({ color }) => color,
  isEnabled: ({ isEnabled }) => isEnabled,
};

const gistFields: Fields<Gist> = {
  ...entityFields,
  name: ({ name }) => name,
  description: ({ description }) => description,
  isPublic: ({ isPublic }) => isPublic,
  isFork: () => false,
  owner: ({ owner }) => owner,
  pushedAt: ({ updatedAt }) => updatedAt,
  url: ({ owner, name }, _args, { urls }) =>
    `${urls.html.replace("//", "//gist.")}/${owner.login}/${name}`,
  resourcePath: ({ name }) => `/${name}`,
  stargazerCount: () => 0,
  viewerHasStarred: () => false,
  comments: () => [],
  files: ({ files }, args) =>
    [...files].slice(0, args.number("limit") ?? 10).map(([name, text]) => ({
      name,
      text,
      size: Buffer.byteLength(text),
      extension: /\.\w+$/.exec(name)?.[0] ?? "",
      encodedName: encodeURIComponent(name),
      encoding: "UTF-8",
      isImage: false,
      isTruncated: false,
      language: null,
    })),
};

export const accountTypes: TypeFields = {
  User: userFields,
  Bot: userFields,
  Organization: organizationFields,
  IssueType: issueTypeFields,
  Gist: gistFields,
};
