import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ConfigSchema } from "@waybill/state";
import { loadChecker } from "@waybill/core/schema";
import { afterAll, expect, it } from "vitest";
import { root, sourceFlags } from "../../scripts/run.mjs";
import { codeBlocks } from "../support/markdown.ts";
import { describeWithServer } from "../support/nats.ts";

const blocks = codeBlocks(readFileSync(join(root, "docs/reference/nats.md"), "utf8"));
const scratch = join(root, "node_modules/.cache/waybill/nats-snippets");

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Programs of this page need a server, so their blocks are marked differently and run here. */
describeWithServer((server) => {
  it("the commands of docs/reference/nats.md print what the page shows", async () => {
    const at = blocks.findIndex(({ language }) => language === "typescript");
    mkdirSync(scratch, { recursive: true });
    const file = join(scratch, "snippet.mts");
    writeFileSync(file, blocks[at]!.code);
    const { stdout } = await promisify(execFile)(process.execPath, [...sourceFlags, file], {
      cwd: root,
      env: { ...process.env, NATS_URL: server().url },
    });
    expect(stdout.trim()).toBe(blocks[at + 1]!.code.trim());
  });

  it("the configuration in docs/reference/nats.md is valid", async () => {
    const shown = blocks.find(({ language }) => language === "json")!;
    const checker = await loadChecker();
    const schema = checker.compile(ConfigSchema);
    expect(schema.check(JSON.parse(shown.code))).toBe(true);
  });
});
