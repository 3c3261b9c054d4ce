import { listedPackages } from "../../graph/index.ts";
import type { Manifest } from "../../graph/index.ts";
import { parentFolder } from "../resolve/tree.ts";

/** A file and the name of its export. */
export interface OfferedName {
  readonly file: number;
  readonly name: string;
}

/** The part of a file that determines which names Nuxt provides. */
export interface NamedFile {
  readonly id: number;
  readonly path: string;
  readonly exports: readonly string[];
}

/** Names that files of a Nuxt application can use without an import. */
interface NuxtApp {
  readonly folder: string;
  readonly names: Map<string, OfferedName>;
  /** Names that only files below `server` can use. */
  readonly serverNames: Map<string, OfferedName>;
}

const SCRIPT = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const OFFERED = /^(?:app\/|src\/)?(?:composables|utils|stores|shared\/(?:utils|types))\//;
const SERVER = /^server\/(?:utils|models)\//;
const COMPONENT =
  /^(?:app\/|src\/)?components\/(.+?)(?:\.(?:client|server|global))?\.(?:vue|[jt]sx)$/;

/** The folders whose package.json lists Nuxt. */
export function nuxtFolders(manifests: readonly Manifest[]): string[] {
  return manifests
    .filter((manifest) => listedPackages(manifest).includes("nuxt"))
    .map(({ path }) => parentFolder(path))
    .toSorted((a, b) => b.length - a.length);
}

/** Whether a file belongs to one of the applications. */
export function isInNuxt(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => folder === "" || path.startsWith(`${folder}/`));
}

/**
 * Names that Nuxt imports automatically: exports of files in `composables`, `utils` and `stores`,
 * and components by location. Nested folders count too, because settings can add them.
 */
export class NuxtNames {
  readonly #apps: readonly NuxtApp[];

  constructor(files: readonly NamedFile[], manifests: readonly Manifest[]) {
    this.#apps = nuxtFolders(manifests).map((folder) => {
      return { folder, names: new Map(), serverNames: new Map() };
    });
    if (this.#apps.length === 0) return;
    for (const file of files) {
      const app = this.#appAt(file.path);
      if (app) offer(app, file);
    }
  }

  get areThere(): boolean {
    return this.#apps.length > 0;
  }

  /** Finds the export for a name that a file uses without an import. */
  find(path: string, name: string): OfferedName | undefined {
    const app = this.#appAt(path);
    if (!app) return undefined;
    const isServer = pathInside(app, path).startsWith("server/");
    return (isServer ? app.serverNames.get(name) : undefined) ?? app.names.get(name);
  }

  #appAt(path: string): NuxtApp | undefined {
    return this.#apps.find(({ folder }) => folder === "" || path.startsWith(`${folder}/`));
  }
}

function pathInside({ folder }: NuxtApp, path: string): string {
  return folder === "" ? path : path.slice(folder.length + 1);
}

function offer(app: NuxtApp, { path, exports, id: file }: NamedFile): void {
  const inside = pathInside(app, path);
  const component = COMPONENT.exec(inside)?.[1];
  if (component !== undefined) {
    for (const name of componentNames(component))
      takeName(app.names, name, { file, name: "default" });
  }
  if (!SCRIPT.test(path)) return;
  const names = OFFERED.test(inside)
    ? app.names
    : SERVER.test(inside)
      ? app.serverNames
      : undefined;
  if (!names) return;
  for (const name of exports) {
    const called = name === "default" ? defaultName(inside) : name;
    takeName(names, called, { file, name });
  }
}

function takeName(names: Map<string, OfferedName>, name: string, offered: OfferedName): void {
  if (!names.has(name)) names.set(name, offered);
}

function fileStem(path: string): string {
  const parts = path.replace(SCRIPT, "").split("/");
  const last = parts.pop() ?? "";
  return last === "index" ? (parts.pop() ?? last) : last;
}

/** The name that Nuxt gives to a default export. */
export function defaultName(path: string): string {
  return camelCase(fileStem(path));
}

const words = (text: string): string[] => text.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/);

function pascalCase(text: string): string {
  return words(text)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

function camelCase(text: string): string {
  const name = pascalCase(text);
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

/** Both `base/BaseButton` and `base/Button` are `BaseButton`. A setting may omit the folder. */
function componentNames(path: string): string[] {
  const parts = path.split("/");
  const last = parts.pop()!;
  const own = last === "index" ? (parts.pop() ?? last) : last;
  const plain = pascalCase(own);
  let whole = plain;
  for (const part of parts.toReversed()) {
    const prefix = pascalCase(part);
    if (!whole.startsWith(prefix)) whole = prefix + whole;
  }
  const names = [...new Set([whole, plain])];
  return [...names, ...names.map((name) => `Lazy${name}`)];
}
