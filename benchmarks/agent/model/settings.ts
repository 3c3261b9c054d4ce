import { parseArgs } from "node:util";
import { KEY_NAME } from "./endpoint-error.ts";
import { FORMATS } from "./formats/index.ts";
import type { Format } from "./formats/index.ts";

export interface ModelSettings {
  readonly model: string;
  readonly url: URL;
  readonly format: Format;
  readonly key: string | undefined;
  /** The scenarios to play (default: all) */
  readonly scenarios: readonly string[] | undefined;
  readonly skill: "lean" | "indexed";
  readonly isQuick: boolean;
}

/** An invalid command line, with a hint how to fix it. */
export class UsageError extends Error {}

const MODEL_USAGE = `npm run benchmark -- --model <name> --url <base> --format openai|anthropic [--scenarios a,b] [--skill lean|indexed] [--quick], with the key in ${KEY_NAME}`;

const OPTIONS = {
  model: { type: "string" },
  url: { type: "string" },
  format: { type: "string" },
  scenarios: { type: "string" },
  skill: { type: "string", default: "indexed" },
  quick: { type: "boolean", default: false },
} as const;

function readSettings(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError(
      `${error instanceof Error ? error.message : String(error)}\n${MODEL_USAGE}`,
    );
  }
}

function wanted(name: string, value: string | undefined): string {
  if (value !== undefined && value.trim() !== "") return value.trim();
  throw new UsageError(`--${name} is missing\n${MODEL_USAGE}`);
}

function urlIn(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new UsageError("--url must be an address such as https://api.example.com/v1");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "") {
    throw new UsageError(
      `--url may hold no credentials and no query; the key comes from ${KEY_NAME}`,
    );
  }
  return url;
}

function parseChoice<Name extends string>(
  flag: string,
  text: string,
  names: readonly Name[],
): Name {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${flag} is ${names.join(" or ")}, not ${text}`);
}

function isLocal({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

/** The API key. Local models often need none; all others do. */
function keyIn(env: NodeJS.ProcessEnv, url: URL): string | undefined {
  const key = env[KEY_NAME]?.trim();
  if (key !== undefined && key !== "") return key;
  if (isLocal(url)) return undefined;
  throw new UsageError(`${KEY_NAME} is not set; it holds the key of the endpoint`);
}

export function modelSettings(args: readonly string[], env: NodeJS.ProcessEnv): ModelSettings {
  const values = readSettings(args);
  const url = urlIn(wanted("url", values.url));
  const names = Object.keys(FORMATS) as Format["name"][];
  const scenarios = values.scenarios?.split(",").flatMap((id) => id.trim() || []);
  return {
    model: wanted("model", values.model),
    url,
    format: FORMATS[parseChoice("format", wanted("format", values.format), names)],
    key: keyIn(env, url),
    scenarios,
    skill: parseChoice("skill", values.skill, ["lean", "indexed"]),
    isQuick: values.quick,
  };
}

/** The scenarios to play. A short run plays the first of each kind. */
export function chosen<Given extends { readonly id: string; readonly kind: string }>(
  all: readonly Given[],
  { scenarios, isQuick }: Pick<ModelSettings, "scenarios" | "isQuick">,
): Given[] {
  const unknown = scenarios?.filter((id) => !all.some((each) => each.id === id)) ?? [];
  if (unknown.length > 0) {
    throw new UsageError(
      `No scenario is called ${unknown.join(", ")}; there are ${all.map(({ id }) => id).join(", ")}`,
    );
  }
  const picked = all.filter(({ id }) => scenarios?.includes(id) ?? true);
  if (!isQuick) return picked;
  return picked.filter(
    ({ kind }, index) => picked.findIndex((each) => each.kind === kind) === index,
  );
}
