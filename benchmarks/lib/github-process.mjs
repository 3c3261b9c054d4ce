// @ts-check
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** @typedef {{ url: string, env: string, close: () => void }} GithubProcess */

/**
 * Starts the embedded GitHub in a separate process.
 * @param {string} [socket]
 * @returns {Promise<GithubProcess>}
 */
export async function startGithubServer(socket) {
  const file = fileURLToPath(new URL("github-server.mjs", import.meta.url));
  const child = fork(file, socket === undefined ? [] : [socket]);
  const said = await /** @type {Promise<{ url: string, env: string }>} */ (
    new Promise((resolve) => child.once("message", resolve))
  );
  return { ...said, close: () => child.disconnect() };
}
