import { resolveCommit, TAGS } from "../../store/commits.ts";
import { latestRelease } from "../../store/facts.ts";
import type { Release, ReleaseAsset } from "../../store/model.ts";
import { assetHtml, releaseHtml, repoApi } from "../../urls.ts";
import type { Fields, TypeFields } from "../context.ts";
import { entityFields, urlPath, reactableFields } from "./common.ts";
import { commitNode, refNode } from "./git-nodes.ts";

const releaseFields: Fields<Release> = {
  ...entityFields,
  ...reactableFields,
  name: ({ name }) => name,
  tagName: ({ tagName }) => tagName,
  description: ({ body }) => body,
  isDraft: ({ isDraft }) => isDraft,
  isPrerelease: ({ isPrerelease }) => isPrerelease,
  isLatest: (release) => latestRelease(release.repository) === release,
  publishedAt: ({ publishedAt }) => publishedAt,
  author: ({ author }) => author,
  repository: ({ repository }) => repository,
  tag: ({ repository, tagName }) => refNode(repository, `${TAGS}${tagName}`),
  tagCommit: ({ repository, tagName }, _args, { store }) => {
    const commit = resolveCommit(store, repository, `${TAGS}${tagName}`);
    return commit === undefined ? null : commitNode(store, repository, commit.oid);
  },
  releaseAssets: ({ assets }, args) => {
    const name = args.text("name");
    return name === undefined ? assets : assets.filter((one) => one.name === name);
  },
  url: (release, _args, { urls }) => releaseHtml(urls, release),
  resourcePath: (release, _args, { urls }) => urlPath(releaseHtml(urls, release)),
};

const assetFields: Fields<ReleaseAsset> = {
  ...entityFields,
  name: ({ name }) => name,
  contentType: ({ contentType }) => contentType,
  size: ({ content }) => content.length,
  downloadCount: ({ downloadCount }) => downloadCount,
  downloadUrl: (asset, _args, { urls }) => assetHtml(urls, asset),
  url: (asset, _args, { urls }) =>
    `${repoApi(urls, asset.release.repository)}/releases/assets/${asset.id}`,
  uploadedBy: ({ uploader }) => uploader,
  release: ({ release }) => release,
};

export const releaseTypes: TypeFields = { Release: releaseFields, ReleaseAsset: assetFields };
