import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startGithubEmulator } from "@waybill/github/emulator";
import type { GithubEmulator } from "@waybill/github/emulator";
import { onTestFinished, vi } from "vitest";

/**
 * An embedded GitHub for `executeTask` and the command, with a separate home folder for their data.
 */
export async function useEmbeddedGithub(): Promise<GithubEmulator> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-seeds-"));
  const socket = join(folder, "github");
  const github = await startGithubEmulator({ socket });
  onTestFinished(async () => {
    await github.close();
    // The session of a task writes to its state folder until it ends by itself, so the folder is
    // deleted later.
    await rm(folder, { recursive: true, force: true, maxRetries: 100, retryDelay: 50 });
  });
  for (const [name, value] of Object.entries({
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, "config"),
    XDG_STATE_HOME: join(folder, "state"),
    WAYBILL_GITHUB: socket,
    WAYBILL_KEYRING: "off",
  })) {
    vi.stubEnv(name, value);
  }
  return github;
}
