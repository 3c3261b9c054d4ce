import { StoreError, invalid } from "../../store/errors.ts";
import { findAccount, findIssueOrPull, findProject, findRepository } from "../../store/find.ts";
import type { Account, Entity, FieldValue, Project, ProjectItem } from "../../store/model.ts";
import * as projects from "../../store/mutations/projects.ts";
import type { RestCall, Routes } from "../call.ts";
import { created, json, noContent, ok } from "../reply.ts";
import type { Reply } from "../reply.ts";
import { fieldView, itemView, itemWithFields, projectView } from "../views/project.ts";

type FindOwner = (call: RestCall) => Account;

function ownerBy(param: string): FindOwner {
  return (call) => {
    const found = findAccount(call.store, call.param(param));
    if (found === undefined) throw new StoreError("NOT_FOUND", "Not Found");
    return found;
  };
}

const MAX_SIZE = 100;

/** Pages of projects use cursors: the id of the last item on the page. */
function cursorReply<E extends Entity>(
  call: RestCall,
  all: readonly E[],
  view: (one: E) => unknown,
): Reply {
  const size = Math.min(Math.max(1, Number(call.query("per_page") ?? 30)), MAX_SIZE);
  const after = call.query("after");
  const start = after === undefined ? 0 : all.findIndex(({ id }) => String(id) === after) + 1;
  const items = all.slice(start, start + size);
  const last = items.at(-1);
  const hasMore = start + size < all.length;
  const query = new URLSearchParams(call.url.searchParams);
  if (last !== undefined) query.set("after", String(last.id));
  const link = `<${call.urls.api}${call.url.pathname}?${query.toString()}>; rel="next"`;
  const headers: Record<string, string> = hasMore ? { link } : {};
  return json(200, items.map(view), headers);
}

function requestedProject(call: RestCall, ownerOf: FindOwner): Project {
  const project = findProject(call.store, ownerOf(call), call.id("project_number"));
  if (!projects.canSeeProject(call.viewer, project)) throw new StoreError("NOT_FOUND", "Not Found");
  return project;
}

function findProjectItem(call: RestCall, ownerOf: FindOwner): ProjectItem {
  return call.pick(requestedProject(call, ownerOf).items, "item_id");
}

function addItem(call: RestCall, ownerOf: FindOwner): Reply {
  const { store, viewer, body } = call;
  const id = body.number("id");
  const all = store.repositories.flatMap(({ issues }) => [...issues.values()]);
  const type = body.text("type");
  const byId = all.find((one) => one.id === id && one.type === type);
  const content =
    byId ??
    findIssueOrPull(
      findRepository(store, body.string("owner"), body.string("repo"), viewer),
      body.integer("number"),
    );
  const item = projects.addItem(store, viewer, requestedProject(call, ownerOf), content);
  return created(itemView(call, item));
}

function projectFieldValue(value: unknown): FieldValue | null {
  return typeof value === "string" || typeof value === "number" ? value : null;
}

function updateItem(call: RestCall, ownerOf: FindOwner): Reply {
  const { store, viewer, body } = call;
  const item = findProjectItem(call, ownerOf);
  for (const change of body.children("fields")) {
    const field = item.project.fields.find(({ id }) => id === change.number("id"));
    if (field === undefined)
      throw invalid({ resource: "ProjectV2Item", field: "id", code: "invalid" });
    projects.setValue(store, viewer, item, field, projectFieldValue(change.raw("value")));
  }
  return ok(itemWithFields(call, item));
}

function routesFor(base: string, ownerOf: FindOwner): Routes {
  const one = `${base}/{project_number}`;
  return {
    [`GET ${base}`]: (call) => {
      const owner = ownerOf(call);
      const all = call.store.projects.filter((project) => project.owner === owner);
      const seen = all.filter((project) => projects.canSeeProject(call.viewer, project));
      return cursorReply(call, seen, (project) => projectView(call, project));
    },
    [`GET ${one}`]: (call) => ok(projectView(call, requestedProject(call, ownerOf))),
    [`GET ${one}/fields`]: (call) =>
      cursorReply(call, requestedProject(call, ownerOf).fields, (field) => fieldView(call, field)),
    [`GET ${one}/fields/{field_id}`]: (call) =>
      ok(fieldView(call, call.pick(requestedProject(call, ownerOf).fields, "field_id"))),
    [`GET ${one}/items`]: (call) =>
      cursorReply(call, requestedProject(call, ownerOf).items, (item) =>
        itemWithFields(call, item),
      ),
    [`POST ${one}/items`]: (call) => addItem(call, ownerOf),
    [`GET ${one}/items/{item_id}`]: (call) =>
      ok(itemWithFields(call, findProjectItem(call, ownerOf))),
    [`PATCH ${one}/items/{item_id}`]: (call) => updateItem(call, ownerOf),
    [`DELETE ${one}/items/{item_id}`]: (call) => {
      projects.deleteItem(call.store, call.viewer, findProjectItem(call, ownerOf));
      return noContent;
    },
  };
}

export const projectRoutes: Routes = {
  ...routesFor("/orgs/{org}/projectsV2", ownerBy("org")),
  ...routesFor("/users/{username}/projectsV2", ownerBy("username")),
};
