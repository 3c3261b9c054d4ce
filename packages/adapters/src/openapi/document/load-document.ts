import { stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { CallError, fail, isCallError } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import { readPlainFile } from "@waybill/state/files";
import { fetchDocument } from "../../http/index.ts";
import type { DocumentCache, FetchedDocument, HttpTransport } from "../../http/index.ts";
import { SpecProblem } from "./references.ts";
import { jsonDocument, plainDocument } from "./spec-document.ts";
import type { SpecDocument } from "./spec-document.ts";
import { assertDescription } from "./specification.ts";

/** The location of a description. Exactly one member must be set. */
export interface DocumentOptions {
  /**
   * The description as a value, as JSON or YAML text, or as a function that returns the text on
   * demand.
   */
  readonly document?: object | string | (() => Promise<Uint8Array>) | undefined;
  readonly file?: string | undefined;
  readonly url?: string | undefined;
  /** The base of relative URLs (default: `url`). */
  readonly baseUrl?: string | undefined;
  /**
   * Caches fetched documents. They are fetched again only if they may have changed, and the
   * cached copy is used offline.
   */
  readonly cache?: DocumentCache | undefined;
}

export interface LoadedDocument {
  readonly document: SpecDocument;
  /** The base of relative URLs. */
  readonly baseUrl: string | undefined;
  readonly location: string | undefined;
  /** The locations of all documents, if there are several. */
  readonly locations?: readonly string[];
  /** Warnings about the description, for the user. */
  readonly warnings: readonly string[];
}

const MAX_BYTES = 256_000_000;
/**
 * The limit for YAML is lower, because YAML takes a hundred times as long to parse as JSON of
 * the same size.
 */
const MAX_YAML_BYTES = 32_000_000;
const LOAD_MS = 120_000;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

function tooLarge(bytes: number, limit: number): SpecProblem {
  const [size, allowed] = [bytes, limit].map((each) => Math.ceil(each / 1_000_000));
  return new SpecProblem(
    `it has ${size} MB, but the limit is ${allowed} MB; remove the parts that you do not call`,
  );
}

async function readYaml(text: string): Promise<unknown> {
  const { parseDocument } = await import("yaml");
  const parsed = parseDocument(text, { logLevel: "silent", merge: true });
  const [first] = parsed.errors;
  if (first !== undefined)
    throw new SpecProblem(`it is not valid YAML: ${first.message.split("\n")[0]}`);
  try {
    return parsed.toJS({ maxAliasCount: 1_000 }) as unknown;
  } catch (thrown) {
    const { message } = thrown as Error;
    throw new SpecProblem(
      message.startsWith("Unresolved")
        ? `it is not valid YAML: ${message}`
        : "its YAML has more than 1000 aliases; convert it to JSON",
    );
  }
}

/** Text that starts with a brace is parsed as JSON. Everything else is parsed as YAML. */
export async function parseBytes(given: Buffer): Promise<SpecDocument> {
  const bytes = given.subarray(0, 3).equals(BOM) ? given.subarray(3) : given;
  const start = bytes.toString("latin1", 0, 200);
  if (/^\s*\{/u.test(start)) return jsonDocument(bytes);
  if (/^\s*</u.test(start)) {
    throw new SpecProblem(
      "it is a web page or XML; pass the address of the JSON or YAML file itself",
    );
  }
  if (bytes.length > MAX_YAML_BYTES) throw tooLarge(bytes.length, MAX_YAML_BYTES);
  const value = await readYaml(bytes.toString("utf8"));
  if (!isRecord(value))
    throw new SpecProblem("it is not a JSON or YAML object; pass the file of the API description");
  return plainDocument(value);
}

export async function readDocumentFile(file: string): Promise<Buffer> {
  const found = await stat(file);
  // Refuses pipes and devices, because reading them may never end.
  if (!found.isFile())
    throw new SpecProblem("it is not a file; pass the file of the API description");
  const { size } = found;
  if (size > MAX_BYTES) throw tooLarge(size, MAX_BYTES);
  return readPlainFile(file, MAX_BYTES);
}

export function readDocumentUrl(
  url: string,
  transport: HttpTransport,
  cache: DocumentCache | undefined,
  read: (bytes: Buffer) => Promise<SpecDocument>,
): Promise<FetchedDocument<SpecDocument>> {
  const accept = "application/json, application/yaml, */*;q=0.5";
  const limits = { maxBytes: MAX_BYTES, timeoutMs: LOAD_MS };
  return fetchDocument(url, transport, { accept, ...limits, cache, read });
}

/** Checks the content, because an error page may be valid JSON but is not a description. */
async function parseDescription(bytes: Buffer): Promise<SpecDocument> {
  const document = await parseBytes(bytes);
  assertDescription(document);
  return document;
}

async function parseGiven(document: DocumentOptions["document"]): Promise<SpecDocument> {
  if (typeof document === "function") return parseBytes(Buffer.from(await document()));
  return typeof document === "string" ? parseBytes(Buffer.from(document)) : plainDocument(document);
}

async function loadText(
  { document, file, url, cache }: DocumentOptions,
  transport: HttpTransport,
): Promise<LoadedDocument> {
  if (url !== undefined) {
    const fetched = await readDocumentUrl(url, transport, cache, parseDescription);
    const { value, url: baseUrl, warning } = fetched;
    const warnings = warning === undefined ? [] : [warning];
    return { document: value, baseUrl, location: baseUrl, warnings };
  }
  if (file !== undefined) {
    const location = pathToFileURL(file).href;
    return {
      document: await parseBytes(await readDocumentFile(file)),
      baseUrl: undefined,
      location,
      warnings: [],
    };
  }
  const parsed = await parseGiven(document);
  return { document: parsed, baseUrl: undefined, location: undefined, warnings: [] };
}

export function readReason(thrown: unknown): string {
  const isPlain = thrown instanceof Error && typeof Reflect.get(thrown, "code") !== "string";
  if (isPlain || isCallError(thrown)) return thrown.message;
  return `it could not be read (${String(Reflect.get(thrown as object, "code"))}); check its path and permissions`;
}

/** Gives the error of a failed download the form of a failed call. */
function unfetched(name: string, { code, message, details, cause }: CallError): CallError {
  return new CallError(code, `The description of ${name} cannot be fetched: ${message}`, details, {
    cause,
  });
}

export function unreadableDescription(name: string, thrown: unknown): CallError {
  if (isCallError(thrown)) return unfetched(name, thrown);
  const message = `The description of ${name} cannot be used: ${readReason(thrown)}`;
  return fail("VALIDATION", message, { outcome: "not_applied" }, { cause: thrown });
}

/** Reads a description. Throws an error that says what is wrong with it. */
export async function loadDocument(
  name: string,
  options: DocumentOptions,
  transport: HttpTransport,
): Promise<LoadedDocument> {
  const given = [options.document, options.file, options.url].filter((each) => each !== undefined);
  if (given.length !== 1) {
    throw new TypeError(`${name} needs exactly one of document, file and url`);
  }
  try {
    return await loadText(options, transport);
  } catch (thrown) {
    throw unreadableDescription(name, thrown);
  }
}
