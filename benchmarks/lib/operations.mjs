// @ts-check
import { seededRandom } from "./measure.mjs";

/**
 * @typedef {import("@waybill/core").OperationSpec} OperationSpec
 * @typedef {{ text: string, kind: string, wanted: string }} Query
 */

/** @type {Record<string, string>} */
const VERBS = {
  list: "Lists",
  get: "Returns",
  create: "Creates",
  update: "Updates",
  delete: "Deletes",
  search: "Searches",
  add: "Adds",
  remove: "Removes",
  archive: "Archives",
  restore: "Restores",
  export: "Exports",
  import: "Imports",
  cancel: "Cancels",
  approve: "Approves",
  reject: "Rejects",
  assign: "Assigns",
  merge: "Merges",
  clone: "Copies",
  validate: "Validates",
  publish: "Publishes",
  rotate: "Rotates",
  revoke: "Revokes",
  enable: "Enables",
  disable: "Disables",
  schedule: "Schedules",
  retry: "Retries",
};

const NOUNS =
  "issue project repository branch commit release workflow runner label milestone comment review user team organization member invitation role permission policy token key secret webhook event subscription notification message channel thread reaction attachment file folder drive document sheet page block database table column index query report dashboard chart metric alert incident monitor check log trace span deployment environment cluster node pod service container image volume snapshot backup network subnet gateway firewall certificate domain record zone bucket object queue topic stream function layer trigger pipeline stage job artifact package invoice payment refund charge payout balance customer order cart product variant price discount coupon shipment carrier warehouse inventory supplier return contract quote lead contact account opportunity campaign audience segment template email survey form response ticket agent macro article category tag board card list sprint epic estimate calendar meeting room booking guest reminder task checklist contact address location route vehicle driver trip sensor device firmware reading threshold patient appointment prescription claim course lesson quiz grade student enrollment recipe ingredient menu listing property tenant lease candidate interview offer employee payroll timesheet expense budget ledger journal asset portfolio trade position dividend wallet transfer block contract playlist track album episode podcast video caption stream player match league score badge".split(
    " ",
  );

const QUALIFIERS =
  "active archived pending public private shared default custom draft scheduled recurring failed expired external internal nested related recent primary secondary temporary verified unverified locked pinned hidden global regional historical aggregated".split(
    " ",
  );

const ENDINGS = [
  "for the authenticated user.",
  "of an organization, newest first.",
  "by its identifier.",
  "with pagination and optional filters.",
  "that match the given criteria.",
  "and notifies everyone who follows it.",
  "in the current workspace.",
  "within a date range, grouped by day.",
  "without deleting what belongs to it.",
  "if the caller has the admin role.",
];

const PARAMETERS =
  "id owner repo name title description state status page per_page cursor limit sort order since until filter fields include expand locale timezone dry_run force reason email amount currency start_date end_date parent_id external_id metadata tags".split(
    " ",
  );

const SYLLABLES =
  "ka lo mi ra ten vor zu pel dri sta nex qui hal bro fen gri jas kul mer nor opa pri rus sol tam ulv wex yar zim cla".split(
    " ",
  );

const DEFAULT_COUNT = 100_000;
const VENDORS = 1_500;

/**
 * A random index that favours small numbers, because most calls go to a few operations.
 * @param {() => number} random @param {number} length
 */
function skewed(random, length) {
  return Math.min(length - 1, Math.floor(length * random() ** 2));
}

/** @param {() => number} random @param {readonly string[]} from */
function pick(random, from) {
  return from[Math.floor(random() * from.length)];
}

/** Invented names that are in no dictionary, like product names. @param {() => number} random */
function vendorNames(random) {
  const names = new Set();
  while (names.size < VENDORS) {
    const length = 2 + Math.floor(random() * 3);
    names.add(Array.from({ length }, () => pick(random, SYLLABLES)).join(""));
  }
  return [...names];
}

/** @param {() => number} random */
function randomParameters(random) {
  const names = new Set(["id"]);
  const count = 1 + Math.floor(random() * 5);
  while (names.size < count) names.add(pick(random, PARAMETERS));
  return [...names];
}

/** @param {() => number} random @param {readonly string[]} vendors @returns {OperationSpec} */
function operation(random, vendors) {
  const vendor = vendors[skewed(random, vendors.length)];
  const verb = Object.keys(VERBS)[skewed(random, Object.keys(VERBS).length)];
  const [noun, other] = [NOUNS[skewed(random, NOUNS.length)], pick(random, NOUNS)];
  const qualifier = random() < 0.5 ? `${pick(random, QUALIFIERS)}-` : "";
  const parameters = randomParameters(random);
  const spoken = `${qualifier.replace("-", " ")}${noun}`;
  return {
    id: `${vendor}.${noun}.${verb}-${qualifier}${other}`,
    description: `${VERBS[verb]} the ${other}s of a ${spoken} ${pick(random, ENDINGS)} Part of the ${vendor} ${noun} API.`,
    effect: "read",
    idempotent: true,
    kind: "call",
    parameters,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(parameters.map((name) => [name, { type: "string" }])),
    },
    outputSchema: true,
  };
}

/** Generates the same operations every time, similar to a large collection of real APIs. */
export function generateOperations(count = DEFAULT_COUNT) {
  const random = seededRandom(2_024);
  const vendors = vendorNames(random);
  /** @type {Map<string, OperationSpec>} */
  const operations = new Map();
  while (operations.size < count) {
    const made = operation(random, vendors);
    operations.set(made.id, made);
  }
  return [...operations.values()];
}

/**
 * A misspelt word: one letter dropped, doubled, swapped or replaced.
 * @param {() => number} random @param {string} word
 */
function misspell(random, word) {
  const at = 1 + Math.floor(random() * Math.max(1, word.length - 2));
  const [before, letter, after] = [word.slice(0, at), word.slice(at, at + 1), word.slice(at + 1)];
  const next = after.slice(0, 1);
  return pick(random, [
    before + after,
    before + letter + letter + after,
    before + next + letter + after.slice(1),
    `${before}x${after}`,
  ]);
}

/** @param {() => number} random @param {readonly OperationSpec[]} operations @param {string} kind */
function query(random, operations, kind) {
  const wanted = operations[Math.floor(random() * operations.length)];
  const words = wanted.id
    .split(/[.-]/u)
    .concat(wanted.description.toLowerCase().match(/\p{L}+/gu) ?? []);
  const count = 1 + Math.floor(random() * 5);
  const chosen = Array.from({ length: count }, () => words[skewed(random, words.length)]);
  const last = chosen.length - 1;
  if (kind === "misspelt") chosen[last] = misspell(random, chosen[last]);
  if (kind === "beginning") {
    chosen[last] = chosen[last].slice(0, Math.max(2, Math.ceil(chosen[last].length * 0.6)));
  }
  return { text: chosen.join(" "), kind, wanted: wanted.id };
}

/**
 * Queries of one to five words of an operation: half unchanged, a quarter with a misspelt word, a
 * quarter with only the start of one.
 * @param {readonly OperationSpec[]} operations
 * @param {number} count
 * @returns {Query[]}
 */
export function generateQueries(operations, count) {
  const random = seededRandom(7);
  const kinds = ["exact", "misspelt", "exact", "beginning"];
  return Array.from({ length: count }, (_, index) =>
    query(random, operations, kinds[index % kinds.length]),
  );
}
