// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { grid, resultsFile, writeSection } from "./report.mjs";
import { getSections } from "./results-page.mjs";

/** @typedef {import("./results-page.mjs").Section} Section */
/** @typedef {import("./results-page.mjs").Shown} Shown */

/**
 * Pairs our rows with those of other programs, by the start of their names. Both do the same work
 * in the same run, as the notes of the suite explain.
 * @type {readonly { suite: string, ours: RegExp, theirs: RegExp }[]}
 */
const PEERS = [
  { suite: "local-call", ours: /^`execute\(\)`/, theirs: /^(?:oRPC|tRPC|MCP SDK)/ },
  { suite: "search", ours: /^`registry\.search`: p95/, theirs: /^(?:scan|minisearch).*p95$/ },
  { suite: "mcp-call", ours: /mcpSource`, 2026-07-28$/, theirs: /^MCP SDK.*2026-07-28$/ },
  { suite: "openapi", ours: /^from nothing/, theirs: /^`JSON\.parse`/ },
  { suite: "github", ours: /on the graphql route$/, theirs: /^a bare `fetch`/ },
  { suite: "github", ours: /on the cli route$/, theirs: /^`gh api`/ },
  { suite: "nats", ours: /^`call` of an operation/, theirs: /^nats\.js/ },
  { suite: "http", ours: /^`POST/, theirs: /^a bare Hono/ },
  { suite: "cold-start", ours: /^`waybill --version`$/, theirs: /^bare `node/ },
  {
    suite: "import-cost",
    ours: /^`import "@waybill\/core"`$/,
    theirs: /^`import "typebox.*unbundled$/,
  },
  ...["codegraph-build", "codegraph-beside"].map((suite) => ({
    suite,
    ours: /: dead exports, whole process/,
    theirs: /: (?:fallow|dependency-cruiser|madge) /,
  })),
  { suite: "codegraph-beside", ours: /: symbols and calls, whole/, theirs: /: codegraph / },
];

/** @param {string} measured */
function figureIn(measured) {
  const value = Number(/^[\d,.]+/u.exec(measured)?.[0].replaceAll(",", ""));
  const unit = measured.replace(/^[\d,.]+\s*/u, "");
  return { value, isRate: unit.endsWith("/s") };
}

/**
 * How many times better our figure is; below one, theirs is better.
 * @param {Shown} ours
 * @param {Shown} theirs
 */
function times(ours, theirs) {
  const [own, other] = [figureIn(ours.measured), figureIn(theirs.measured)];
  const ratio = own.isRate ? own.value / other.value : other.value / own.value;
  return Number.isFinite(ratio) ? `${ratio.toFixed(ratio < 10 ? 2 : 1)} ×` : "–";
}

/** The tree of a figure. Figures of different trees are never compared. @param {Shown} row */
function measuredTree({ name }) {
  return /^(.+? at \w+): /u.exec(name)?.[1];
}

/**
 * @param {{ title: string, rows: Shown[] }} section
 * @param {Shown} own
 * @param {RegExp} theirs
 */
function besideOne({ title, rows }, own, theirs) {
  const others = rows.filter(
    (row) => theirs.test(row.name) && measuredTree(row) === measuredTree(own),
  );
  return others.map((other) => {
    const name = `${title}: ${own.name}`;
    return [name, own.measured, other.name, other.measured, times(own, other)];
  });
}

/**
 * A row for each measured peer.
 * @param {Section[]} sections
 */
function peerRows(sections) {
  return PEERS.flatMap(({ suite, ours, theirs }) => {
    const found = sections.find((section) => section.suite === suite);
    const whole = {
      title: found?.title ?? "",
      rows: found?.rows.filter((row) => !row.isPart) ?? [],
    };
    const own = whole.rows.filter(({ name }) => ours.test(name));
    return own.flatMap((row) => besideOne(whole, row, theirs));
  });
}

/** @param {Section[]} sections */
function targetParts(sections) {
  const all = sections.flatMap(({ title, rows }) => rows.map((row) => ({ title, ...row })));
  const judged = all.filter(({ met }) => met !== "");
  const missed = judged.filter(({ met }) => met !== "yes");
  const rows = missed.map(({ title, name, measured, target }) => [
    `${title}: ${name}`,
    measured,
    target,
  ]);
  const sum = `${judged.length - missed.length} of ${judged.length} targets are met.`;
  if (rows.length === 0) return [sum];
  return [`${sum} Not met:`, grid(["", "measured", "target"], rows, (column) => column === 1)];
}

/**
 * The overview: a comparison with peers, and the missed targets.
 * @param {string} page
 */
export function overviewParts(page) {
  const sections = getSections(page).filter(({ suite }) => suite !== "overview");
  const header = ["Waybill", "measured", "beside", "measured", "ratio"];
  return [
    "## Overview",
    "Collected from the sections below, each of which says when and where it was measured. The ratio is how many times better Waybill is: faster, or more in the same time; below one, the other is. It is taken of the figures shown, so it may differ a little from a section's own, which are taken within rounds.",
    grid(header, peerRows(sections), (column) => column % 2 === 1 || column === 4),
    ...targetParts(sections),
  ];
}

/** Rewrites the overview of RESULTS.md from its other sections. */
export function writeOverview() {
  if (existsSync(resultsFile)) {
    writeSection("overview", overviewParts(readFileSync(resultsFile, "utf8")));
  }
}
