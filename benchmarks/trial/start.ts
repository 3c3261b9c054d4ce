import { execFileSync, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { askControl } from "./control.ts";
import { trialFolder } from "./folder.ts";
import type { DoorName, Trial, TrialFolder } from "./folder.ts";
import { ROUNDS } from "./rounds/index.ts";
import { tasksPage } from "./tasks-page.ts";
import { writeWrappers } from "./wrappers.ts";

const TRIES = 600;

export interface StartOptions {
  readonly reader: string;
  readonly door: DoorName;
  readonly round: string;
  /** The parent of the reader's folder. */
  readonly under: string;
  /** The file of the bundled command. */
  readonly waybill: string;
  /** The GitHub CLI: a command name or a file. */
  readonly gh: string;
}

function startServer({ root }: TrialFolder): void {
  const file = fileURLToPath(new URL("server.ts", import.meta.url));
  const words = ["-C", "@waybill/source", "--import", "tsx", file, root];
  const errors = openSync(join(root, "server.log"), "a");
  spawn(process.execPath, words, { detached: true, stdio: ["ignore", errors, errors] }).unref();
  closeSync(errors);
}

async function isReady(folder: TrialFolder): Promise<boolean> {
  for (let count = 0; count < TRIES; count += 1) {
    if (existsSync(folder.control)) return true;
    await wait(100);
  }
  return false;
}

/** The skill that `setup` installs, or the tool definitions that an MCP client shows a model. */
async function startText(folder: TrialFolder, door: DoorName, waybill: string): Promise<string> {
  if (door === "gh") return "";
  const words = [waybill, "skill", "--indexed", "--door", door === "mcp" ? "code" : door];
  const skill = execFileSync(process.execPath, words, { encoding: "utf8" }).trim();
  return door === "mcp" ? `${await askControl(folder, "/tools")}\n\n${skill}` : skill;
}

/** Creates a folder with a new world and the page of tasks. Returns the folder. */
export async function startTrial(options: StartOptions): Promise<string> {
  const { reader, door, round, under, waybill, gh } = options;
  const tasks = ROUNDS[round];
  if (tasks === undefined) throw new Error(`Rounds are ${Object.keys(ROUNDS).join(", ")}`);
  const folder = trialFolder(join(under, `${round}-${reader}`));
  if (existsSync(folder.root))
    throw new Error(`${folder.root} exists already; choose another name for the reader`);
  mkdirSync(folder.root, { recursive: true });
  writeWrappers(folder, door, { waybill, gh });
  const trial: Trial = { reader, door, round, start: "", waybill };
  writeFileSync(folder.trial, JSON.stringify(trial));
  startServer(folder);
  if (!(await isReady(folder)))
    throw new Error(
      `The embedded GitHub did not start. Its log is ${join(folder.root, "server.log")}`,
    );
  const start = await startText(folder, door, waybill);
  writeFileSync(folder.trial, JSON.stringify({ ...trial, start }));
  writeFileSync(folder.tasks, tasksPage(door, start, tasks));
  return folder.root;
}
