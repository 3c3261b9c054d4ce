import { API_ENTRIES } from "./api/api-pages.ts";
import type { ApiEntry, ApiPage } from "./api/api-pages.ts";
import { readApi } from "./api/read-api.ts";
import type { ApiName, Member } from "./api/read-api.ts";

const WRITTEN =
  '<!-- Written by "npm run generate" from the comments in packages/core. Change them there. -->';
const ROOT = "packages/core/src/";

function withoutLinks(doc: string): string {
  return doc.replaceAll(/\{@link (\w+)\}/g, "`$1`");
}

/** The text of a comment, and the program after `@example`. */
function partsOf({ doc }: ApiName): { text: string; example: string } {
  const [text = "", example = ""] = withoutLinks(doc).split(/^@example\n/m);
  return { text: text.trim(), example: example.trim() };
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").trim();
}

function memberRow({ name, type, isOptional, doc }: Member): string {
  const shown = `\`${name}${isOptional ? "?" : ""}\``;
  return `| ${shown} | \`${cell(type)}\` | ${cell(withoutLinks(doc))} |`;
}

function memberTable({ members }: ApiName): string[] {
  if (members.length === 0) return [];
  return [["| member | type | |", "| --- | --- | --- |", ...members.map(memberRow)].join("\n")];
}

function section(api: ApiName): string[] {
  const { text, example } = partsOf(api);
  const signature = api.kind === "interface" || api.kind === "const" ? "" : api.signature;
  return [
    `## ${api.name}`,
    `${api.kind === "const" ? "value" : api.kind}. ${text}`,
    ...(signature === "" ? [] : [`\`\`\`text\n${signature}\n\`\`\``]),
    ...memberTable(api),
    ...(example === "" ? [] : [example]),
  ];
}

function findPage({ pages }: ApiEntry, { file }: ApiName): ApiPage {
  const found = pages.find(({ files }) => files.test(file.slice(ROOT.length)));
  if (found === undefined) throw new Error(`${file} has no page in scripts/api/api-pages.ts`);
  return found;
}

/** The names of a page, in alphabetical order. */
function namesOn(entry: ApiEntry, page: ApiPage): ApiName[] {
  return readApi(entry.file)
    .filter((api) => findPage(entry, api) === page)
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

function entrySection(entry: ApiEntry): string[] {
  const rows = entry.pages.map((page) => {
    const listed = namesOn(entry, page).map(({ name }) => `\`${name}\``);
    return `| [${page.title}](api/${page.slug}.md) | ${listed.join(", ")} |`;
  });
  const table = ["| page | names |", "| --- | --- |", ...rows].join("\n");
  return [`## ${entry.name}`, entry.summary, table];
}

/** The text of docs/reference/api.md: which page has which name. */
export function renderApi(): string {
  const introduction = `Find the page of a name that \`@waybill/core\` or one of its entries exports. The pages have the
comments of the code. [Envelopes](envelopes.json) and [error codes](errors.md) have pages of their own.`;
  const sections = API_ENTRIES.flatMap(entrySection);
  return ["# API of @waybill/core", WRITTEN, introduction, ...sections, ""].join("\n\n");
}

function renderPage(entry: ApiEntry, page: ApiPage): string {
  const names = namesOn(entry, page);
  const introduction = `Look up ${names.length} names that \`${entry.name}\` exports. [The API](../api.md) lists all names.`;
  const title = `# API: ${page.title}`;
  return [title, WRITTEN, introduction, ...names.flatMap(section), ""].join("\n\n");
}

/** The pages in docs/reference/api/. */
export const API_PAGES = API_ENTRIES.flatMap((entry) =>
  entry.pages.map((page) => ({
    path: `docs/reference/api/${page.slug}.md`,
    render: () => renderPage(entry, page),
  })),
);
