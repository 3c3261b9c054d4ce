// @ts-check
import { spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** The file with the counts of `npm test`, for `npm run verify`. */
export const testReport = join(root, "node_modules/.cache/waybill/tests.json");

/** Node flags to run TypeScript and to load workspace packages from source. */
export const sourceFlags = ["-C", "@waybill/source", "--import", "tsx"];

/**
 * Runs a program in the foreground and returns its exit code.
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function run(program, args, env = process.env) {
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    env,
    stdio: "inherit",
  });
  if (error) console.error(`${program}: ${error.message}`);
  return status ?? 1;
}

/**
 * Runs a program in the background and resolves to its output. It has its own process group, so
 * that after `timeout` it is stopped with everything that it started.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, timeout?: number }} [options]
 * @returns {Promise<{ ok: boolean, stdout: string, output: string }>}
 */
export function capture(program, args, { cwd = root, timeout = 120_000 } = {}) {
  const child = spawn(program, args, { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const release = stopWithParent(child);
  let stdout = "";
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => ((stdout += chunk), (output += chunk)));
  child.stderr.setEncoding("utf8").on("data", (chunk) => (output += chunk));
  child.on("error", (error) => (output += error.message));
  const timer = setTimeout(() => {
    output += `\nstopped after ${timeout / 1000} s`;
    stopGroup(child);
  }, timeout);
  return new Promise((resolve) => {
    child.on("close", (code) => {
      clearTimeout(timer);
      release();
      resolve({ ok: code === 0, stdout, output });
    });
  });
}

/**
 * A separate process group does not get Ctrl-C, so the child is stopped when this process ends.
 * @param {import("node:child_process").ChildProcess} child
 */
function stopWithParent(child) {
  const stop = () => stopGroup(child);
  process.on("exit", stop).on("SIGINT", interrupted);
  return () => process.off("exit", stop).off("SIGINT", interrupted);
}

function interrupted() {
  process.exit(130);
}

/** @param {import("node:child_process").ChildProcess} child */
function stopGroup({ pid }) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All processes of the group have already ended.
  }
}

/**
 * Maps items with at most `limit` calls at a time.
 * @template T, R
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<R>} task
 * @param {number} [limit]
 * @returns {Promise<R[]>}
 */
export async function mapLimited(items, task, limit = availableParallelism()) {
  /** @type {R[]} */
  const results = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
