/** The condition that does not hold: modules are not required, and required files not imported. */
export type OtherWay = "import" | "require";

/** Every target that an `exports` or `imports` field names for a request, in its order. */
export function targetsOf(field: unknown, request: string, otherWay: OtherWay): string[] {
  if (field === undefined || field === null) return [];
  const isMap = typeof field === "object" && !Array.isArray(field);
  const keys = isMap ? Object.keys(field) : [];
  if (!keys.some((key) => key.startsWith(".") || key.startsWith("#"))) {
    return request === "." ? [...flatten(field, "", otherWay)] : [];
  }
  const entries = new Map(Object.entries(field));
  if (entries.has(request)) return [...flatten(entries.get(request), "", otherWay)];
  for (const key of keys.filter((name) => name.includes("*")).toSorted(bySpecificity)) {
    const matched = matchPattern(key, request);
    if (matched !== undefined) return [...flatten(entries.get(key), matched, otherWay)];
  }
  return [];
}

/** Whether a field says anything about a request, under whichever condition. */
export function namesRequest(field: unknown, request: string): boolean {
  const isMap = typeof field === "object" && field !== null && !Array.isArray(field);
  const folders = isMap ? Object.keys(field).filter((key) => key.endsWith("/")) : [];
  if (folders.some((folder) => request.startsWith(folder))) return true;
  const ways: readonly OtherWay[] = ["import", "require"];
  return ways.some((way) => targetsOf(field, request, way).length > 0);
}

const bySpecificity = (a: string, b: string): number =>
  b.indexOf("*") - a.indexOf("*") || b.length - a.length;

/** What the star of a pattern stands for. */
export function matchPattern(key: string, request: string): string | undefined {
  const star = key.indexOf("*");
  const [before, after] = [key.slice(0, star), key.slice(star + 1)];
  const fits = request.startsWith(before) && request.endsWith(after);
  return fits && request.length >= key.length
    ? request.slice(star, request.length - after.length)
    : undefined;
}

const MAX_DEPTH = 16;

/** The texts of nested conditions. */
function* flatten(target: unknown, star: string, otherWay: OtherWay, depth = 0): Generator<string> {
  if (typeof target === "string") yield target.replaceAll("*", star);
  else if (typeof target === "object" && target !== null && depth < MAX_DEPTH) {
    for (const [condition, value] of Object.entries(target)) {
      if (condition !== otherWay) yield* flatten(value, star, otherWay, depth + 1);
    }
  }
}
