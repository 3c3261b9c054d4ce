import { readApi } from "./api/read-api.ts";
import type { ApiName, Member } from "./api/read-api.ts";

const introduction = `# API of @waybill/core

<!-- Written by "npm run generate" from the comments in packages/core. Change them there. -->

Look up everything that \`@waybill/core\` and its entries export, with the comments of the code.
[Envelopes](envelopes.json) and [error codes](errors.md) have pages of their own.`;

const ENTRIES = [
  ["@waybill/core", "packages/core/src/index.ts", "What most programs need."],
  ["@waybill/core/cards", "packages/core/src/cards.ts", "For cards, routes and sources."],
  ["@waybill/core/protocol", "packages/core/src/protocol.ts", "For doors, transports and stores."],
  ["@waybill/core/schema", "packages/core/src/schema.ts", "JSON Schema and JSON."],
  [
    "@waybill/core/testing",
    "packages/core/src/testing/index.ts",
    "Contract suites for your own sources, transports and journals.",
  ],
] as const;

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
    `### ${api.name}`,
    `${api.kind === "const" ? "value" : api.kind}. ${text}`,
    ...(signature === "" ? [] : [`\`\`\`text\n${signature}\n\`\`\``]),
    ...memberTable(api),
    ...(example === "" ? [] : [example]),
  ];
}

function entrySection([name, file, sentence]: (typeof ENTRIES)[number]): string[] {
  const names = readApi(file).toSorted((a, b) => a.name.localeCompare(b.name, "en"));
  return [`## ${name}`, sentence, ...names.flatMap(section)];
}

/** The text of docs/reference/api.md. */
export function renderApi(): string {
  return [introduction, ...ENTRIES.flatMap(entrySection), ""].join("\n\n");
}
