import { parseSync, visitorKeys } from "oxc-parser";
import { isRecord } from "@waybill/core/schema";
import type { Alias } from "./alias.ts";
import { jestAlias, jestPath } from "./jest-names.ts";

type Node = Readonly<Record<string, unknown>>;

const MAX_NODES = 200_000;
/** Where a file is: `__dirname`, `import.meta.dirname`, and the folder that a tool is started in. */
const HERE = /^(?:__dirname|import\.meta\.dirname|process\.cwd\(\))$/;
const JOINS = /^(?:path\.)?(?:posix\.)?(?:resolve|join)$/;

function isNode(value: unknown): value is Node {
  return isRecord(value) && typeof value["type"] === "string";
}

function nodesIn(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** A name as it is written, such as `path.resolve` or `process.cwd()`; empty for anything else. */
function wordsOf(node: unknown): string {
  if (!isNode(node)) return "";
  if (node["type"] === "Identifier") return String(node["name"]);
  if (node["type"] === "MetaProperty") return "import.meta";
  if (node["type"] === "CallExpression") return `${wordsOf(node["callee"])}()`;
  if (node["type"] !== "MemberExpression" || node["computed"] === true) return "";
  return `${wordsOf(node["object"])}.${wordsOf(node["property"])}`;
}

function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node["type"] === "Literal" && typeof node["value"] === "string") return node["value"];
  const [quasi, ...more] = node["type"] === "TemplateLiteral" ? nodesIn(node["quasis"]) : [];
  const value = more.length === 0 ? quasi?.["value"] : undefined;
  return isRecord(value) && typeof value["cooked"] === "string" ? value["cooked"] : undefined;
}

/** `new URL("./src", import.meta.url)`. */
function urlPlace(node: unknown): string | undefined {
  if (!isNode(node) || node["type"] !== "NewExpression" || wordsOf(node["callee"]) !== "URL") {
    return undefined;
  }
  const [place, base] = nodesIn(node["arguments"]);
  return wordsOf(base) === "import.meta.url" ? textOf(place) : undefined;
}

/** Parts of a path that are all written down, from the folder of the settings. */
function joinedPlace([first, ...rest]: readonly Node[]): string | undefined {
  const parts = (HERE.test(wordsOf(first)) ? rest : [first, ...rest]).map(textOf);
  const known = parts.filter((part) => part !== undefined);
  return known.length < parts.length || known.some((part) => part.startsWith("/"))
    ? undefined
    : `./${known.join("/")}`;
}

/** Where a value leads, if that can be told without running anything. */
function placeOf(node: unknown): string | undefined {
  const text = textOf(node);
  // A name of a package stands for that package, and a path from the root for one of the project.
  if (text !== undefined) return /^\.{0,2}\//.test(text) ? text.replace(/^\//, "./") : undefined;
  if (!isNode(node)) return undefined;
  const called = node["type"] === "CallExpression" ? wordsOf(node["callee"]) : "";
  const args = nodesIn(node["arguments"]);
  if (JOINS.test(called)) return joinedPlace(args);
  if (/^(?:url\.)?fileURLToPath$/.test(called)) return urlPlace(args[0]);
  return wordsOf(node["property"]) === "pathname" ? urlPlace(node["object"]) : undefined;
}

function keyOf(property: Node): string | undefined {
  return property["computed"] === true
    ? undefined
    : (textOf(property["key"]) ?? wordsOf(property["key"]));
}

function propertiesOf(node: unknown): Node[] {
  const isObject = isNode(node) && node["type"] === "ObjectExpression";
  return isObject ? nodesIn(node["properties"]).filter(({ type }) => type === "Property") : [];
}

function memberOf(node: unknown, name: string): unknown {
  return propertiesOf(node).find((property) => keyOf(property) === name)?.["value"];
}

function aliasOf(name: string | undefined, value: unknown): Alias[] {
  const place = placeOf(value);
  const plain = name?.replace(/\$$|\/\*?$/, "");
  if (place === undefined || !plain) return [];
  return [{ name: plain, place: place.replace(/\/\*$/, ""), isExact: name!.endsWith("$") }];
}

/** Both forms: an object by name, or a list of `{ find, replacement }`. */
function aliasesOf(value: unknown): Alias[] {
  const listed = isNode(value) && value["type"] === "ArrayExpression" ? value["elements"] : [];
  return [
    ...propertiesOf(value).flatMap((property) => aliasOf(keyOf(property), property["value"])),
    ...nodesIn(listed).flatMap((each) =>
      aliasOf(textOf(memberOf(each, "find")), memberOf(each, "replacement")),
    ),
  ];
}

/** The strings of a list, or one string alone. */
function readTexts(node: unknown): string[] {
  const listed = isNode(node) && node["type"] === "ArrayExpression" ? node["elements"] : [node];
  return nodesIn(listed).flatMap((each) => textOf(each) ?? []);
}

/** Folders in which names are looked for; installed packages are found without them. */
function baseFolders(value: unknown): Alias[] {
  return readTexts(value)
    .filter((text) => !text.includes("node_modules"))
    .flatMap((text) => jestPath(text) ?? (/^[\w-]/.test(text) ? `./${text}` : []))
    .map((place) => ({ name: "", place, isExact: false }));
}

function mapperAliases(value: unknown): Alias[] {
  return propertiesOf(value).flatMap((property) => {
    const pattern = keyOf(property);
    const texts = readTexts(property["value"]);
    return pattern === undefined ? [] : texts.flatMap((text) => jestAlias(pattern, text));
  });
}

/** The settings that give names to files, by the key that holds them. */
const SETTINGS: Readonly<Record<string, (value: unknown) => Alias[]>> = {
  resolve: (value) => [
    ...aliasesOf(memberOf(value, "alias")),
    ...baseFolders(memberOf(value, "modules")),
  ],
  test: (value) => aliasesOf(memberOf(value, "alias")),
  moduleNameMapper: mapperAliases,
  modulePaths: baseFolders,
  moduleDirectories: baseFolders,
};

/** The aliases in the settings of Vite, webpack or Jest, read as text; nothing is run. */
export function aliasesIn(file: string, text: string): Alias[] {
  const found: Alias[] = [];
  const open = nodesIn([parseSync(file, text).program]);
  for (let seen = 0; open.length > 0 && seen < MAX_NODES; seen++) {
    const node = open.pop()!;
    const key = node["type"] === "Property" ? keyOf(node) : undefined;
    const read = key !== undefined && Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined;
    if (read) found.push(...read(node["value"]));
    for (const name of visitorKeys[String(node["type"])] ?? []) {
      const child = node[name];
      open.push(...(isNode(child) ? [child] : nodesIn(child)));
    }
  }
  return found;
}
