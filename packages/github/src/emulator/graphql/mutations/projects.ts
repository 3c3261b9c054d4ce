import type { Input } from "../../input.ts";
import { StoreError, notFound } from "../../store/errors.ts";
import type {
  Account,
  FieldValue,
  ProjectField,
  ProjectItem,
  ProjectStatus,
} from "../../store/model.ts";
import { addStatusUpdate, createProject } from "../../store/mutations/create-project.ts";
import * as projects from "../../store/mutations/projects.ts";
import { checkTitle } from "../../store/mutations/text.ts";
import type { Context } from "../context.ts";
import type { Mutations } from "./mutation.ts";
import { nodeAt, knownValue, subjectAt } from "./nodes.ts";

const STATUSES = ["AT_RISK", "COMPLETE", "INACTIVE", "OFF_TRACK", "ON_TRACK"] as const;

/** Finds an item, which must belong to the given project. */
function itemAt(context: Context, input: Input): ProjectItem {
  const project = nodeAt(context, input.text("projectId"), "ProjectV2");
  const item = nodeAt(context, input.text("itemId"), "ProjectV2Item");
  if (item.project === project) return item;
  throw notFound(`ProjectV2Item node with the global id of '${item.nodeId}' in the project`);
}

function fieldAt(context: Context, input: Input): ProjectField {
  return nodeAt(
    context,
    input.text("fieldId"),
    ...(["ProjectV2Field", "ProjectV2SingleSelectField", "ProjectV2IterationField"] as const),
  );
}

/** Reads the only value in the input. Its member is named after the kind of the value. */
function projectFieldInput(input: Input): FieldValue {
  const value = input.child("value");
  const texts = ["text", "date", "singleSelectOptionId", "iterationId"].map((name) =>
    value.text(name),
  );
  const found = [...texts, value.number("number")].filter((one) => one !== undefined);
  if (found.length !== 1)
    throw new StoreError("UNPROCESSABLE", "A single value must be given for the field");
  return found[0]!;
}

function accountAt(context: Context, id: string | undefined): Account {
  return nodeAt(context, id, "User", "Organization");
}

export const projectMutations: Mutations = {
  createProjectV2: (input, context) => {
    const owner = accountAt(context, input.text("ownerId"));
    const facts = { title: checkTitle("ProjectV2", input.string("title")) };
    return { projectV2: createProject(context.store, context.viewer, owner, facts) };
  },
  createProjectV2StatusUpdate: (input, context) => {
    const project = nodeAt(context, input.text("projectId"), "ProjectV2");
    const statusUpdate = addStatusUpdate(context.store, context.viewer, project, {
      body: input.text("body") ?? null,
      status: knownValue<ProjectStatus>(input.text("status"), ...STATUSES) ?? null,
      startDate: input.text("startDate") ?? null,
      targetDate: input.text("targetDate") ?? null,
    });
    return { statusUpdate };
  },
  addProjectV2ItemById: (input, context) => {
    const project = nodeAt(context, input.text("projectId"), "ProjectV2");
    const content = subjectAt(context, input.text("contentId"));
    return { item: projects.addItem(context.store, context.viewer, project, content) };
  },
  addProjectV2DraftIssue: (input, context) => {
    const project = nodeAt(context, input.text("projectId"), "ProjectV2");
    const facts = { title: input.string("title"), body: input.string("body") };
    return { projectItem: projects.addDraft(context.store, context.viewer, project, facts) };
  },
  deleteProjectV2Item: (input, context) => {
    const item = itemAt(context, input);
    projects.deleteItem(context.store, context.viewer, item);
    return { deletedItemId: item.nodeId };
  },
  updateProjectV2ItemFieldValue: (input, context) => {
    const item = itemAt(context, input);
    projects.setValue(
      context.store,
      context.viewer,
      item,
      fieldAt(context, input),
      projectFieldInput(input),
    );
    return { projectV2Item: item };
  },
  clearProjectV2ItemFieldValue: (input, context) => {
    const item = itemAt(context, input);
    projects.setValue(context.store, context.viewer, item, fieldAt(context, input), null);
    return { projectV2Item: item };
  },
};
