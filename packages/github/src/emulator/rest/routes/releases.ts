import { given } from "../../input.ts";
import { can } from "../../store/access.ts";
import { StoreError, invalid } from "../../store/errors.ts";
import { latestRelease, nameWithOwner } from "../../store/facts.ts";
import type { Release, ReleaseAsset } from "../../store/model.ts";
import * as releases from "../../store/mutations/releases.ts";
import type { RestCall, Routes } from "../call.ts";
import { listReply } from "../pages.ts";
import { created, noContent, ok, redirect } from "../reply.ts";
import type { Reply } from "../reply.ts";
import { repoHtml } from "../../urls.ts";
import { assetView, releaseView } from "../views/release.ts";

/** The visible releases. Only users who can push see drafts. */
function seen({ repository, viewer }: RestCall): Release[] {
  const seesDrafts = can(viewer, repository, "WRITE");
  return repository.releases
    .filter(({ isDraft }) => !isDraft || seesDrafts)
    .toSorted((a, b) => b.id - a.id);
}

function findRelease(call: RestCall): Release {
  return call.pick(seen(call), "release_id");
}

function findAsset(call: RestCall): ReleaseAsset {
  return call.pick(
    seen(call).flatMap(({ assets }) => assets),
    "asset_id",
  );
}

function releaseInput({ body }: RestCall) {
  return given({
    tagName: body.text("tag_name"),
    targetCommitish: body.text("target_commitish"),
    name: body.textOrNull("name"),
    body: body.textOrNull("body"),
    isDraft: body.flag("draft"),
    isPrerelease: body.flag("prerelease"),
  });
}

/** The notes that GitHub writes: merged pull requests, and the changes since the latest release. */
function generatedNotes({ repository, urls }: RestCall, tagName: string): string {
  const page = repoHtml(urls, repository);
  const lines = [...repository.issues.values()].flatMap((one) =>
    "mergedAt" in one && one.mergedAt !== null
      ? [`* ${one.title} by @${one.author.login} in ${page}/pull/${one.number}`]
      : [],
  );
  const latest = latestRelease(repository)?.tagName;
  const changes = latest === undefined ? `commits/${tagName}` : `compare/${latest}...${tagName}`;
  return ["## What's Changed", ...lines, "", `**Full Changelog**: ${page}/${changes}`].join("\n");
}

/** The name and notes of a release, if GitHub is asked to write them. Given notes come first. */
function generated(call: RestCall, tagName: string): { name?: string; body?: string } {
  if (call.body.flag("generate_release_notes") !== true) return {};
  const own = call.body.text("body");
  const notes = generatedNotes(call, tagName);
  return {
    name: call.body.text("name") ?? tagName,
    body: own === undefined ? notes : `${own}\n\n${notes}`,
  };
}

function found(release: Release | undefined, call: RestCall): Reply {
  if (release === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  return ok(releaseView(call.urls, release));
}

function create(call: RestCall): Reply {
  const { tagName, ...facts } = releaseInput(call);
  if (tagName === undefined)
    throw invalid({ resource: "Release", field: "tag_name", code: "missing_field" });
  const { store, viewer, repository } = call;
  return created(
    releaseView(
      call.urls,
      releases.createRelease(store, viewer, repository, {
        tagName,
        ...facts,
        ...generated(call, tagName),
      }),
    ),
  );
}

function upload(call: RestCall): Reply {
  const { store, viewer, rawBody, contentType } = call;
  const asset = releases.uploadAsset(store, viewer, findRelease(call), {
    name: call.query("name") ?? "",
    label: call.query("label") ?? null,
    contentType: contentType === "" ? "application/octet-stream" : contentType,
    content: rawBody,
  });
  return created(assetView(call.urls, asset));
}

/** The same URL returns an asset's description or redirects to its file, by media type. */
function viewAsset(call: RestCall): Reply {
  const one = findAsset(call);
  if (!call.accept.includes("octet-stream")) return ok(assetView(call.urls, one));
  one.downloadCount += 1;
  return redirect(302, `${call.urls.storage}/${nameWithOwner(call.repository)}/assets/${one.id}`);
}

const RELEASES = "/repos/{owner}/{repo}/releases";

export const releaseRoutes: Routes = {
  [`GET ${RELEASES}`]: (call) => listReply(call, seen(call), (one) => releaseView(call.urls, one)),
  [`POST ${RELEASES}`]: create,
  [`GET ${RELEASES}/latest`]: (call) => found(latestRelease(call.repository), call),
  [`GET ${RELEASES}/tags/{tag}`]: (call) =>
    found(
      call.repository.releases.find((one) => one.tagName === call.param("tag") && !one.isDraft),
      call,
    ),
  [`GET ${RELEASES}/{release_id}`]: (call) => ok(releaseView(call.urls, findRelease(call))),
  [`PATCH ${RELEASES}/{release_id}`]: (call) => {
    const release = findRelease(call);
    releases.updateRelease(call.store, call.viewer, release, releaseInput(call));
    return ok(releaseView(call.urls, release));
  },
  [`DELETE ${RELEASES}/{release_id}`]: (call) => {
    releases.deleteRelease(call.store, call.viewer, findRelease(call));
    return noContent;
  },
  [`GET ${RELEASES}/{release_id}/assets`]: (call) =>
    listReply(call, findRelease(call).assets, (one) => assetView(call.urls, one)),
  [`POST ${RELEASES}/{release_id}/assets`]: upload,
  [`GET ${RELEASES}/assets/{asset_id}`]: viewAsset,
  [`DELETE ${RELEASES}/assets/{asset_id}`]: (call) => {
    releases.deleteAsset(call.store, call.viewer, findAsset(call));
    return noContent;
  },
};
