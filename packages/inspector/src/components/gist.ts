/** Members that name a thing, and so stand before the others. */
const NAMING = new Set(["owner", "name", "repo", "number", "id"]);
const MAX_VALUE = 40;
const MAX_OTHERS = 3;

type Params = Readonly<Record<string, unknown>>;

/** `octo/hello#2` for what the usual members name together. */
function reference({ owner, name, repo, number, id }: Params): string {
  const of = typeof repo === "string" && repo.includes("/") ? repo : [owner, name ?? repo];
  const place = [of]
    .flat()
    .filter((part) => typeof part === "string")
    .join("/");
  const which = number ?? id;
  const isShown = typeof which === "number" || typeof which === "string";
  return `${place}${isShown ? `#${which}` : ""}`;
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

/** An input in a line: the thing that it names, then what is asked of it. */
export function gist(input: string): string {
  let params: unknown;
  try {
    params = JSON.parse(input);
  } catch {
    // Only the beginning of a long input is known.
    return input.replaceAll(/["{}]/gu, "").replaceAll(",", ", ");
  }
  if (typeof params !== "object" || params === null || Array.isArray(params)) return short(params);
  const others = Object.entries(params)
    .filter(([name]) => !NAMING.has(name))
    .slice(0, MAX_OTHERS)
    .map(([name, value]) => `${name}: ${short(value)}`);
  return [reference(params as Params), ...others].filter(Boolean).join(", ");
}
