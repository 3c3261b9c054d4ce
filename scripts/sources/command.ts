import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../run.mjs";

export const program = join(root, "packages/cli/dist/main.cjs");

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function readStream(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * The folder of a simulated new user, with an empty configuration, in which the built command runs.
 */
export class NewUser {
  readonly home = mkdtempSync(join(tmpdir(), "waybill-sources-"));
  readonly env: Record<string, string>;

  constructor(config: object, env: Readonly<Record<string, string>> = {}) {
    const folder = join(this.home, ".config/waybill");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.json"), JSON.stringify(config));
    const { PATH = "" } = process.env;
    this.env = { PATH, HOME: this.home, WAYBILL_KEYRING: "off", ...env };
  }

  async run(...args: readonly string[]): Promise<Ended> {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.home,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const [stdout, stderr] = await Promise.all([
      readStream(child.stdout),
      readStream(child.stderr),
    ]);
    return { code: await ended, stdout, stderr };
  }

  remove(): void {
    try {
      rmSync(this.home, { recursive: true, force: true });
    } catch (error) {
      // A background process may still write to the folder, so a failed deletion is ignored.
      console.error(`${this.home} could not be deleted: ${String(error)}`);
    }
  }
}
