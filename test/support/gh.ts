import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real gh with its own home folder and one GitHub: the one behind a Unix socket. */
export class Gh {
  readonly folder = mkdtempSync(join(tmpdir(), "waybill-gh-"));
  readonly socket = join(this.folder, "gh.sock");

  constructor() {
    writeFileSync(join(this.folder, "config.yml"), `http_unix_socket: ${this.socket}\n`);
  }

  /** Runs gh with these arguments; `env` has the token and other variables. */
  run(
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
    input = "",
  ): Promise<Ran> {
    const child = spawn("gh", words, { cwd: this.folder, env: { ...this.#env(), ...env } });
    return new Promise((resolve, reject) => {
      const out: Record<"stdout" | "stderr", string> = { stdout: "", stderr: "" };
      for (const name of ["stdout", "stderr"] as const) {
        child[name].setEncoding("utf8").on("data", (text: string) => (out[name] += text));
      }
      child.once("error", reject);
      child.once("close", (code) => resolve({ code, ...out }));
      child.stdin.end(input);
    });
  }

  #env(): Record<string, string> {
    const { folder } = this;
    return {
      PATH: process.env["PATH"] ?? "",
      GH_CONFIG_DIR: folder,
      HOME: folder,
      TMPDIR: folder,
      XDG_CACHE_HOME: folder,
      GH_NO_UPDATE_NOTIFIER: "1",
      GH_PROMPT_DISABLED: "1",
      NO_COLOR: "1",
      TZ: "UTC",
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
