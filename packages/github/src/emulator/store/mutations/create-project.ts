import { createHash } from "node:crypto";
import { forbidden } from "../errors.ts";
import type {
  Account,
  FieldType,
  Iteration,
  Project,
  ProjectField,
  ProjectStatusUpdate,
  SelectOption,
  User,
} from "../model.ts";
import type { Store } from "../store.ts";
import { needProjectWrite } from "./projects.ts";

export interface FieldPlan {
  readonly name: string;
  readonly dataType: FieldType;
  readonly options?: readonly SelectOption[];
  readonly iterations?: readonly Iteration[];
}

function option(name: string, color: string): SelectOption {
  const id = createHash("md5").update(name).digest("hex").slice(0, 8);
  return { id, name, color, description: "" };
}

/** The fields of every new project. */
const FIELDS: readonly FieldPlan[] = [
  { name: "Title", dataType: "TITLE" },
  { name: "Assignees", dataType: "ASSIGNEES" },
  {
    name: "Status",
    dataType: "SINGLE_SELECT",
    options: [option("Todo", "GREEN"), option("In Progress", "YELLOW"), option("Done", "PURPLE")],
  },
  { name: "Labels", dataType: "LABELS" },
  { name: "Milestone", dataType: "MILESTONE" },
  { name: "Repository", dataType: "REPOSITORY" },
];

const KINDS: Partial<Record<FieldType, ProjectField["type"]>> = {
  SINGLE_SELECT: "ProjectV2SingleSelectField",
  ITERATION: "ProjectV2IterationField",
};

export function createProject(
  store: Store,
  creator: User,
  owner: Account,
  { title, fields = [] }: { readonly title: string; readonly fields?: readonly FieldPlan[] },
): Project {
  const isOwn = owner.type === "User" ? owner === creator : owner.members.includes(creator);
  if (!isOwn) throw forbidden(`${creator.login} does not have permission to create projects.`);
  const project = store.create<Project>("ProjectV2", {
    owner,
    creator,
    number: store.projects.filter((one) => one.owner === owner).length + 1,
    title,
    shortDescription: null,
    readme: null,
    isPublic: false,
    isClosed: false,
    fields: [],
    items: [],
    statusUpdates: [],
  });
  store.projects.push(project);
  for (const { name, dataType, options = [], iterations = [] } of [...FIELDS, ...fields]) {
    const type = KINDS[dataType] ?? "ProjectV2Field";
    const facts = { project, name, dataType, options, iterations };
    project.fields.push(store.create<ProjectField>(type, facts));
  }
  store.count("createProject");
  return project;
}

export type NewStatusUpdate = Pick<
  ProjectStatusUpdate,
  "body" | "status" | "startDate" | "targetDate"
>;

export function addStatusUpdate(
  store: Store,
  creator: User,
  project: Project,
  facts: NewStatusUpdate,
): ProjectStatusUpdate {
  needProjectWrite(creator, project);
  const update = store.create<ProjectStatusUpdate>("ProjectV2StatusUpdate", {
    project,
    creator,
    ...facts,
  });
  project.statusUpdates.push(update);
  store.touch(project);
  store.count("addStatusUpdate");
  return update;
}
