import { TOKENS } from "@waybill/github/emulator";
import { join } from "node:path";
import type { TrialFolder } from "./folder.ts";

/**
 * The environment of every program in a trial. It contains nothing of this machine's own GitHub.
 */
export function trialEnvironment({ root, github }: TrialFolder): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: join(root, "home"),
    TMPDIR: join(root, "tmp"),
    WAYBILL_GITHUB: github,
    GH_TOKEN: TOKENS.octocat,
    GH_CONFIG_DIR: join(root, "home/gh"),
    GH_NO_UPDATE_NOTIFIER: "1",
    GH_PROMPT_DISABLED: "1",
    NO_COLOR: "1",
    TZ: "UTC",
    LC_ALL: "C.UTF-8",
  };
}
