import { canWriteProject } from "../../store/mutations/projects.ts";
import type {
  DraftIssue,
  Project,
  ProjectField,
  ProjectItem,
  ProjectStatusUpdate,
  FieldValue,
} from "../../store/model.ts";
import type { Context, Fields, TypeFields } from "../context.ts";
import { entityFields, urlPath } from "./common.ts";

function projectUrl({ urls }: Context, { owner, number }: Project): string {
  const folder = owner.type === "Organization" ? "orgs" : "users";
  return `${urls.html}/${folder}/${owner.login}/projects/${number}`;
}

const projectFields: Fields<Project> = {
  ...entityFields,
  number: ({ number }) => number,
  title: ({ title }) => title,
  shortDescription: ({ shortDescription }) => shortDescription,
  readme: ({ readme }) => readme,
  public: ({ isPublic }) => isPublic,
  closed: ({ isClosed }) => isClosed,
  closedAt: ({ isClosed, updatedAt }) => (isClosed ? updatedAt : null),
  template: () => false,
  owner: ({ owner }) => owner,
  creator: ({ creator }) => creator,
  url: (project, _args, context) => projectUrl(context, project),
  resourcePath: (project, _args, context) => urlPath(projectUrl(context, project)),
  fields: ({ fields }) => fields,
  field: ({ fields }, args) => fields.find(({ name }) => name === args.text("name")) ?? null,
  items: ({ items }) => items,
  repositories: ({ items }) => [
    ...new Set(
      items.flatMap(({ content }) => (content.type === "DraftIssue" ? [] : [content.repository])),
    ),
  ],
  teams: () => [],
  views: () => [],
  workflows: () => [],
  statusUpdates: ({ statusUpdates }) => statusUpdates.toReversed(),
  viewerCanUpdate: (project, _args, { viewer }) => canWriteProject(viewer, project),
  viewerCanClose: (project, _args, { viewer }) => canWriteProject(viewer, project),
  viewerCanReopen: (project, _args, { viewer }) => canWriteProject(viewer, project),
};

const fieldFields: Fields<ProjectField> = {
  ...entityFields,
  name: ({ name }) => name,
  dataType: ({ dataType }) => dataType,
  project: ({ project }) => project,
};

const selectFields: Fields<ProjectField> = {
  ...fieldFields,
  options: ({ options }, args) => {
    const names = args.texts("names");
    const kept = names === undefined ? options : options.filter(({ name }) => names.includes(name));
    return kept.map((one) => ({ ...one, nameHTML: one.name, descriptionHTML: one.description }));
  },
};

const iterationFields: Fields<ProjectField> = {
  ...fieldFields,
  configuration: ({ iterations }) => ({
    duration: iterations[0]?.duration ?? 14,
    startDay: 1,
    completedIterations: [],
    iterations: iterations.map((one) => ({ ...one, titleHTML: one.title })),
  }),
};

interface ValueNode {
  readonly type: string;
  readonly item: ProjectItem;
  readonly field: ProjectField;
  readonly value: FieldValue | null;
}

const TYPED: Readonly<Record<string, string>> = {
  TEXT: "ProjectV2ItemFieldTextValue",
  NUMBER: "ProjectV2ItemFieldNumberValue",
  DATE: "ProjectV2ItemFieldDateValue",
  SINGLE_SELECT: "ProjectV2ItemFieldSingleSelectValue",
  ITERATION: "ProjectV2ItemFieldIterationValue",
};

/** The field values that come from an item's issue or pull request. Empty values are left out. */
function derived(item: ProjectItem, field: ProjectField): ValueNode | null {
  const { content } = item;
  const node = (kind: string, value: FieldValue | null): ValueNode => ({
    type: `ProjectV2ItemField${kind}Value`,
    item,
    field,
    value,
  });
  if (field.dataType === "TITLE") return node("Text", content.title);
  if (content.type === "DraftIssue") return null;
  if (field.dataType === "REPOSITORY") return node("Repository", null);
  if (field.dataType === "LABELS" && content.labels.length > 0) return node("Label", null);
  if (field.dataType === "ASSIGNEES" && content.assignees.length > 0) return node("User", null);
  return field.dataType === "MILESTONE" && content.milestone !== null
    ? node("Milestone", null)
    : null;
}

function valueNode(item: ProjectItem, field: ProjectField): ValueNode | null {
  const value = item.values.get(field);
  const type = TYPED[field.dataType];
  if (type === undefined) return derived(item, field);
  return value === undefined ? null : { type, item, field, value };
}

const ITEM_TYPES = {
  Issue: "ISSUE",
  PullRequest: "PULL_REQUEST",
  DraftIssue: "DRAFT_ISSUE",
} as const;

const itemFields: Fields<ProjectItem> = {
  ...entityFields,
  content: ({ content }) => content,
  type: ({ content }) => ITEM_TYPES[content.type],
  creator: ({ creator }) => creator,
  isArchived: ({ isArchived }) => isArchived,
  project: ({ project }) => project,
  fieldValues: (item) => item.project.fields.flatMap((field) => valueNode(item, field) ?? []),
  fieldValueByName: (item, args) => {
    const field = item.project.fields.find(({ name }) => name === args.text("name"));
    return field === undefined ? null : valueNode(item, field);
  },
};

const valueFields: Fields<ValueNode> = {
  id: ({ item, field }) => `PVTFV_${item.id}_${field.id}`,
  databaseId: () => null,
  item: ({ item }) => item,
  field: ({ field }) => field,
  creator: ({ item }) => item.creator,
  createdAt: ({ item }) => item.createdAt,
  updatedAt: ({ item }) => item.updatedAt,
};

function getOption({ field, value }: ValueNode) {
  return field.options.find(({ id }) => id === value);
}

function getIteration({ field, value }: ValueNode) {
  return field.iterations.find(({ id }) => id === value);
}

function itemContent({ item }: ValueNode) {
  return item.content.type === "DraftIssue" ? undefined : item.content;
}

const draftFields: Fields<DraftIssue> = {
  ...entityFields,
  title: ({ title }) => title,
  body: ({ body }) => body,
  creator: ({ creator }) => creator,
  assignees: () => [],
};

const statusUpdateFields: Fields<ProjectStatusUpdate> = {
  ...entityFields,
  project: ({ project }) => project,
  creator: ({ creator }) => creator,
  body: ({ body }) => body,
  status: ({ status }) => status,
  startDate: ({ startDate }) => startDate,
  targetDate: ({ targetDate }) => targetDate,
};

export const projectTypes: TypeFields = {
  ProjectV2: projectFields,
  ProjectV2StatusUpdate: statusUpdateFields,
  ProjectV2Field: fieldFields,
  ProjectV2SingleSelectField: selectFields,
  ProjectV2IterationField: iterationFields,
  ProjectV2Item: itemFields,
  ProjectV2ItemFieldTextValue: { ...valueFields, text: ({ value }: ValueNode) => value },
  ProjectV2ItemFieldNumberValue: { ...valueFields, number: ({ value }: ValueNode) => value },
  ProjectV2ItemFieldDateValue: { ...valueFields, date: ({ value }: ValueNode) => value },
  ProjectV2ItemFieldSingleSelectValue: {
    ...valueFields,
    optionId: ({ value }: ValueNode) => value,
    name: (node: ValueNode) => getOption(node)?.name ?? null,
    nameHTML: (node: ValueNode) => getOption(node)?.name ?? null,
    color: (node: ValueNode) => getOption(node)?.color,
    description: (node: ValueNode) => getOption(node)?.description ?? null,
  },
  ProjectV2ItemFieldIterationValue: {
    ...valueFields,
    iterationId: ({ value }: ValueNode) => value,
    title: (node: ValueNode) => getIteration(node)?.title,
    titleHTML: (node: ValueNode) => getIteration(node)?.title,
    startDate: (node: ValueNode) => getIteration(node)?.startDate,
    duration: (node: ValueNode) => getIteration(node)?.duration,
  },
  ProjectV2ItemFieldLabelValue: {
    ...valueFields,
    labels: (node: ValueNode) => itemContent(node)?.labels ?? [],
  },
  ProjectV2ItemFieldUserValue: {
    ...valueFields,
    users: (node: ValueNode) => itemContent(node)?.assignees ?? [],
  },
  ProjectV2ItemFieldRepositoryValue: {
    ...valueFields,
    repository: (node: ValueNode) => itemContent(node)?.repository ?? null,
  },
  ProjectV2ItemFieldMilestoneValue: {
    ...valueFields,
    milestone: (node: ValueNode) => itemContent(node)?.milestone ?? null,
  },
  DraftIssue: draftFields,
};
