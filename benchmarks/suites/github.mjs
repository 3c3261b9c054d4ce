// @ts-check
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import { findGithub, githubSource } from "@waybill/github";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { startGithubServer } from "../lib/github-process.mjs";
import { reads } from "../lib/github-reads.mjs";
import { interleave, median } from "../lib/measure.mjs";

/** @typedef {import("../lib/measure.mjs").Contender} Contender */
/** @typedef {import("../lib/report.mjs").Row} Row */
/** @typedef {import("../lib/github-process.mjs").GithubProcess} Server */

export const title = "GitHub capabilities against the embedded GitHub";

const MAX_GRAPHQL = 1.2;
const MAX_CLI = 1.15;
const MAX_SHARE = 0.25;
const PARAMS = { owner: "octo", name: "hello" };
const runFile = promisify(execFile);

/** @typedef {import("@waybill/adapters/http").HttpTransport} Transport */

/**
 * Opens a Waybill with the GitHub pack on a server.
 * @param {string} env
 * @param {string} state
 * @param {(transport: Transport) => Transport} [around] put around every request
 */
async function open(env, state, around = (transport) => transport) {
  const place = await findGithub({ env: { WAYBILL_GITHUB: env }, state });
  const transport = around(createHttpTransport());
  const kit = { env: process.env, transport, userAgent: "bench" };
  const waybill = createWaybill({ sources: [githubSource(place, kit)] });
  return { place, waybill, close: () => (transport.close(), waybill.close()) };
}

/**
 * The request of the graphql route, from a dry run.
 * @param {import("@waybill/core").Waybill} waybill
 */
async function issueRequest(waybill) {
  const { data } = await waybill.execute("repo.view", PARAMS, { dry_run: true, route: "graphql" });
  const { requests } = /** @type {{ requests: { body: object }[] }} */ (data);
  return JSON.stringify(requests[0].body);
}

/**
 * A contender that counts correct answers.
 * @param {string} name
 * @param {() => Promise<string>} ask the repository's name
 * @returns {Contender}
 */
function asking(name, ask) {
  return {
    name,
    async run(count) {
      let right = 0;
      for (let each = 0; each < count; each++) right += (await ask()) === "octo/hello" ? 1 : 0;
      return right;
    },
  };
}

/** @param {Server} server @param {string} state */
async function graphqlContenders({ url, env }, state) {
  const { waybill, close } = await open(env, state);
  const body = await issueRequest(waybill);
  const headers = { authorization: "Bearer waybill-octocat", "content-type": "application/json" };
  const contenders = [
    asking("a bare `fetch` of the same request", async () => {
      const response = await fetch(`${url}/graphql`, { method: "POST", headers, body });
      const { data } = /** @type {{ data: { repository: { nameWithOwner: string } } }} */ (
        await response.json()
      );
      return data.repository.nameWithOwner;
    }),
    asking("`execute()` on the graphql route", async () => {
      const { data } = await waybill.execute("repo.view", PARAMS, { route: "graphql" });
      return /** @type {{ nameWithOwner: string }} */ (data).nameWithOwner;
    }),
  ];
  return { contenders, close };
}

/** @param {Server} server @param {string} state */
async function cliContenders({ env }, state) {
  const { waybill, place, close } = await open(env, state);
  const own = {
    PATH: process.env["PATH"],
    GH_CONFIG_DIR: place.ghConfigDir ?? "",
    GH_TOKEN: place.ghToken,
    GH_NO_UPDATE_NOTIFIER: "1",
    NO_COLOR: "1",
  };
  const contenders = [
    asking("`gh api` itself", async () => {
      const { stdout } = await runFile("gh", ["api", "-i", "repos/octo/hello"], { env: own });
      return /"full_name":"([^"]+)"/u.exec(stdout)?.[1] ?? "";
    }),
    asking("`execute()` on the cli route", async () => {
      const { data } = await waybill.execute("repo.view", PARAMS, { route: "cli" });
      return /** @type {{ nameWithOwner: string }} */ (data).nameWithOwner;
    }),
  ];
  return { contenders, close };
}

/**
 * @param {{ contenders: Contender[], close: () => unknown }} pair
 * @param {{ rounds: number, sliceMs: number }} options
 * @param {number} most
 * @returns {Promise<Row[]>}
 */
async function compareAnswers({ contenders, close }, options, most) {
  const [bare, ours] = await interleave(contenders, { ...options, expected: (count) => count });
  await close();
  const ratio = median(ours.map((time, round) => time / bare[round]));
  return [
    { name: contenders[0].name, value: median(bare) / 1e6, unit: "ms" },
    { name: contenders[1].name, value: median(ours) / 1e6, unit: "ms" },
    { name: "… ratio", value: ratio, unit: "×", target: `≤ ${most}×`, met: ratio <= most },
  ];
}

/** @typedef {{ id: string, ours: number, raw: number }} Weighed */

/**
 * Compares the size of an answer with the size of GitHub's own REST answer to the same question.
 * @param {Server} server
 * @param {string} state
 * @returns {Promise<Weighed[]>}
 */
async function weigh({ env }, state) {
  /** @type {string[]} */
  let bodies = [];
  const { waybill, close } = await open(env, state, (transport) => ({
    async send(request, attempt) {
      const response = await transport.send(request, attempt);
      bodies.push(new TextDecoder().decode(response.body));
      return response;
    },
    stream: (request, attempt) => transport.stream(request, attempt),
    openSockets: 0,
    close: () => transport.close(),
  }));
  /** @type {Weighed[]} */
  const weighed = [];
  for (const [id, params] of await reads(waybill)) {
    bodies = [];
    const { data, error } = await waybill.execute(id, params, { route: "rest" });
    if (error !== null) throw new Error(`${id}: ${error.message}`);
    weighed.push({ id, ours: tokens(JSON.stringify(data)), raw: tokens(bodies.join("")) });
  }
  await close();
  return weighed;
}

/** @param {string} text */
function tokens(text) {
  return encode(text).length;
}

/** @param {Weighed[]} weighed @returns {Row[]} */
function weightRows(weighed) {
  const sum = (/** @type {"ours" | "raw"} */ side) =>
    weighed.reduce((all, one) => all + one[side], 0);
  const whole = (100 * sum("ours")) / sum("raw");
  const over = weighed.filter(({ ours, raw }) => ours / raw > MAX_SHARE);
  const names = over.map(({ id, ours, raw }) => `${id} ${Math.round((100 * ours) / raw)} %`);
  return [
    {
      name: `tokens of ${weighed.length} views and lists, of GitHub's own REST answers`,
      value: whole,
      unit: "%",
      target: "≤ 25 %",
      met: whole <= 100 * MAX_SHARE,
    },
    {
      name: `… of these over 25 % by themselves${over.length === 0 ? "" : `: ${names.join(", ")}`}`,
      value: over.length,
      unit: "",
      target: "0",
      met: over.length === 0,
    },
  ];
}

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const options = quick ? { rounds: 5, sliceMs: 100 } : { rounds: 31, sliceMs: 300 };
  const state = mkdtempSync(join(tmpdir(), "waybill-bench-"));
  const web = await startGithubServer();
  const socket = await startGithubServer(join(state, "s"));
  try {
    const rows = [
      ...(await compareAnswers(await graphqlContenders(web, state), options, MAX_GRAPHQL)),
      ...(await compareAnswers(await cliContenders(socket, state), options, MAX_CLI)),
      ...weightRows(await weigh(web, state)),
    ];
    const notes = [
      `\`repo.view\`, warm, medians of ${options.rounds} interleaved rounds; ratios are taken within a round.`,
      "The share compares o200k tokens of `data` with those of all response bodies that the REST route reads for it.",
      "These are left out, because they return a text of GitHub unchanged: pr.diff.view (about 101 %), pr.files.diff (46 %), file.view (29 %), workflow.job.logs.raw (28 %).",
      "In those over 25 %, nearly all fields of GitHub's answer are fields that the capability promises. A label, for example, is only a name, a colour and a description. URLs of the embedded GitHub are longer than GitHub's, so the shares are a few points smaller here than on GitHub.",
      "The embedded GitHub runs in a separate process. `gh` reaches it by a Unix socket.",
    ];
    return { rows, notes };
  } finally {
    web.close();
    socket.close();
    rmSync(state, { recursive: true, force: true });
  }
}
