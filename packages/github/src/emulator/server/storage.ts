import { jobLog, runLogs } from "../logs.ts";
import { failure, raw } from "../rest/reply.ts";
import type { Reply } from "../rest/reply.ts";
import { nameWithOwner } from "../store/facts.ts";
import type { Entity, Repository } from "../store/model.ts";
import type { Store } from "../store/store.ts";
import { zip } from "../zip.ts";

type Read = (repository: Repository, id: number, url: URL) => Reply | undefined;

function byId<E extends Entity>(list: readonly E[], id: number): E | undefined {
  return list.find((one) => one.id === id);
}

/** What is kept outside of the API, by the folder it is in. */
const FOLDERS: Readonly<Record<string, Read>> = {
  "logs/jobs": ({ runs }, id) => {
    const job = byId(
      runs.flatMap(({ suite }) => suite.checkRuns),
      id,
    );
    return job && raw(Buffer.from(jobLog(job)), "text/plain; charset=utf-8");
  },
  "logs/runs": ({ runs }, id, url) => {
    const run = byId(runs, id);
    const attempt = Number(url.searchParams.get("attempt") ?? run?.attempt);
    return run && raw(runLogs(run, attempt), "application/zip");
  },
  artifacts: ({ runs }, id) => {
    const artifact = byId(
      runs.flatMap(({ artifacts }) => artifacts),
      id,
    );
    const file = artifact && { name: `${artifact.name}.json`, content: artifact.content };
    return file && raw(zip([file]), "application/zip");
  },
  assets: ({ releases }, id) => {
    const asset = byId(
      releases.flatMap(({ assets }) => assets),
      id,
    );
    return asset && raw(asset.content, asset.contentType);
  },
};

/** Addresses here are signed for whoever holds them; a token sent along is a mistake, and refused. */
export function readStorage(store: Store, url: URL, authorization: string | undefined): Reply {
  if (authorization !== undefined) {
    return failure(400, "Authentication information is not given in the correct format.");
  }
  const [, owner, name, folder, id] = /^\/([^/]+)\/([^/]+)\/(.+)\/(\d+)$/.exec(url.pathname) ?? [];
  const repository = store.repositories.find(
    (one) => nameWithOwner(one) === `${owner ?? ""}/${name ?? ""}`,
  );
  const read = FOLDERS[folder ?? ""];
  return (repository && read?.(repository, Number(id), url)) ?? failure(404, "Not Found");
}
