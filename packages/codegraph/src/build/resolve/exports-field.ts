/** The importing file, which determines the conditions of a field. */
export interface Importer {
  readonly isRequire: boolean;
  /** Conditions from the importer's settings, such as `customConditions`. */
  readonly conditions?: readonly string[];
}

/** The targets of a request, each list in the order of the field. */
export interface ConditionalTargets {
  /** Targets whose conditions are met. The first is used. */
  readonly held: readonly string[];
  /** Targets with a custom condition that only a project knows, such as `source`. */
  readonly custom: readonly string[];
  /** Targets for another environment, such as `browser` or `react-server`. */
  readonly elsewhere: readonly string[];
}

const NO_TARGETS: ConditionalTargets = { held: [], custom: [], elsewhere: [] };
const ALWAYS = ["types", "node", "module", "module-sync", "default"];
const ENVIRONMENTS: ReadonlySet<string> = new Set([
  "browser",
  "bun",
  "deno",
  "edge",
  "edge-light",
  "edge-routine",
  "electron",
  "lagon",
  "netlify",
  "react-native",
  "react-server",
  "server-only",
  "style",
  "sass",
  "worker",
  "workerd",
  "worklet",
]);

/** The targets of a request in an `exports` or `imports` field. */
export function exportTargets(
  field: unknown,
  request: string,
  importer: Importer,
): ConditionalTargets {
  if (field === undefined || field === null) return NO_TARGETS;
  const isMap = typeof field === "object" && !Array.isArray(field);
  const keys = isMap ? Object.keys(field) : [];
  if (!keys.some((key) => key.startsWith(".") || key.startsWith("#"))) {
    return request === "." ? sortTargets(field, "", importer) : NO_TARGETS;
  }
  const entries = new Map(Object.entries(field));
  if (entries.has(request)) return sortTargets(entries.get(request), "", importer);
  for (const key of keys.filter((name) => name.includes("*")).toSorted(bySpecificity)) {
    const matched = matchPattern(key, request);
    if (matched !== undefined) return sortTargets(entries.get(key), matched, importer);
  }
  return NO_TARGETS;
}

/** All targets, the most certain first. */
export function allTargets({ held, custom, elsewhere }: ConditionalTargets): string[] {
  return [...held, ...custom, ...elsewhere];
}

/** Whether a field contains a request, under any condition. */
export function namesRequest(field: unknown, request: string): boolean {
  const isMap = typeof field === "object" && field !== null && !Array.isArray(field);
  const folders = isMap ? Object.keys(field).filter((key) => key.endsWith("/")) : [];
  if (folders.some((folder) => request.startsWith(folder))) return true;
  return [true, false].some(
    (isRequire) => allTargets(exportTargets(field, request, { isRequire })).length > 0,
  );
}

const bySpecificity = (a: string, b: string): number =>
  b.indexOf("*") - a.indexOf("*") || b.length - a.length;

/** The part that matches the star of a pattern. */
export function matchPattern(key: string, request: string): string | undefined {
  const star = key.indexOf("*");
  const [before, after] = [key.slice(0, star), key.slice(star + 1)];
  const fits = request.startsWith(before) && request.endsWith(after);
  return fits && request.length >= key.length
    ? request.slice(star, request.length - after.length)
    : undefined;
}

const MAX_DEPTH = 16;

/** Adds the targets of nested conditions to the list of their least certain condition. */
function sortTargets(target: unknown, star: string, importer: Importer): ConditionalTargets {
  const found = { held: [] as string[], custom: [] as string[], elsewhere: [] as string[] };
  const way = importer.isRequire ? "require" : "import";
  const active = new Set([...ALWAYS, way, ...(importer.conditions ?? [])]);
  const visit = (value: unknown, list: keyof typeof found, depth: number): void => {
    if (typeof value === "string") found[list].push(value.replaceAll("*", star));
    if (typeof value !== "object" || value === null || depth === MAX_DEPTH) return;
    for (const [condition, inner] of Object.entries(value)) {
      const isHeld = Array.isArray(value) || active.has(condition);
      if (isHeld) visit(inner, list, depth + 1);
      else if (ENVIRONMENTS.has(condition)) visit(inner, "elsewhere", depth + 1);
      else if (condition !== (importer.isRequire ? "import" : "require")) {
        visit(inner, list === "elsewhere" ? list : "custom", depth + 1);
      }
    }
  };
  visit(target, "held", 0);
  return found;
}
