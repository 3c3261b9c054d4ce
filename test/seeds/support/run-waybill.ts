import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { onTestFinished } from "vitest";
import { main } from "waybill";

class Collector extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

async function* chunks(text: string): AsyncGenerator<string> {
  yield text;
}

/** Runs the command as a program would, with its output in a pipe. */
export async function runWaybill(
  argv: readonly string[],
  cwd: string = process.cwd(),
  input = "",
): Promise<{ readonly exit: number; readonly stdout: string; readonly stderr: string }> {
  const home = mkdtempSync(join(tmpdir(), "waybill-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const [stdout, stderr] = [new Collector(), new Collector()];
  const env = {
    ...process.env,
    HOME: home,
    XDG_STATE_HOME: join(home, "state"),
    WAYBILL_KEYRING: "off",
  };
  const exit = await main({ argv, stdin: chunks(input), stdout, stderr, env, cwd, isTTY: false });
  return { exit, stdout: stdout.text, stderr: stderr.text };
}
