import { createHash } from "node:crypto";
import { StoreError, invalid } from "../errors.ts";
import type { Gist, Notification, User } from "../model.ts";
import type { Store } from "../store.ts";
import { drop } from "./conversations.ts";

export interface NewGist {
  readonly description: string | null;
  readonly isPublic: boolean;
  readonly files: ReadonlyMap<string, string>;
}

export function createGist(
  store: Store,
  owner: User,
  { description, isPublic, files }: NewGist,
): Gist {
  const isBlank = [...files.values()].some((text) => text.trim() === "");
  if (files.size === 0 || isBlank)
    throw invalid({ resource: "Gist", field: "files", code: "missing_field" });
  const seed = `${owner.login}:${store.gists.length}:${[...files.keys()].join(",")}`;
  const name = createHash("md5").update(seed).digest("hex");
  const facts = { name, owner, description, isPublic, files: new Map(files) };
  const gist = store.create<Gist>("Gist", facts);
  store.gists.push(gist);
  store.count("createGist");
  return gist;
}

function needOwner(actor: User, { owner }: Gist): void {
  if (owner !== actor) throw new StoreError("NOT_FOUND", "Not Found");
}

export interface GistEdits {
  readonly description?: string;
  /** Edits by file name: new text and optionally a new name, or null to delete the file. */
  readonly files: ReadonlyMap<string, FileEdit | null>;
}

interface FileEdit {
  readonly content?: string;
  readonly filename?: string;
}

export function updateGist(
  store: Store,
  actor: User,
  gist: Gist,
  { description, files }: GistEdits,
): void {
  needOwner(actor, gist);
  if (description !== undefined) gist.description = description;
  for (const [name, edit] of files) {
    const content = edit?.content ?? gist.files.get(name);
    if (edit === null || edit.filename !== undefined) gist.files.delete(name);
    if (edit !== null && content !== undefined) gist.files.set(edit.filename ?? name, content);
  }
  store.touch(gist);
  store.count("updateGist");
}

export function deleteGist(store: Store, actor: User, gist: Gist): void {
  needOwner(actor, gist);
  drop(store.gists, gist);
  store.forget(gist);
  store.count("deleteGist");
}

export function markRead(store: Store, notifications: readonly Notification[]): void {
  for (const notification of notifications) {
    notification.isUnread = false;
    notification.lastReadAt = store.now();
  }
  store.count("markRead");
}
