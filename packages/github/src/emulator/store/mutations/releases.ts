import { need } from "../access.ts";
import { TAGS, resolveCommit } from "../commits.ts";
import { invalid } from "../errors.ts";
import type { Release, ReleaseAsset, Repository, User } from "../model.ts";
import type { Store } from "../store.ts";
import { drop } from "./conversations.ts";

export interface ReleaseInput {
  readonly tagName: string;
  readonly targetCommitish?: string;
  readonly name?: string | null;
  readonly body?: string | null;
  readonly isDraft?: boolean;
  readonly isPrerelease?: boolean;
}

export function createRelease(
  store: Store,
  author: User,
  repository: Repository,
  facts: ReleaseInput,
): Release {
  need(author, repository, "WRITE");
  checkTag(repository, facts.tagName);
  const { tagName, name = null, body = null, isDraft = false, isPrerelease = false } = facts;
  const targetCommitish = facts.targetCommitish ?? repository.defaultBranch;
  checkTarget(store, repository, tagName, targetCommitish);
  const release = store.create<Release>("Release", {
    repository,
    author,
    tagName,
    targetCommitish,
    name,
    body,
    isDraft,
    isPrerelease,
    publishedAt: null,
    assets: [],
    reactions: [],
  });
  repository.releases.push(release);
  if (!isDraft) publish(store, release);
  store.count("createRelease");
  return release;
}

function checkTag({ releases }: Repository, tagName: string, own?: Release): void {
  if (tagName === "" || /[\s~^:?*[\\]|\.\./.test(tagName)) {
    const message = "tag_name is not a valid tag";
    throw invalid({ resource: "Release", field: "tag_name", code: "custom", message });
  }
  const twin = releases.find((one) => one.tagName === tagName && one !== own && !one.isDraft);
  if (twin !== undefined) {
    throw invalid({ resource: "Release", field: "tag_name", code: "already_exists" });
  }
}

function checkTarget(store: Store, repository: Repository, tag: string, target: string): void {
  const isThere = repository.refs.has(`${TAGS}${tag}`) || resolveCommit(store, repository, target);
  if (!isThere) throw invalid({ resource: "Release", field: "target_commitish", code: "invalid" });
}

/** Publishes a release, and creates its tag if it does not exist. */
function publish(store: Store, release: Release): void {
  const { repository, tagName, targetCommitish } = release;
  release.isDraft = false;
  release.publishedAt = store.now();
  const target = resolveCommit(store, repository, targetCommitish);
  if (repository.refs.has(`${TAGS}${tagName}`) || target === undefined) return;
  repository.refs.set(`${TAGS}${tagName}`, target.oid);
}

export function updateRelease(
  store: Store,
  actor: User,
  release: Release,
  { isDraft, ...edits }: Partial<ReleaseInput>,
): void {
  need(actor, release.repository, "WRITE");
  if (edits.tagName !== undefined) checkTag(release.repository, edits.tagName, release);
  if (isDraft === false && release.isDraft) checkTag(release.repository, release.tagName, release);
  Object.assign(release, edits);
  if (isDraft === false && release.isDraft) publish(store, release);
  if (isDraft === true) release.isDraft = true;
  store.touch(release);
  store.count("updateRelease");
}

export function deleteRelease(store: Store, actor: User, release: Release): void {
  need(actor, release.repository, "WRITE");
  drop(release.repository.releases, release);
  store.forget(release, ...release.assets);
  store.count("deleteRelease");
}

export function uploadAsset(
  store: Store,
  uploader: User,
  release: Release,
  facts: Pick<ReleaseAsset, "name" | "label" | "contentType" | "content">,
): ReleaseAsset {
  need(uploader, release.repository, "WRITE");
  if (facts.name === "")
    throw invalid({ resource: "ReleaseAsset", field: "name", code: "missing_field" });
  if (release.assets.some(({ name }) => name === facts.name)) {
    throw invalid({ resource: "ReleaseAsset", field: "name", code: "already_exists" });
  }
  const asset = store.create<ReleaseAsset>("ReleaseAsset", {
    ...facts,
    release,
    uploader,
    downloadCount: 0,
  });
  release.assets.push(asset);
  store.touch(release);
  store.count("uploadAsset");
  return asset;
}

export function deleteAsset(store: Store, actor: User, asset: ReleaseAsset): void {
  need(actor, asset.release.repository, "WRITE");
  drop(asset.release.assets, asset);
  store.forget(asset);
  store.count("deleteAsset");
}
