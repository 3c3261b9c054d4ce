import type { Input } from "../../input.ts";
import { given } from "../../input.ts";
import { StoreError } from "../../store/errors.ts";
import { findUser } from "../../store/find.ts";
import type { Gist, Notification } from "../../store/model.ts";
import * as personal from "../../store/mutations/personal.ts";
import type { GistEdits } from "../../store/mutations/personal.ts";
import { repoApi } from "../../urls.ts";
import type { Urls } from "../../urls.ts";
import type { RestCall, Routes } from "../call.ts";
import { listReply } from "../pages.ts";
import { created, json, noContent, ok } from "../reply.ts";
import type { Reply } from "../reply.ts";
import { simpleUser } from "../views/account.ts";
import { minimalRepository } from "../views/repository.ts";

const LANGUAGES: Readonly<Record<string, string>> = {
  css: "CSS",
  js: "JavaScript",
  json: "JSON",
  md: "Markdown",
  ts: "TypeScript",
  txt: "Text",
};

function fileView(urls: Urls, gist: Gist, name: string, text: string): Record<string, unknown> {
  const language = LANGUAGES[name.split(".").at(-1) ?? ""];
  const rawUrl = `${urls.html.replace("//", "//gist.")}/${gist.owner.login}/${gist.name}/raw/${encodeURIComponent(name)}`;
  return {
    filename: name,
    type: "text/plain",
    ...(language === undefined ? {} : { language }),
    raw_url: rawUrl,
    size: Buffer.byteLength(text),
  };
}

function gistView(urls: Urls, gist: Gist, isFull: boolean): Record<string, unknown> {
  const api = `${urls.api}/gists/${gist.name}`;
  const html = `${urls.html.replace("//", "//gist.")}/${gist.owner.login}/${gist.name}`;
  const files = [...gist.files].map(([name, text]) => {
    const view = fileView(urls, gist, name, text);
    return [name, isFull ? { ...view, truncated: false, content: text, encoding: "utf-8" } : view];
  });
  return {
    url: api,
    forks_url: `${api}/forks`,
    commits_url: `${api}/commits`,
    id: gist.name,
    node_id: gist.nodeId,
    git_pull_url: `${html}.git`,
    git_push_url: `${html}.git`,
    html_url: html,
    files: Object.fromEntries(files),
    public: gist.isPublic,
    created_at: gist.createdAt,
    updated_at: gist.updatedAt,
    description: gist.description,
    comments: 0,
    user: null,
    comments_url: `${api}/comments`,
    owner: simpleUser(urls, gist.owner),
    truncated: false,
    ...(isFull ? { forks: [], history: [] } : {}),
  };
}

function findGist(call: RestCall): Gist {
  const found = call.store.gists.find(({ name }) => name === call.param("gist_id"));
  if (found === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  return found;
}

function listGists(call: RestCall, all: readonly Gist[]): Reply {
  return listReply(
    call,
    all.toSorted((a, b) => b.id - a.id),
    (one) => gistView(call.urls, one, false),
  );
}

function readEdits(body: Input): GistEdits["files"] {
  const files = body.child("files");
  return new Map(files.names().map((name) => [name, readEdit(files, name)] as const));
}

/** Null or an empty object deletes a file. */
function readEdit(files: Input, name: string): { content?: string; filename?: string } | null {
  const file = files.child(name);
  const edit = given({ content: file.text("content"), filename: file.text("filename") });
  return Object.keys(edit).length === 0 ? null : edit;
}

function updateGist(call: RestCall): Reply {
  const gist = findGist(call);
  const description = given({ description: call.body.text("description") });
  personal.updateGist(call.store, call.viewer, gist, {
    files: readEdits(call.body),
    ...description,
  });
  return ok(gistView(call.urls, gist, true));
}

function createGist(call: RestCall): Reply {
  const { store, viewer, body } = call;
  const named = body.child("files");
  const files = new Map(named.names().map((name) => [name, named.child(name).string("content")]));
  const isPublic = String(body.raw("public")) === "true";
  const gist = personal.createGist(store, viewer, {
    description: body.text("description") ?? null,
    isPublic,
    files,
  });
  return created(gistView(call.urls, gist, true));
}

function notificationView(urls: Urls, notification: Notification): Record<string, unknown> {
  const { subject, id } = notification;
  const folder = subject.type === "Issue" ? "issues" : "pulls";
  const api = `${urls.api}/notifications/threads/${id}`;
  const url = `${repoApi(urls, subject.repository)}/${folder}/${subject.number}`;
  return {
    id: String(id),
    repository: minimalRepository(urls, subject.repository),
    subject: { title: subject.title, url, latest_comment_url: url, type: subject.type },
    reason: notification.reason,
    unread: notification.isUnread,
    updated_at: notification.updatedAt,
    last_read_at: notification.lastReadAt,
    url: api,
    subscription_url: `${api}/subscription`,
  };
}

function own(call: RestCall): Notification[] {
  return call.store.notifications.filter(({ user }) => user === call.viewer);
}

function listNotifications(call: RestCall, all: readonly Notification[]): Reply {
  const wantsAll = call.query("all") === "true";
  const kept = all.filter(({ isUnread }) => wantsAll || isUnread);
  return listReply(call, kept, (one) => notificationView(call.urls, one));
}

export const personalRoutes: Routes = {
  "GET /gists": (call) =>
    listGists(
      call,
      call.store.gists.filter(({ owner }) => owner === call.viewer),
    ),
  "GET /gists/public": (call) =>
    listGists(
      call,
      call.store.gists.filter(({ isPublic }) => isPublic),
    ),
  "GET /users/{username}/gists": (call) => {
    const user = findUser(call.store, call.param("username"));
    return listGists(
      call,
      call.store.gists.filter(({ owner, isPublic }) => owner === user && isPublic),
    );
  },
  "POST /gists": createGist,
  "GET /gists/{gist_id}": (call) => ok(gistView(call.urls, findGist(call), true)),
  "PATCH /gists/{gist_id}": updateGist,
  // GitHub's description does not have this request, but `gh gist edit` sends it.
  "POST /gists/{gist_id}": updateGist,
  "DELETE /gists/{gist_id}": (call) => {
    personal.deleteGist(call.store, call.viewer, findGist(call));
    return noContent;
  },
  "GET /notifications": (call) => listNotifications(call, own(call)),
  "GET /repos/{owner}/{repo}/notifications": (call) =>
    listNotifications(
      call,
      own(call).filter(({ subject }) => subject.repository === call.repository),
    ),
  "PUT /notifications": (call) => {
    personal.markRead(call.store, own(call));
    return json(205, undefined);
  },
  "GET /notifications/threads/{thread_id}": (call) =>
    ok(notificationView(call.urls, call.pick(own(call), "thread_id"))),
  "PATCH /notifications/threads/{thread_id}": (call) => {
    personal.markRead(call.store, [call.pick(own(call), "thread_id")]);
    return json(205, undefined);
  },
};
