import { readFile, readdir } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { CallError } from "@waybill/core";
import type { HeaderReader } from "../connection.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json; charset=utf-8",
  ".woff2": "font/woff2",
};

/** Headers of the page. It loads nothing from other sites, and no other page may embed it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

/** Matches file names with a hash of their content. Such files can be cached forever. */
const HASHED = /-[\w-]{8,}\.(?:js|css|svg|png|woff2)$/u;
const FOR_EVER = "public, max-age=31536000, immutable";

const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

const MAX_FILES = 1_000;

async function filesIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (cause: unknown) => {
      throw new CallError(
        "VALIDATION_ERROR",
        `The files of the inspector page are missing from ${folder}; install Waybill again`,
        {},
        { cause },
      );
    },
  );
  const paths = entries.filter((entry) => entry.isFile()).slice(0, MAX_FILES);
  return new Map(
    paths.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [`/${relative(folder, path).split(sep).join("/")}`, path];
    }),
  );
}

/** Serves the page's files. The list of files is read once, at the first request. */
export class Page {
  readonly #folder: string;
  #files: Promise<Map<string, string>> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined if there is no such file. */
  async answer(path: string, header: HeaderReader): Promise<Response | undefined> {
    const files = await (this.#files ??= filesIn(this.#folder));
    const name = path === "/" ? "/index.html" : path;
    const type = TYPES[extname(name)];
    const file = files.get(name);
    if (file === undefined || type === undefined) return undefined;
    const accepted = header("accept-encoding") ?? "";
    const [encoding, ending] =
      ENCODINGS.find(([word, end]) => accepted.includes(word) && files.has(name + end)) ?? [];
    return new Response(await readFile(ending === undefined ? file : file + ending), {
      headers: {
        ...HEADERS,
        "content-type": type,
        "cache-control": HASHED.test(name) ? FOR_EVER : "no-cache",
        vary: "accept-encoding",
        ...(encoding !== undefined && { "content-encoding": encoding }),
      },
    });
  }
}
