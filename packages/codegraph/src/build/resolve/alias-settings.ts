import { parseSync, visitorKeys } from "oxc-parser";
import { isRecord } from "@waybill/core/schema";
import type { Alias } from "./alias.ts";
import { jestAlias, jestPath } from "./jest-names.ts";

type Node = Readonly<Record<string, unknown>>;

const MAX_NODES = 200_000;
/**
 * Expressions for the folder of the settings: `__dirname`, `import.meta.dirname` and the current
 * folder.
 */
const HERE = /^(?:__dirname|import\.meta\.dirname|process\.cwd\(\))$/;
const JOINS = /^(?:path\.)?(?:posix\.)?(?:resolve|join)$/;

function isSyntaxNode(value: unknown): value is Node {
  return isRecord(value) && typeof value["type"] === "string";
}

function nodesIn(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isSyntaxNode) : [];
}

/**
 * The source text of a name, such as `path.resolve` or `process.cwd()`; empty for anything else.
 */
function nodeText(node: unknown): string {
  if (!isSyntaxNode(node)) return "";
  if (node["type"] === "Identifier") return String(node["name"]);
  if (node["type"] === "MetaProperty") return "import.meta";
  if (node["type"] === "CallExpression") return `${nodeText(node["callee"])}()`;
  if (node["type"] !== "MemberExpression" || node["computed"] === true) return "";
  return `${nodeText(node["object"])}.${nodeText(node["property"])}`;
}

function stringLiteral(node: unknown): string | undefined {
  if (!isSyntaxNode(node)) return undefined;
  if (node["type"] === "Literal" && typeof node["value"] === "string") return node["value"];
  const [quasi, ...more] = node["type"] === "TemplateLiteral" ? nodesIn(node["quasis"]) : [];
  const value = more.length === 0 ? quasi?.["value"] : undefined;
  return isRecord(value) && typeof value["cooked"] === "string" ? value["cooked"] : undefined;
}

/** The path in `new URL("./src", import.meta.url)`. */
function urlPath(node: unknown): string | undefined {
  if (
    !isSyntaxNode(node) ||
    node["type"] !== "NewExpression" ||
    nodeText(node["callee"]) !== "URL"
  ) {
    return undefined;
  }
  const [place, base] = nodesIn(node["arguments"]);
  return nodeText(base) === "import.meta.url" ? stringLiteral(place) : undefined;
}

/** Joins path segments that are all literals, relative to the folder of the settings. */
function joinedPath([first, ...rest]: readonly Node[]): string | undefined {
  const parts = (HERE.test(nodeText(first)) ? rest : [first, ...rest]).map(stringLiteral);
  const known = parts.filter((part) => part !== undefined);
  return known.length < parts.length || known.some((part) => part.startsWith("/"))
    ? undefined
    : `./${known.join("/")}`;
}

/** The path of a value, if it can be determined without running code. */
function aliasTarget(node: unknown): string | undefined {
  const text = stringLiteral(node);
  // A package name is no path. A path that starts with a slash is relative to the root of the
  // project.
  if (text !== undefined) return /^\.{0,2}\//.test(text) ? text.replace(/^\//, "./") : undefined;
  if (!isSyntaxNode(node)) return undefined;
  const called = node["type"] === "CallExpression" ? nodeText(node["callee"]) : "";
  const args = nodesIn(node["arguments"]);
  if (JOINS.test(called)) return joinedPath(args);
  if (/^(?:url\.)?fileURLToPath$/.test(called)) return urlPath(args[0]);
  return nodeText(node["property"]) === "pathname" ? urlPath(node["object"]) : undefined;
}

function settingName(property: Node): string | undefined {
  return property["computed"] === true
    ? undefined
    : (stringLiteral(property["key"]) ?? nodeText(property["key"]));
}

function readProperties(node: unknown): Node[] {
  const isObject = isSyntaxNode(node) && node["type"] === "ObjectExpression";
  return isObject ? nodesIn(node["properties"]).filter(({ type }) => type === "Property") : [];
}

function settingValue(node: unknown, name: string): unknown {
  return readProperties(node).find((property) => settingName(property) === name)?.["value"];
}

function getAlias(name: string | undefined, value: unknown): Alias[] {
  const place = aliasTarget(value);
  const plain = name?.replace(/\$$|\/\*?$/, "");
  if (place === undefined || !plain) return [];
  return [{ name: plain, place: place.replace(/\/\*$/, ""), isExact: name!.endsWith("$") }];
}

/** Reads both forms: an object by name, or a list of `{ find, replacement }`. */
function readAliases(value: unknown): Alias[] {
  const listed =
    isSyntaxNode(value) && value["type"] === "ArrayExpression" ? value["elements"] : [];
  return [
    ...readProperties(value).flatMap((property) =>
      getAlias(settingName(property), property["value"]),
    ),
    ...nodesIn(listed).flatMap((each) =>
      getAlias(stringLiteral(settingValue(each, "find")), settingValue(each, "replacement")),
    ),
  ];
}

/** The strings of a list, or a single string. */
function readTexts(node: unknown): string[] {
  const listed =
    isSyntaxNode(node) && node["type"] === "ArrayExpression" ? node["elements"] : [node];
  return nodesIn(listed).flatMap((each) => stringLiteral(each) ?? []);
}

/**
 * Folders in which modules are searched. `node_modules` is left out, because installed packages are
 * found anyway.
 */
function baseFolders(value: unknown): Alias[] {
  return readTexts(value)
    .filter((text) => !text.includes("node_modules"))
    .flatMap((text) => jestPath(text) ?? (/^[\w-]/.test(text) ? `./${text}` : []))
    .map((place) => ({ name: "", place, isExact: false }));
}

function mapperAliases(value: unknown): Alias[] {
  return readProperties(value).flatMap((property) => {
    const pattern = settingName(property);
    const texts = readTexts(property["value"]);
    return pattern === undefined ? [] : texts.flatMap((text) => jestAlias(pattern, text));
  });
}

/** Readers for each setting that maps names to files. */
const SETTINGS: Readonly<Record<string, (value: unknown) => Alias[]>> = {
  resolve: (value) => [
    ...readAliases(settingValue(value, "alias")),
    ...baseFolders(settingValue(value, "modules")),
  ],
  test: (value) => readAliases(settingValue(value, "alias")),
  moduleNameMapper: mapperAliases,
  modulePaths: baseFolders,
  moduleDirectories: baseFolders,
};

/** The aliases in the settings of Vite, webpack or Jest. The file is parsed, never run. */
export function aliasesIn(file: string, text: string): Alias[] {
  const found: Alias[] = [];
  const open = nodesIn([parseSync(file, text).program]);
  for (let seen = 0; open.length > 0 && seen < MAX_NODES; seen++) {
    const node = open.pop()!;
    const key = node["type"] === "Property" ? settingName(node) : undefined;
    const read = key !== undefined && Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined;
    if (read) found.push(...read(node["value"]));
    for (const name of visitorKeys[String(node["type"])] ?? []) {
      const child = node[name];
      open.push(...(isSyntaxNode(child) ? [child] : nodesIn(child)));
    }
  }
  return found;
}
