/** Members that identify an object. They are shown before the others. */
const NAMING = /^(?:owner|name|repo|id|number|\w+Number)$/u;
const MAX_VALUE = 40;
const MAX_OTHERS = 3;

type Params = Readonly<Record<string, unknown>>;

/** Builds a reference such as `octo/hello#2` from the usual members. */
function reference(params: Params): string {
  const { owner, name, repo, id } = params;
  const of = typeof repo === "string" && repo.includes("/") ? repo : [owner, name ?? repo];
  const place = [of]
    .flat()
    .filter((part) => typeof part === "string")
    .join("/");
  const numbered = Object.keys(params).find((key) => /^number$|Number$/u.test(key));
  const which = numbered === undefined ? id : params[numbered];
  const isShown = typeof which === "number" || typeof which === "string";
  return `${place}${isShown ? `#${which}` : ""}`;
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

const STEPS = '{"steps":[';

/** The tasks of a chain. If the input is long, only its start is known, so tasks may be missing. */
function chainTasks(input: string): string {
  const tasks = [...input.matchAll(/"task":"([^"]+)"/gu)].map(([, task = ""]) => task);
  return (input.endsWith("}") ? tasks : [...tasks, "…"]).join(", ");
}

const PROGRAM = '{"code":"';

/** The start of an input that is too long to be known whole, so it is not valid JSON. */
function shortenedStart(input: string): string {
  const spaced = input.replaceAll('":', ": ").replaceAll(",", ", ");
  return spaced.replaceAll(/["{}]/gu, "");
}

/** The program in one line. The end of a long one is not known. */
function programText(rest: string): string {
  const [text = ""] = /^(?:[^"\\]|\\.)*/u.exec(rest) ?? [];
  return text.replaceAll(/\\[nrt]/gu, " ").replaceAll(/\\(["\\/])/gu, "$1");
}

/** An input in one line: the object that it names, then the other members. */
export function inputSummary(input: string): string {
  if (input.startsWith(STEPS)) return chainTasks(input);
  if (input.startsWith(PROGRAM)) return programText(input.slice(PROGRAM.length));
  let params: unknown;
  try {
    params = JSON.parse(input);
  } catch {
    return shortenedStart(input);
  }
  if (typeof params !== "object" || params === null || Array.isArray(params)) return short(params);
  const others = Object.entries(params)
    .filter(([name]) => !NAMING.test(name))
    .slice(0, MAX_OTHERS)
    .map(([name, value]) => `${name}: ${short(value)}`);
  return [reference(params as Params), ...others].filter(Boolean).join(", ");
}
