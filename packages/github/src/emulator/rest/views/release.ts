import type { Release, ReleaseAsset } from "../../store/model.ts";
import { assetHtml, releaseHtml, repoApi } from "../../urls.ts";
import type { Urls } from "../../urls.ts";
import { simpleUser } from "./account.ts";
import { getDigest } from "./digest.ts";

export function assetView(urls: Urls, asset: ReleaseAsset): Record<string, unknown> {
  return {
    url: `${repoApi(urls, asset.release.repository)}/releases/assets/${asset.id}`,
    browser_download_url: assetHtml(urls, asset),
    id: asset.id,
    node_id: asset.nodeId,
    name: asset.name,
    label: asset.label,
    state: "uploaded",
    content_type: asset.contentType,
    size: asset.content.length,
    digest: getDigest(asset),
    download_count: asset.downloadCount,
    created_at: asset.createdAt,
    updated_at: asset.updatedAt,
    uploader: simpleUser(urls, asset.uploader),
  };
}

export function releaseView(urls: Urls, release: Release): Record<string, unknown> {
  const { repository, tagName, isDraft } = release;
  const api = repoApi(urls, repository);
  const path = `/repos/${repository.owner.login}/${repository.name}/releases/${release.id}/assets`;
  const archive = (format: string): string | null =>
    isDraft ? null : `${api}/${format}/${encodeURIComponent(tagName)}`;
  return {
    url: `${api}/releases/${release.id}`,
    assets_url: `${api}/releases/${release.id}/assets`,
    upload_url: `${urls.uploads}${path}{?name,label}`,
    html_url: releaseHtml(urls, release),
    id: release.id,
    node_id: release.nodeId,
    author: simpleUser(urls, release.author),
    tag_name: tagName,
    target_commitish: release.targetCommitish,
    name: release.name,
    draft: isDraft,
    immutable: false,
    prerelease: release.isPrerelease,
    created_at: release.createdAt,
    updated_at: release.updatedAt,
    published_at: release.publishedAt,
    assets: release.assets.map((asset) => assetView(urls, asset)),
    tarball_url: archive("tarball"),
    zipball_url: archive("zipball"),
    body: release.body,
  };
}
