// @ts-check
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cardsModule, loadCards } from "@waybill/adapters/cards";
import { median } from "../lib/measure.mjs";
import { getTime } from "../lib/processes.mjs";
import { benchmarks } from "../lib/report.mjs";

/** @typedef {import("../lib/report.mjs").Row} Row */

export const title = "Loading 120 cards";

const CARDS = 120;
const MAX_MODULE_MS = 10;
// Inside the repository, so that the module finds the packages that it imports.
const folder = join(benchmarks, "../node_modules/.cache/waybill/bench-cards");

/** A card of realistic size: three routes, a lookup, a probe. @param {number} index */
function yaml(index) {
  return `capability_id: domain${index % 12}.action${index}
version: "1.0.0"
description: Open thing number ${index} in a repository and tell its number and address
effect: write
idempotent: false
aliases: { name: [repo, repository], body: [text, description] }
input_schema:
  type: object
  required: [owner, name, title]
  properties:
    owner: { type: string, minLength: 1, description: Who owns the repository }
    name: { type: string, minLength: 1, description: The repository }
    title: { type: string, minLength: 1, maxLength: 256 }
    body: { type: [string, "null"], description: Markdown }
    labels: { type: array, items: { type: string }, maxItems: 100 }
    state: { enum: [open, closed, all], default: open }
output_schema:
  type: object
  required: [id, number, url]
  properties:
    id: { type: string }
    number: { type: integer }
    title: { type: string }
    state: { enum: [OPEN, CLOSED] }
    url: { type: string }
    labels: { type: array, items: { type: string } }
routing:
  preferred: graphql
  fallbacks: [rest, cli]
  suitability:
    - { route: cli, predicate: "env.ghAuthenticated && !env.tokenPresent", reason: gh has a token }
lookup:
  repository: { document: RepositoryId, variables: { owner: owner, name: name }, value: repository.id }
graphql:
  operationName: Action${index}
  documentPath: documents/action-${index}.graphql
  variables: { input: { repositoryId: lookup.repository, title: title, body: body } }
  output:
    from: createIssue.issue
    fields: { id: id, number: number, title: title, state: state, url: url, labels: "labels.nodes[*].name" }
rest:
  method: POST
  path: /repos/{owner}/{name}/things${index}
  body: { title: title, body: body, labels: labels }
  output:
    fields:
      id: node_id
      number: number
      title: title
      state: { map: { open: OPEN, closed: CLOSED }, of: state }
      url: html_url
      labels: { each: labels, value: name }
cli: { use: rest, min_gh_version: 2.20.0 }
scopes: [repo]
`;
}

/** @param {number} index */
function document(index) {
  return `mutation Action${index}($input: CreateIssueInput!) {
  createIssue(input: $input) {
    issue { id number title state url labels(first: 20) { nodes { name } } }
  }
}`;
}

const REPOSITORY_ID =
  "query RepositoryId($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { id } }";

/** Writes the cards, and the module made of them as JavaScript. @returns {Promise<number>} its bytes */
async function prepareCards() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "cards/documents"), { recursive: true });
  writeFileSync(join(folder, "cards/documents/repository-id.graphql"), REPOSITORY_ID);
  for (let index = 0; index < CARDS; index++) {
    writeFileSync(join(folder, `cards/card-${index}.yaml`), yaml(index));
    writeFileSync(join(folder, `cards/documents/action-${index}.graphql`), document(index));
  }
  const { cards, problems } = await loadCards(join(folder, "cards"));
  if (problems.length > 0) throw new Error(JSON.stringify(problems[0]));
  const text = cardsModule(cards)
    .replaceAll(/^import type .*\n/gm, "")
    .replace(" as readonly OperationSummary[]", "")
    .replace("cards: CardTable", "cards");
  writeFileSync(join(folder, "cards.mjs"), text);
  return Buffer.byteLength(text);
}

/** @param {string} code */
const moduleArgs = (code) => ["--input-type=module", "-e", code];

function programs() {
  const url = JSON.stringify(pathToFileURL(join(folder, "cards.mjs")).href);
  const cards = JSON.stringify(join(folder, "cards"));
  const check = `if (cards.summaries.length !== ${CARDS}) throw new Error("wrong cards");`;
  return [
    { name: '`import "@waybill/core"`', args: moduleArgs('import "@waybill/core"') },
    {
      name: `the prepared module of ${CARDS} cards`,
      args: moduleArgs(`import { cards } from ${url}; ${check}`),
      maxOver: MAX_MODULE_MS,
    },
    {
      name: "the same, and one card taken from it",
      args: moduleArgs(
        `import { cards } from ${url}; ${check} if (cards.cardById("domain7.action7") === undefined) throw new Error("no card");`,
      ),
    },
    {
      name: `\`loadCards\`: ${CARDS} YAML files and their documents`,
      args: moduleArgs(
        `import "@waybill/core"; import { loadCards } from "@waybill/adapters/cards"; const { cards } = await loadCards(${cards}); if (cards.length !== ${CARDS}) throw new Error("wrong cards");`,
      ),
    },
  ];
}

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const bytes = await prepareCards();
  const rounds = quick ? 5 : 31;
  const measured = programs().map((program) => ({
    ...program,
    times: /** @type {number[]} */ ([]),
  }));
  // The first round only fills the system's file cache.
  for (let round = -1; round < rounds; round++) {
    for (const { args, times } of measured) {
      const elapsed = getTime(args);
      if (round >= 0) times.push(elapsed);
    }
  }
  rmSync(folder, { recursive: true });
  const bare = measured[0].times;
  /** @type {Row[]} */
  const rows = measured.flatMap(({ name, times, maxOver }, index) => {
    const row = { name, value: median(times), unit: "ms" };
    if (index === 0) return [row];
    const value = median(times.map((time, round) => time - bare[round]));
    const over = { name: "… over the bare import", value, unit: "ms" };
    return maxOver === undefined
      ? [row, over]
      : [row, { ...over, target: `≤ ${maxOver} ms`, met: value <= maxOver }];
  });
  return {
    rows,
    notes: [
      `Medians of ${rounds} interleaved runs, each a new process with its files in the system's cache; the differences are taken within a run.`,
      `The module is ${Math.round(bytes / 1_000).toLocaleString("en")} kB: three routes, a lookup, schemas and a document for each card.`,
    ],
  };
}
