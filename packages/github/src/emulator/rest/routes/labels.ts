import { given } from "../../input.ts";
import { StoreError, invalid } from "../../store/errors.ts";
import { findMilestone, lookUpLabel } from "../../store/find.ts";
import type { Label, Milestone } from "../../store/model.ts";
import * as labels from "../../store/mutations/labels.ts";
import type { RestCall, Routes } from "../call.ts";
import { listReply } from "../pages.ts";
import { created, noContent, ok } from "../reply.ts";
import { labelView, milestoneView } from "../views/issue.ts";

function findLabel(call: RestCall): Label {
  const found = lookUpLabel(call.repository, call.param("name"));
  if (found === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  return found;
}

function milestoneState({ body }: RestCall): "OPEN" | "CLOSED" | undefined {
  const state = body.text("state")?.toUpperCase();
  return state === "OPEN" || state === "CLOSED" ? state : undefined;
}

/** Refuses a day that does not exist, such as 30 February. */
function dueOnInput({ body }: RestCall): string | null | undefined {
  const text = body.textOrNull("due_on");
  const [, day] = /^(\d{4}-\d{2}-\d{2})/u.exec(text ?? "") ?? [];
  const time = Date.parse(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(`${day}T`);
  if (typeof text !== "string" || isDay) return text;
  throw invalid({ resource: "Milestone", field: "due_on", code: "invalid" });
}

function milestoneInput(call: RestCall) {
  const { body } = call;
  return given({
    title: body.text("title"),
    description: body.textOrNull("description"),
    dueOn: dueOnInput(call),
    state: milestoneState(call),
  });
}

/** Sorts milestones without a date last. */
function dueDate({ dueOn }: Milestone): string {
  return dueOn ?? "9999";
}

function byDueDate(call: RestCall, milestones: readonly Milestone[]): Milestone[] {
  const rows = milestones.toSorted((a, b) => dueDate(a).localeCompare(dueDate(b)) || a.id - b.id);
  return call.query("direction") === "desc" ? rows.toReversed() : rows;
}

const LABELS = "/repos/{owner}/{repo}/labels";
const MILESTONES = "/repos/{owner}/{repo}/milestones";

export const labelRoutes: Routes = {
  [`GET ${LABELS}`]: (call) =>
    listReply(call, call.repository.labels, (one) => labelView(call.urls, one)),
  [`POST ${LABELS}`]: (call) => {
    const { store, viewer, repository, body } = call;
    const name = body.text("name");
    if (name === undefined)
      throw invalid({ resource: "Label", field: "name", code: "missing_field" });
    const color = body.text("color") ?? "ededed";
    const facts = { name, color, ...given({ description: body.textOrNull("description") }) };
    return created(labelView(call.urls, labels.createLabel(store, viewer, repository, facts)));
  },
  [`GET ${LABELS}/{name}`]: (call) => ok(labelView(call.urls, findLabel(call))),
  [`PATCH ${LABELS}/{name}`]: (call) => {
    const { store, viewer, body } = call;
    const label = findLabel(call);
    const edits = given({
      name: body.text("new_name") ?? body.text("name"),
      color: body.text("color"),
      description: body.textOrNull("description"),
    });
    labels.updateLabel(store, viewer, label, edits);
    return ok(labelView(call.urls, label));
  },
  [`DELETE ${LABELS}/{name}`]: (call) => {
    labels.deleteLabel(call.store, call.viewer, findLabel(call));
    return noContent;
  },
  [`GET ${MILESTONES}`]: (call) => {
    const state = call.query("state") ?? "open";
    const all = call.repository.milestones;
    const kept = state === "all" ? all : all.filter((one) => one.state.toLowerCase() === state);
    return listReply(call, byDueDate(call, kept), (one) => milestoneView(call.urls, one));
  },
  [`POST ${MILESTONES}`]: (call) => {
    const { store, viewer, repository } = call;
    const facts = { title: "", ...milestoneInput(call) };
    return created(
      milestoneView(call.urls, labels.createMilestone(store, viewer, repository, facts)),
    );
  },
  [`GET ${MILESTONES}/{milestone_number}`]: (call) =>
    ok(milestoneView(call.urls, findMilestone(call.repository, call.id("milestone_number")))),
  [`PATCH ${MILESTONES}/{milestone_number}`]: (call) => {
    const milestone = findMilestone(call.repository, call.id("milestone_number"));
    labels.updateMilestone(call.store, call.viewer, milestone, milestoneInput(call));
    return ok(milestoneView(call.urls, milestone));
  },
  [`DELETE ${MILESTONES}/{milestone_number}`]: (call) => {
    const milestone = findMilestone(call.repository, call.id("milestone_number"));
    labels.deleteMilestone(call.store, call.viewer, milestone);
    return noContent;
  },
};
