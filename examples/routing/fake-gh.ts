// A stand-in for the GitHub CLI that asks the upstream of this example, so that it runs anywhere.
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const program = (upstream: string): string => `#!${process.execPath}
const http = require("node:http");
const args = process.argv.slice(2);
if (args[0] === "--version") console.log("gh version 2.63.0 (2024-11-27)");
else if (args[0] === "auth" && args[1] === "token") console.log("not-a-real-token");
else if (args[0] === "api" && args.includes("--include") && args.at(-1) === "graphql") {
  const request = http.request(${JSON.stringify(upstream)}, { method: "POST" }, (answer) => {
    let body = "";
    answer.on("data", (chunk) => (body += chunk));
    answer.on("end", () => {
      process.stdout.write("HTTP/1.1 " + answer.statusCode + " " + answer.statusMessage + "\\r\\n");
      process.stdout.write("Content-Type: application/json\\r\\n\\r\\n" + body);
      if (body.includes('"errors"')) process.exitCode = 1;
    });
  });
  process.stdin.pipe(request);
} else process.exitCode = 1;
`;

export interface FakeGh {
  /** The folder to put on the PATH. */
  readonly folder: string;
  remove(): Promise<void>;
}

export async function installFakeGh(upstream: string): Promise<FakeGh> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-gh-"));
  const file = join(folder, "gh");
  await writeFile(file, program(upstream));
  await chmod(file, 0o755);
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
