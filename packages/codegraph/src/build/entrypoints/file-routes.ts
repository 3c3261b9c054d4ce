import type { Extraction } from "../symbols/extract/extraction.ts";
import type { FileExport } from "./file-exports.ts";
import { joinPaths } from "./paths.ts";

/** A file whose location determines what it serves. */
export interface PlacedFile {
  readonly x: Extraction;
  readonly path: string;
  readonly exports: readonly FileExport[];
}

const SCRIPT = String.raw`\.(?:[jt]sx?|mjs)$`;
const HTTP_METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);

const NEXT_APP = new RegExp(
  String.raw`(?:^|/)app/((?:.*/)?)(page|route|layout|default|template)${SCRIPT}`,
);
const NEXT_PAGES = new RegExp(String.raw`(?:^|/)pages/(.*?)${SCRIPT}`);
const NUXT_PAGES = /(?:^|\/)pages\/(.*)\.vue$/;
const NUXT_SERVER =
  /(?:^|\/)server\/(api|routes)\/(.*?)(?:\.(get|post|put|patch|delete|head))?\.[jt]s$/;
const SVELTE =
  /(?:^|\/)src\/routes\/((?:.*\/)?)\+(page|server|layout)(?:\.server)?(?:@[^.]*)?\.(?:svelte|[jt]s)$/;
const REMIX = new RegExp(String.raw`(?:^|/)app/routes/(.*?)(?:/route|/index)?${SCRIPT}`);

/** Pages and routes of Next.js, Nuxt, SvelteKit and Remix, by the location of a file. */
export function fileRoute(file: PlacedFile): void {
  const { path } = file;
  const next = NEXT_APP.exec(path);
  if (next) return nextApp(file, next[1]!, next[2]!);
  const svelte = SVELTE.exec(path);
  if (svelte) return svelteRoute(file, svelte[1]!, svelte[2]!);
  const remix = REMIX.exec(path);
  if (remix) return remixRoute(file, remix[1]!);
  const nuxtPage = NUXT_PAGES.exec(path);
  if (nuxtPage) return page(file, segments(withoutIndex(nuxtPage[1]!)), "nuxt", "default");
  const nuxtServer = NUXT_SERVER.exec(path);
  if (nuxtServer) return nuxtRoute(file, nuxtServer);
  const pages = NEXT_PAGES.exec(path);
  if (pages) nextPage(file, pages[1]!);
}

/** Converts a path: `(group)` is removed, `[id]` becomes `:id`, `[...rest]` becomes `*rest`. */
function segments(path: string): string {
  const parts = path
    .split("/")
    .filter((part) => part !== "" && !/^\(.*\)$/.test(part) && !part.startsWith("@"));
  return joinPaths(
    ...parts.map((part) =>
      part.replaceAll(
        /\[+(\.{3})?=?([^\]]*)\]+/g,
        (_, rest, name: string) => `${rest ? "*" : ":"}${name}`,
      ),
    ),
  );
}

const withoutIndex = (path: string): string => path.replace(/(?:^|\/)index$/, "");

function nextApp(file: PlacedFile, folder: string, what: string): void {
  const path = segments(folder);
  if (what === "page") page(file, path, "next", "default");
  else if (what === "route") methods(file, path, "next");
  else page(file, `${what} ${path}`, "next", "default");
}

function nextPage(file: PlacedFile, path: string): void {
  const name = segments(withoutIndex(path));
  const isApi = path.startsWith("api/");
  for (const found of file.exports) {
    if (found.name !== "default") continue;
    const kind = isApi ? "route" : "page";
    file.x.entrypoint({
      kind,
      name: isApi ? `ALL ${name}` : name,
      framework: "next",
      ...found.place,
    });
  }
}

function nuxtRoute(file: PlacedFile, [, folder, path, method]: RegExpExecArray): void {
  const name = joinPaths(folder === "api" ? "api" : "", segments(withoutIndex(path!)));
  for (const found of file.exports) {
    if (found.name !== "default") continue;
    const served = `${(method ?? "all").toUpperCase()} ${name}`;
    file.x.entrypoint({ kind: "route", name: served, framework: "nuxt", ...found.place });
  }
}

function svelteRoute(file: PlacedFile, folder: string, what: string): void {
  const path = segments(folder);
  if (what === "server") return methods(file, path, "sveltekit");
  const name = what === "layout" ? `layout ${path}` : path;
  if (file.path.endsWith(".svelte")) return tellFile(file, name, "sveltekit");
  for (const found of file.exports) {
    if (!["load", "actions"].includes(found.name)) continue;
    const served = `${found.name} ${path}`;
    file.x.entrypoint({ kind: "route", name: served, framework: "sveltekit", ...found.place });
  }
}

/** `users.$id.tsx` serves `/users/:id`. A leading `_` adds no path. */
function remixRoute(file: PlacedFile, path: string): void {
  const parts = path.split(/[./]/).filter((part) => part !== "_index" && !part.startsWith("_"));
  const name = joinPaths(
    ...parts.map((part) => (part === "$" ? "*" : part.replace(/^\$/, ":").replace(/_$/, ""))),
  );
  const served: Readonly<Record<string, string>> = {
    default: name,
    loader: `GET ${name}`,
    action: `POST ${name}`,
  };
  for (const found of file.exports) {
    const what = served[found.name];
    if (what === undefined) continue;
    file.x.entrypoint({
      kind: found.name === "default" ? "page" : "route",
      name: what,
      framework: "remix",
      ...found.place,
    });
  }
}

function methods(file: PlacedFile, path: string, framework: string): void {
  for (const found of file.exports) {
    if (!HTTP_METHODS.has(found.name)) continue;
    file.x.entrypoint({ kind: "route", name: `${found.name} ${path}`, framework, ...found.place });
  }
}

function page(file: PlacedFile, name: string, framework: string, exported: string): void {
  const found = file.exports.find((one) => one.name === exported);
  if (found) file.x.entrypoint({ kind: "page", name, framework, ...found.place });
  else if (/\.(?:vue|svelte)$/.test(file.path)) tellFile(file, name, framework);
}

/** Registers the whole file, because it is a component. */
function tellFile({ x }: PlacedFile, name: string, framework: string): void {
  x.entrypoint({ kind: "page", name, framework, line: 1, handler: 0 });
}
