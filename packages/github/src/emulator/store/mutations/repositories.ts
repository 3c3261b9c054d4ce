import { need } from "../access.ts";
import { HEADS, commitFiles } from "../commits.ts";
import { forbidden, invalid } from "../errors.ts";
import { nameWithOwner } from "../facts.ts";
import { findAccount } from "../find.ts";
import type { Account, Label, Repository, RepositorySettings, User } from "../model.ts";
import type { Store } from "../store.ts";
import { drop } from "./conversations.ts";

export interface NewRepository {
  readonly name: string;
  readonly owner?: Account;
  readonly description?: string | null;
  readonly homepage?: string | null;
  readonly isPrivate?: boolean;
  readonly isTemplate?: boolean;
  readonly hasReadme?: boolean;
  readonly settings?: Partial<RepositorySettings>;
}

const DEFAULT_SETTINGS: RepositorySettings = {
  hasIssues: true,
  hasWiki: true,
  hasProjects: true,
  hasDiscussions: false,
  mergeCommitAllowed: true,
  squashMergeAllowed: true,
  rebaseMergeAllowed: true,
  autoMergeAllowed: false,
  deleteBranchOnMerge: false,
};

/** The labels of every new repository. */
const DEFAULT_LABELS: readonly (readonly [name: string, color: string, description: string])[] = [
  ["bug", "d73a4a", "Something isn't working"],
  ["documentation", "0075ca", "Improvements or additions to documentation"],
  ["duplicate", "cfd3d7", "This issue or pull request already exists"],
  ["enhancement", "a2eeef", "New feature or request"],
  ["good first issue", "7057ff", "Good for newcomers"],
  ["help wanted", "008672", "Extra attention is needed"],
  ["invalid", "e4e669", "This doesn't seem right"],
  ["question", "d876e3", "Further information is requested"],
  ["wontfix", "ffffff", "This will not be worked on"],
];

export function createRepository(store: Store, actor: User, input: NewRepository): Repository {
  const owner = input.owner ?? actor;
  if (owner.type === "Organization" ? !owner.members.includes(actor) : owner !== actor) {
    throw forbidden(`You do not have permission to create repositories for ${owner.login}.`);
  }
  const repository = addRepository(store, owner, input, null);
  repository.collaborators.set(actor, "ADMIN");
  if (input.hasReadme === true) writeReadme(store, actor, repository);
  store.count("createRepository");
  return repository;
}

const MAX_NAME = 100;

/** GitHub accepts any name, and replaces the characters that are not allowed. */
function cleanName(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, "-");
}

function checkName(store: Store, owner: Account, name: string): void {
  if (name.length > MAX_NAME || /^\.{0,2}$/.test(name)) {
    throw invalid(
      { resource: "Repository", field: "name", code: "custom", message: "name is invalid" },
      "Repository creation failed.",
    );
  }
  const full = `${owner.login}/${name}`.toLowerCase();
  if (store.repositories.some((one) => nameWithOwner(one).toLowerCase() === full)) {
    const message = "name already exists on this account";
    throw invalid(
      { resource: "Repository", field: "name", code: "custom", message },
      "Repository creation failed.",
    );
  }
}

function addRepository(
  store: Store,
  owner: Account,
  input: NewRepository,
  parent: Repository | null,
): Repository {
  const name = cleanName(input.name);
  checkName(store, owner, name);
  const repository = store.create<Repository>("Repository", {
    owner,
    parent,
    name,
    description: input.description ?? null,
    homepage: input.homepage ?? null,
    isPrivate: input.isPrivate ?? false,
    isArchived: false,
    isTemplate: input.isTemplate ?? false,
    topics: [],
    language: parent?.language ?? null,
    license: parent?.license ?? null,
    defaultBranch: parent?.defaultBranch ?? "main",
    pushedAt: parent?.pushedAt ?? null,
    settings: {
      ...DEFAULT_SETTINGS,
      hasIssues: parent === null,
      ...input.settings,
    },
    collaborators: new Map(),
    stargazers: [],
    watchers: [],
    refs: new Map(parent?.refs),
    protections: new Map(),
    labels: [],
    milestones: [],
    issues: new Map(),
    transferred: new Map(),
    nextNumber: 1,
    pinnedIssues: [],
    releases: [],
    workflows: [],
    runs: [],
    checkSuites: [],
    statuses: [],
    discussionCategories: [],
    discussions: new Map(),
    secrets: new Map(),
    variables: new Map(),
    secretKey: undefined,
  });
  store.repositories.push(repository);
  for (const [label, color, text] of DEFAULT_LABELS) {
    const facts = { repository, name: label, color, description: text, isDefault: true };
    repository.labels.push(store.create<Label>("Label", facts));
  }
  return repository;
}

function writeReadme(store: Store, actor: User, repository: Repository): void {
  const text = `# ${repository.name}\n${repository.description ?? ""}\n`;
  const additions = new Map([["README.md", Buffer.from(text)]]);
  const { oid } = commitFiles(store, actor, null, "Initial commit", { additions, deletions: [] });
  repository.refs.set(`${HEADS}${repository.defaultBranch}`, oid);
  repository.pushedAt = store.now();
}

export function forkRepository(
  store: Store,
  actor: User,
  parent: Repository,
  { owner = actor, name = parent.name }: { readonly owner?: Account; readonly name?: string },
): Repository {
  need(actor, parent, "READ");
  const old = store.repositories.find((one) => one.parent === parent && one.owner === owner);
  const { description, isPrivate } = parent;
  const fork = old ?? addRepository(store, owner, { name, description, isPrivate }, parent);
  fork.collaborators.set(actor, "ADMIN");
  store.count("forkRepository");
  return fork;
}

export interface RepositoryEdits {
  readonly name?: string;
  readonly description?: string | null;
  readonly homepage?: string | null;
  readonly isPrivate?: boolean;
  readonly isArchived?: boolean;
  readonly isTemplate?: boolean;
  readonly defaultBranch?: string;
  readonly topics?: string[];
  readonly settings?: Partial<RepositorySettings>;
}

export function updateRepository(
  store: Store,
  actor: User,
  repository: Repository,
  { name, settings, ...edits }: RepositoryEdits,
): void {
  need(actor, repository, "ADMIN");
  if (name !== undefined && name !== repository.name) renameRepository(store, repository, name);
  const { defaultBranch } = edits;
  if (defaultBranch !== undefined && !repository.refs.has(`${HEADS}${defaultBranch}`)) {
    const message = `The branch ${defaultBranch} was not found.`;
    throw invalid({ resource: "Repository", field: "default_branch", code: "invalid", message });
  }
  Object.assign(repository, edits);
  Object.assign(repository.settings, settings);
  store.touch(repository);
  store.count("updateRepository");
}

/** The old name redirects to this repository until another repository takes the name. */
function renameRepository(store: Store, repository: Repository, wanted: string): void {
  const name = cleanName(wanted);
  checkName(store, repository.owner, name);
  store.moved.set(nameWithOwner(repository).toLowerCase(), repository);
  repository.name = name;
}

export function deleteRepository(store: Store, actor: User, repository: Repository): void {
  need(actor, repository, "ADMIN");
  drop(store.repositories, repository);
  for (const [name, target] of store.moved) if (target === repository) store.moved.delete(name);
  store.forget(repository, ...repository.issues.values());
  store.count("deleteRepository");
}

export function setStar(store: Store, user: User, repository: Repository, isOn: boolean): void {
  need(user, repository, "READ");
  drop(repository.stargazers, user);
  if (isOn) repository.stargazers.push(user);
  store.count(isOn ? "addStar" : "removeStar");
}

export function findOwner(store: Store, login: string): Account {
  const owner = findAccount(store, login);
  if (owner !== undefined) return owner;
  throw invalid({ resource: "Repository", field: "owner", code: "invalid" });
}
