import { need } from "../access.ts";
import { invalid } from "../errors.ts";
import { lookUpLabel } from "../find.ts";
import type { Label, Milestone, Repository, User } from "../model.ts";
import type { Store } from "../store.ts";
import { drop } from "./conversations.ts";

export interface LabelInput {
  readonly name: string;
  readonly color: string;
  readonly description?: string | null;
}

const MAX_NAME = 50;
const MAX_DESCRIPTION = 100;

function fail(field: string, message?: string): never {
  throw invalid({ resource: "Label", field, code: "invalid", ...(message ? { message } : {}) });
}

function checkLabel(facts: Partial<LabelInput>): void {
  if (facts.name?.trim() === "") fail("name");
  if ((facts.name ?? "").length > MAX_NAME) {
    fail("name", `name is too long (maximum is ${MAX_NAME} characters)`);
  }
  if (facts.color !== undefined && !/^[0-9a-f]{6}$/i.test(facts.color)) fail("color");
  if ((facts.description ?? "").length > MAX_DESCRIPTION) {
    fail("description", `description is too long (maximum is ${MAX_DESCRIPTION} characters)`);
  }
}

export function createLabel(
  store: Store,
  actor: User,
  repository: Repository,
  facts: LabelInput,
): Label {
  need(actor, repository, "WRITE");
  checkLabel(facts);
  if (lookUpLabel(repository, facts.name) !== undefined) {
    throw invalid({ resource: "Label", field: "name", code: "already_exists" });
  }
  const { name, color, description = null } = facts;
  const label = store.create<Label>("Label", {
    repository,
    name,
    color: color.toLowerCase(),
    description,
    isDefault: false,
  });
  repository.labels.push(label);
  store.count("createLabel");
  return label;
}

export function updateLabel(
  store: Store,
  actor: User,
  label: Label,
  edits: Partial<LabelInput>,
): void {
  need(actor, label.repository, "WRITE");
  checkLabel(edits);
  const taken = edits.name === undefined ? undefined : lookUpLabel(label.repository, edits.name);
  if (taken !== undefined && taken !== label) {
    throw invalid({ resource: "Label", field: "name", code: "already_exists" });
  }
  Object.assign(label, edits);
  store.touch(label);
  store.count("updateLabel");
}

export function deleteLabel(store: Store, actor: User, label: Label): void {
  need(actor, label.repository, "WRITE");
  drop(label.repository.labels, label);
  for (const issue of label.repository.issues.values()) drop(issue.labels, label);
  store.forget(label);
  store.count("deleteLabel");
}

export interface MilestoneInput {
  readonly title: string;
  readonly description?: string | null;
  readonly dueOn?: string | null;
  readonly state?: "OPEN" | "CLOSED";
}

export function createMilestone(
  store: Store,
  creator: User,
  repository: Repository,
  facts: MilestoneInput,
): Milestone {
  need(creator, repository, "WRITE");
  checkMilestoneTitle(repository, facts.title);
  const number = Math.max(0, ...repository.milestones.map((one) => one.number)) + 1;
  const { title, description = null, dueOn = null, state = "OPEN" } = facts;
  const milestone = store.create<Milestone>("Milestone", {
    repository,
    creator,
    number,
    title,
    description,
    dueOn,
    state,
    closedAt: state === "CLOSED" ? store.now() : null,
  });
  repository.milestones.push(milestone);
  store.count("createMilestone");
  return milestone;
}

function checkMilestoneTitle(repository: Repository, title: string, own?: Milestone): void {
  if (title.trim() === "") {
    throw invalid({ resource: "Milestone", field: "title", code: "missing_field" });
  }
  const taken = repository.milestones.find((one) => one.title === title);
  if (taken !== undefined && taken !== own) {
    throw invalid({ resource: "Milestone", field: "title", code: "already_exists" });
  }
}

export function updateMilestone(
  store: Store,
  actor: User,
  milestone: Milestone,
  edits: Partial<MilestoneInput>,
): void {
  need(actor, milestone.repository, "WRITE");
  if (edits.title !== undefined) checkMilestoneTitle(milestone.repository, edits.title, milestone);
  Object.assign(milestone, edits);
  milestone.closedAt = milestone.state === "CLOSED" ? (milestone.closedAt ?? store.now()) : null;
  store.touch(milestone);
  store.count("updateMilestone");
}

export function deleteMilestone(store: Store, actor: User, milestone: Milestone): void {
  need(actor, milestone.repository, "WRITE");
  drop(milestone.repository.milestones, milestone);
  for (const issue of milestone.repository.issues.values()) {
    if (issue.milestone === milestone) issue.milestone = null;
  }
  store.forget(milestone);
  store.count("deleteMilestone");
}
