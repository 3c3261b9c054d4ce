import { can } from "../access.ts";
import { StoreError, forbidden } from "../errors.ts";
import type {
  DraftIssue,
  FieldValue,
  Issue,
  Project,
  ProjectField,
  ProjectItem,
  PullRequest,
  User,
} from "../model.ts";
import type { Store } from "../store.ts";
import { drop } from "./conversations.ts";

export function canWriteProject(user: User, { owner }: Project): boolean {
  return owner.type === "User" ? owner === user : owner.members.includes(user);
}

export function canSeeProject(user: User, project: Project): boolean {
  return project.isPublic || canWriteProject(user, project);
}

export function needProjectWrite(user: User, project: Project): void {
  if (!canWriteProject(user, project)) {
    throw forbidden(`${user.login} does not have permission to update this project.`);
  }
}

/** Adds an item. If it exists already, returns the existing one. */
export function addItem(
  store: Store,
  actor: User,
  project: Project,
  content: Issue | PullRequest,
): ProjectItem {
  needProjectWrite(actor, project);
  if (!can(actor, content.repository, "READ")) throw new StoreError("NOT_FOUND", "Not Found");
  const old = project.items.find((item) => item.content === content);
  const item = old ?? makeItem(store, actor, project, content);
  store.count("addProjectItem");
  return item;
}

export function addDraft(
  store: Store,
  creator: User,
  project: Project,
  { title, body }: { readonly title: string; readonly body: string },
): ProjectItem {
  needProjectWrite(creator, project);
  const draft = store.create<DraftIssue>("DraftIssue", { creator, title, body });
  const item = makeItem(store, creator, project, draft);
  store.count("addProjectDraft");
  return item;
}

function makeItem(
  store: Store,
  creator: User,
  project: Project,
  content: ProjectItem["content"],
): ProjectItem {
  const facts = { project, content, creator, isArchived: false, values: new Map() };
  const item = store.create<ProjectItem>("ProjectV2Item", facts);
  project.items.push(item);
  store.touch(project);
  return item;
}

export function deleteItem(store: Store, actor: User, item: ProjectItem): void {
  needProjectWrite(actor, item.project);
  drop(item.project.items, item);
  store.forget(item);
  store.touch(item.project);
  store.count("deleteProjectItem");
}

export function setValue(
  store: Store,
  actor: User,
  item: ProjectItem,
  field: ProjectField,
  value: FieldValue | null,
): void {
  needProjectWrite(actor, item.project);
  if (field.project !== item.project) {
    throw new StoreError("UNPROCESSABLE", "The field does not belong to the project of the item");
  }
  if (value === null) item.values.delete(field);
  else item.values.set(field, checkValue(field, value));
  store.touch(item, item.project);
  store.count(value === null ? "clearProjectValue" : "setProjectValue");
}

/** A value must match the type of its field, and its option or iteration must exist. */
function checkValue(
  { dataType, options, iterations }: ProjectField,
  value: FieldValue,
): FieldValue {
  const isGood = {
    TEXT: () => typeof value === "string",
    NUMBER: () => typeof value === "number",
    DATE: () => typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value),
    SINGLE_SELECT: () => options.some(({ id }) => id === value),
    ITERATION: () => iterations.some(({ id }) => id === value),
  };
  const test = Object.entries(isGood).find(([type]) => type === dataType)?.[1];
  if (test === undefined) {
    throw new StoreError("UNPROCESSABLE", "The field of type is currently not supported.");
  }
  if (test()) return value;
  const message =
    dataType === "SINGLE_SELECT"
      ? "The single select option Id does not belong to the field"
      : "Did not receive a value of the right type for the field";
  throw new StoreError("UNPROCESSABLE", message);
}
