// Runs trials with new readers; see README.md.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { askControl } from "./control.ts";
import { DOORS, isDoor, trialFolder } from "./folder.ts";
import { publishScores } from "./publish.ts";
import { scoreTrial } from "./score.ts";
import type { Score } from "./score.ts";
import { startTrial } from "./start.ts";

const BUNDLE = fileURLToPath(new URL("../../packages/cli/dist/main.cjs", import.meta.url));
const USAGE = `npm run trial -- start READER ${DOORS.join("|")} [--round NAME] [--under FOLDER] [--gh FILE] [--waybill FILE]
npm run trial -- score [--under FOLDER]
npm run trial -- publish WORDS [--under FOLDER]
npm run trial -- end [--under FOLDER]`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    round: { type: "string", default: "first" },
    under: { type: "string", default: "trials" },
    waybill: { type: "string", default: BUNDLE },
    gh: { type: "string", default: "gh" },
  },
});
const under = resolve(values.under);

function folders(): string[] {
  const names = existsSync(under) ? readdirSync(under) : [];
  return names
    .map((name) => join(under, name))
    .filter((root) => existsSync(trialFolder(root).trial));
}

async function start(reader = "", door = ""): Promise<void> {
  if (!/^[\w-]+$/u.test(reader) || !isDoor(door)) throw new Error(USAGE);
  const waybill = resolve(values.waybill);
  const { round, gh } = values;
  const root = await startTrial({ reader, door, round, under, waybill, gh });
  console.log(`cd ${root} && cat TASKS.md`);
}

/** Writes the recorded scores to RESULTS.md. */
function publish(stamp: string): void {
  const files = folders().map((root) => join(root, "score.json"));
  const kept = files.filter((file) => existsSync(file));
  publishScores(
    kept.map((file) => JSON.parse(readFileSync(file, "utf8")) as Score),
    stamp,
  );
}

async function score(): Promise<void> {
  for (const root of folders()) {
    const result = await scoreTrial(root);
    writeFileSync(join(root, "score.json"), `${JSON.stringify(result, null, 2)}\n`);
    console.log(JSON.stringify(result, null, 2));
  }
}

async function end(): Promise<void> {
  for (const root of folders()) {
    await askControl(trialFolder(root), "/end").catch(() => "it has ended");
  }
}

const [command, ...words] = positionals;
if (command === "start") await start(...words);
else if (command === "score") await score();
else if (command === "end") await end();
else if (command === "publish") publish(words.join(" "));
else throw new Error(USAGE);
