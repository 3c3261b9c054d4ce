// @ts-check
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openGraphTools } from "@waybill/codegraph";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { benchmarks } from "../lib/report.mjs";
import { namedRepository, OWN } from "../lib/repositories.mjs";

/**
 * @typedef {import("../lib/report.mjs").Row} Row
 * @typedef {{ question: string, tool: string, args: Record<string, unknown>, grep: string[] }} Question
 * @typedef {import("@waybill/codegraph").GraphTools} GraphTools
 */

export const title = "Tokens of an answer, beside grep";

const FILE = join(benchmarks, "codegraph-questions/questions.json");
const QUESTIONS = /** @type {Record<string, Question[]>} */ (
  JSON.parse(readFileSync(FILE, "utf8"))
);
const SKIPPED = ["--exclude-dir=node_modules", "--exclude-dir=.git", "--exclude-dir=dist"];
/** @type {Record<string, number>} */
const DEFAULTS = { digest: 500, impact: 400, path: 200 };
const SHARE = 1 / 3;
const MOST_PERCENT = 4;

/** @param {string} text */
const tokensOf = (text) => encode(text).length;

/** The tokens that an agent reads when it uses grep. @param {string[]} args @param {string} root */
function grepTokens(args, root) {
  const { stdout, error } = spawnSync("grep", [...SKIPPED, ...args], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 512 * 1024 * 1024,
  });
  if (error) throw error;
  return tokensOf(stdout);
}

/** @param {GraphTools} tools @param {Question} question */
async function ownTokens(tools, { tool, args }) {
  const envelope = await tools.call(tool, args);
  const text = JSON.stringify(envelope);
  if (!envelope.success) throw new Error(`${tool} failed: ${text}`);
  return tokensOf(text);
}

/** @param {string} root @param {Question[]} questions */
async function compareQuestions(root, questions) {
  const tools = openGraphTools({ root });
  await tools.call("symbols", { target: "index" });
  const answers = [];
  for (const question of questions) {
    const own = await ownTokens(tools, question);
    answers.push({ ...question, own, grep: grepTokens(question.grep, root) });
  }
  await tools.close();
  return answers;
}

/** @param {string} name @param {Omit<Question, "grep"> & { own: number, grep: number }} answer @returns {Row} */
function questionRow(name, { question, tool, args, own, grep }) {
  const most = args.maxTokens === undefined ? DEFAULTS[tool] : undefined;
  const limit = most === undefined ? {} : { target: `≤ ${most}`, met: own <= most };
  const asked = `${name}: ${tool}: ${question} (grep: ${grep.toLocaleString("en")})`;
  return { name: asked, value: own, unit: "tokens", ...limit };
}

/** @param {{ quick: boolean, repos: string[] }} options */
export async function run({ repos }) {
  const roots = repos.length > 0 ? repos : [OWN];
  /** @type {Row[]} */
  const rows = [];
  const notes = [
    "Tokens are o200k counts of the whole answer, and of everything that grep prints. The questions and their grep commands are in `codegraph-questions/questions.json`.",
  ];
  for (const { name, root } of roots.map(namedRepository)) {
    const questions = QUESTIONS[name.split(" ")[0]];
    if (questions === undefined) {
      notes.push(`${name}: no questions are written down for it.`);
      continue;
    }
    const answers = await compareQuestions(root, questions);
    const own = answers.reduce((sum, answer) => sum + answer.own, 0);
    const grep = answers.reduce((sum, answer) => sum + answer.grep, 0);
    rows.push(...answers.map((answer) => questionRow(name, answer)), {
      name: `${name}: ${answers.length} questions, share of grep's ${grep.toLocaleString("en")} tokens`,
      // Rounded up, so that a missed target is never rounded down to it.
      value: Math.ceil((own / grep) * 1_000) / 10,
      unit: "%",
      target: `≤ ${MOST_PERCENT} %`,
      met: (own / grep) * 100 <= MOST_PERCENT,
    });
    const dearer = answers.filter((answer) => answer.own > answer.grep * SHARE);
    notes.push(`${name}: ${dearer.length} of ${answers.length} cost more than a third of grep's.`);
  }
  return { rows, notes };
}
