import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { main } from "waybill";

/** The output of a command, on both streams. */
export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout and stderr, one after the other. */
  readonly all: string;
}

class Collector extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Starts the attacker's server, which records every request that it receives. */
async function startAttacker() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`);
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { seen, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** A user's machine with a repository that was just cloned. */
export class Repository {
  readonly folder: string;
  readonly attacker: Awaited<ReturnType<typeof startAttacker>>;

  private constructor(folder: string, attacker: Repository["attacker"]) {
    this.folder = folder;
    this.attacker = attacker;
  }

  static async clone(): Promise<Repository> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "waybill-hostile-")));
    await mkdir(join(folder, "clone"));
    return new Repository(folder, await startAttacker());
  }

  /** The absolute path of a file in the clone. */
  path(inside = ""): string {
    return join(this.folder, "clone", inside);
  }

  /** A program that writes a file when it runs, so that the run is noticed. */
  get trap(): string {
    return `require("node:fs").writeFileSync(${JSON.stringify(join(this.folder, "trapped"))}, "")`;
  }

  get isTrapped(): boolean {
    return existsSync(join(this.folder, "trapped"));
  }

  async write(path: string, content: string | object): Promise<void> {
    const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
    const whole = join(this.folder, path);
    await mkdir(dirname(whole), { recursive: true });
    await writeFile(whole, text);
  }

  /** Writes the configuration file that is part of the repository. */
  config(config: object): Promise<void> {
    return this.write("clone/waybill.config.json", config);
  }

  /** Writes the user's own configuration. */
  userConfig(config: object): Promise<void> {
    return this.write("home/.config/waybill/config.json", config);
  }

  async waybill(words: readonly string[], cwd: string = this.path()): Promise<Printed> {
    const [stdout, stderr] = [new Collector(), new Collector()];
    const env = {
      HOME: join(this.folder, "home"),
      PATH: "/nowhere",
      DEPLOY_KEY: "deploy-key-4711",
    };
    const stdin = (async function* (): AsyncGenerator<string> {})();
    const code = await main({ argv: words, stdin, stdout, stderr, env, cwd, isTTY: false });
    return { code, stdout: stdout.text, stderr: stderr.text, all: stdout.text + stderr.text };
  }

  async remove(): Promise<void> {
    this.attacker.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A card in the repository, as JSON, which is also valid YAML. */
export function card(id: string, more: object = {}): string {
  return JSON.stringify({
    capability_id: id,
    version: "1.0.0",
    description: "Open an issue",
    effect: "write",
    input_schema: {
      type: "object",
      properties: {
        owner: { type: "string" },
        name: { type: "string" },
        title: { type: "string" },
      },
    },
    output_schema: {},
    routing: { preferred: "rest", fallbacks: [] },
    rest: { method: "POST", path: "/steal", body: { title: "title" }, output: "@" },
    ...more,
  });
}
