import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isRecord } from "@waybill/core/schema";
import { isDocumentFile } from "@waybill/state/files";
import type { DocumentCache, HttpTransport } from "../../http/index.ts";
import { parseBytes, readDocumentFile, readDocumentUrl, readReason } from "./load-document.ts";
import type { LoadedDocument } from "./load-document.ts";
import type { Raw } from "./raw.ts";
import { SpecProblem, findRef } from "./references.ts";
import { plainDocument } from "./spec-document.ts";
import type { SpecDocument } from "./spec-document.ts";

/**
 * The limit for remote documents is lower, because each is a request, while local files are
 * cheap to read.
 */
const MAX_FILES = 5_000;
const MAX_DOCUMENTS = 200;
const MAX_DEPTH = 200;
/** The member of the bundled document that holds the other documents. */
const ROOT = "x-external";
/** Samples of client code. Their references are to source code, not to parts of the description. */
const CODE_SAMPLES = /^x-code-?samples?$/iu;

function getWhole(document: SpecDocument): Raw {
  return Object.fromEntries(document.names([]).map((name) => [name, document.at([name])]));
}

/** The last part of a location. The error for a missing reference uses it to name the document. */
function lastWord(location: string): string {
  const name = new URL(location).pathname.split("/").at(-1) ?? "";
  return name.replaceAll(/[^\w.-]+/gu, "_").slice(0, 60);
}

function isOutside(way: string): boolean {
  return way === ".." || /^\.\.[/\\]/u.test(way) || isAbsolute(way);
}

function notDocument(way: string): SpecProblem {
  const shown = way.slice(0, 120);
  return new SpecProblem(
    `it refers to ${shown}, which is not read. A reference may only name .json, .yaml and .yml files outside hidden folders and node_modules`,
  );
}

function outsideFolder(folder: string | undefined, file: string): SpecProblem {
  const way = folder === undefined ? ".." : relative(folder, file);
  return new SpecProblem(
    `it refers to a file outside its folder: ${way.slice(0, 120)}; copy that file into the folder`,
  );
}

/**
 * Reads a description and all documents that it refers to, and bundles them into one with local
 * references.
 */
class Bundle {
  readonly #transport: HttpTransport;
  readonly #cache: DocumentCache | undefined;
  readonly #folder: string | undefined;
  readonly #places = new Map<string, string>();
  readonly #queue: string[] = [];
  readonly documents: Raw = {};

  readonly warnings: string[] = [];

  constructor(location: string, transport: HttpTransport, cache: DocumentCache | undefined) {
    this.#transport = transport;
    this.#cache = cache;
    this.#folder = location.startsWith("file:") ? dirname(fileURLToPath(location)) : undefined;
    this.#places.set(location, "#");
  }

  get locations(): readonly string[] {
    return [...this.#places.keys()];
  }

  async all(root: Raw, location: string): Promise<Raw> {
    const whole = this.#rewritten(root, location, 0) as Raw;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      const key = this.#places.get(next)!.split("/").at(-1)!;
      const document = await this.#readOrTell(next);
      if (document !== undefined)
        this.documents[key] = this.#rewritten(getWhole(document), next, 0);
    }
    return { ...whole, [ROOT]: this.documents };
  }

  /** If a document cannot be read, only the references to it are broken. */
  async #readOrTell(location: string): Promise<SpecDocument | undefined> {
    try {
      return await this.#read(location);
    } catch (thrown) {
      const what = `its references to ${this.#shown(location)} cannot be followed`;
      this.warnings.push(`${what}: ${readReason(thrown)}`);
      return undefined;
    }
  }

  #shown(location: string): string {
    const { origin, pathname } = new URL(location);
    if (this.#folder === undefined || !location.startsWith("file:")) return `${origin}${pathname}`;
    // Compares URLs, because a reference with an encoded slash or a host is not a valid file path.
    return relative(pathToFileURL(this.#folder).pathname, pathname);
  }

  async #read(location: string): Promise<SpecDocument> {
    if (!location.startsWith("file:")) {
      const [transport, cache] = [this.#transport, this.#cache];
      const { value, warning } = await readDocumentUrl(location, transport, cache, parseBytes);
      if (warning !== undefined) this.warnings.push(warning);
      return value;
    }
    return parseBytes(await readDocumentFile(await this.#fileWithin(fileURLToPath(location))));
  }

  /** The real path of a file, because a symbolic link in the folder could point to any file. */
  async #fileWithin(named: string): Promise<string> {
    const folder = this.#folder;
    if (folder === undefined || isOutside(relative(folder, named)))
      throw outsideFolder(folder, named);
    const file = await realpath(named);
    const way = relative(await realpath(folder), file);
    if (isOutside(way)) throw outsideFolder(folder, named);
    if (!isDocumentFile(way)) throw notDocument(way);
    return file;
  }

  #rewritten(value: unknown, location: string, depth: number): unknown {
    if (depth > MAX_DEPTH) return value;
    if (Array.isArray(value))
      return value.map((item) => this.#rewritten(item, location, depth + 1));
    if (!isRecord(value)) return value;
    const ref = findRef(value);
    const entries = Object.entries(value).map(([key, inner]) =>
      key === "$ref" && ref !== undefined
        ? [key, this.#local(ref, location)]
        : [key, CODE_SAMPLES.test(key) ? inner : this.#rewritten(inner, location, depth + 1)],
    );
    return Object.fromEntries(entries) as Raw;
  }

  #local(ref: string, location: string): string {
    if (!URL.canParse(ref, location)) return ref;
    const url = new URL(ref, location);
    const { hash } = url;
    url.hash = "";
    const place = this.#places.get(url.href) ?? this.#add(url.href);
    return place === "#" ? hash || "#" : `${place}${hash.slice(1)}`;
  }

  #add(location: string): string {
    const most = this.#folder === undefined ? MAX_DOCUMENTS : MAX_FILES;
    if (this.#places.size > most) {
      throw new SpecProblem(`it refers to more than ${most} documents; join some of them`);
    }
    const place = `#/${ROOT}/${this.#places.size}-${lastWord(location)}`;
    this.#places.set(location, place);
    this.#queue.push(location);
    return place;
  }
}

export async function withExternal(
  loaded: LoadedDocument,
  transport: HttpTransport,
  cache: DocumentCache | undefined,
): Promise<LoadedDocument> {
  const { location, document } = loaded;
  if (location === undefined) return loaded;
  const bundle = new Bundle(location, transport, cache);
  const whole = plainDocument(await bundle.all(getWhole(document), location));
  const warnings = [...loaded.warnings, ...bundle.warnings];
  return { ...loaded, document: whole, warnings, locations: bundle.locations };
}
