import { expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./index.ts";

/** A file with exports that nobody imports, and the file that it imports. */
async function unreachable(importer: string): Promise<string[]> {
  const tree = {
    "package.json": "{}",
    "src/index.ts": "export {};",
    "src/dead.ts": "export const dead = 1;",
    "src/used.ts": "export const used = 1;",
    [importer]: 'import { used } from "../src/used.ts";\nexport const main = used;',
  };
  const tools = openGraphTools({ root: temporaryTree(tree), patienceMs: 600_000 });
  onTestFinished(() => tools.close());
  const envelope = await tools.call("issues", { kind: "HANDLER_UNREACHABLE" });
  const { issues } = envelope.data.result as { issues: { file: string }[] };
  return issues.map(({ file }) => file);
}

it.each(["scripts/release.ts", "examples/first.ts", "tools/check.ts"])(
  "the code graph treats everything that %s imports as used",
  async (importer) => {
    expect(await unreachable(importer)).toEqual(["src/dead.ts"]);
  },
);
