import { gzipSync } from "node:zlib";
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

/** The kinds of files that are stored outside of the API, by folder. */
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

const MAX_NAME = 100;
const BLOCK = 512;

/** One file of a tar archive: a header of octal numbers with a checksum, then the content. */
function tarEntry(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name.slice(0, MAX_NAME), 0);
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        0", 148);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
  return Buffer.concat([header, content, padding]);
}

/** All files of a commit, below a folder named after the repository and the commit. */
function readArchive(store: Store, repository: Repository, format: string, oid: string): Reply {
  const folder = `${repository.owner.login}-${repository.name}-${oid.slice(0, 7)}`;
  const files = [...store.objects.filesAt(oid)].map(([path, blob]) => ({
    name: `${folder}/${path}`,
    content: store.objects.blob(blob) ?? Buffer.alloc(0),
  }));
  if (format === "zip") return download(`${folder}.zip`, zip(files), "application/zip");
  const entries = files.map(({ name, content }) => tarEntry(name, content));
  const tar = Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]);
  return download(`${folder}.tar.gz`, gzipSync(tar), "application/x-gzip");
}

/** `gh release download --archive` takes the file name from this header. */
function download(fileName: string, content: Buffer, contentType: string): Reply {
  const { headers, ...reply } = raw(content, contentType);
  const disposition = `attachment; filename=${fileName}`;
  return { ...reply, headers: { ...headers, "content-disposition": disposition } };
}

/** URLs of stored files are signed, so they need no token. A request with a token is refused. */
export function readStorage(store: Store, url: URL, authorization: string | undefined): Reply {
  if (authorization !== undefined) {
    return failure(400, "Authentication information is not given in the correct format.");
  }
  const [, owner, name, folder, id] = /^\/([^/]+)\/([^/]+)\/(.+)\/(\d+)$/.exec(url.pathname) ?? [];
  const repository = store.repositories.find(
    (one) => nameWithOwner(one) === `${owner ?? ""}/${name ?? ""}`,
  );
  const [, format, oid] = /\/archive\/(zip|tar)\/([0-9a-f]{40})$/.exec(url.pathname) ?? [];
  if (format !== undefined && oid !== undefined) {
    const place = store.repositories.find((one) =>
      url.pathname.startsWith(`/${nameWithOwner(one)}/archive/`),
    );
    if (place !== undefined) return readArchive(store, place, format, oid);
  }
  const read = FOLDERS[folder ?? ""];
  return (repository && read?.(repository, Number(id), url)) ?? failure(404, "Not Found");
}
