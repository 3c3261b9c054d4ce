import { codeText } from "@waybill/code";
import { createMcpHttpHandler } from "@waybill/mcp/server";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { BULK_TASKS } from "../../benchmarks/code/scenarios.ts";
import type { BulkTask } from "../../benchmarks/code/scenarios.ts";
import { call, connectTo } from "../../packages/mcp/src/server/fixtures/clients.ts";
import { openCodeWorld } from "../support/code-world.ts";
import type { CodeWorld } from "../support/code-world.ts";

const MOST_EACH = 1.35;
const MOST_ALL = 1.2;
/** The agent reads the list, and approves it in a second call. */
const MOST_APPROVED = 1.7;

let world: CodeWorld;
beforeAll(async () => {
  world = await openCodeWorld();
});
afterAll(() => world.close());

const count = (text: string): number => encode(text).length;

async function run(program: string | undefined, options = {}) {
  return world.runner.run(world.waybill, program, options);
}

/** Everything that an agent writes and reads for a task, by command. */
async function play({
  program,
  isApproved,
}: Pick<BulkTask, "program" | "isApproved">): Promise<readonly string[]> {
  const asked = await run(program);
  const said = [`waybill code '${program}'`, codeText(asked)];
  if (isApproved !== true) return said;
  const approve = String(asked.error?.details?.["approve"]);
  const done = await run(undefined, { approve });
  return [...said, `waybill code --approve ${approve}`, codeText(done)];
}

function allow() {
  return { action: "accept" as const, content: { allow: true } };
}

/** A server that offers only the tool `code`, with answers as short as the command's. */
function serveCode() {
  const { waybill, runner } = world;
  const code = { run: runner.run.bind(runner), text: codeText };
  const handler = createMcpHttpHandler({
    waybill,
    version: "0.0.0",
    code,
    withoutFourTools: true,
    brief: true,
  });
  onTestFinished(() => handler.close());
  return handler;
}

const totals = { ours: 0, shell: 0, requests: 0, shellRequests: 0 };

describe("programs over many items of GitHub", () => {
  it.each(BULK_TASKS.map((task) => [task.name, task] as const))(
    "a program does a task over many GitHub items with about as many tokens as an expert's shell commands: %s",
    async (_name, task) => {
      const prepared = await run(task.prepare ?? "return 1");
      expect(prepared.error).toBeNull();
      world.requests();
      const said = await play(task);
      totals.requests += world.requests();
      totals.shellRequests += task.shellRequests;
      expect(said.at(-1)).toContain(task.answer);
      const ours = said.map(count).reduce((sum, each) => sum + each);
      const shell = count(task.shell) + count(task.printed);
      totals.ours += ours;
      totals.shell += shell;
      // A shell deletes without asking. The next test has an MCP client that asks the person.
      const most = task.isApproved === true ? MOST_APPROVED : MOST_EACH;
      expect(ours / shell).toBeLessThanOrEqual(most);
    },
  );

  it("a program that comments on 20 issues takes as many tokens as one that comments on 2 issues", async () => {
    const program =
      'const r="octo/atlas",l=await issue.list(r,{labels:["question"]});for(const i of l)issue.comments.create(r+"#"+i.number,{body:"Still open?"});"done"';
    const sizes = [];
    for (const items of [2, 20]) {
      const numbers = Array.from({ length: items }, (_, at) => at + 2);
      const label = `for(const n of ${JSON.stringify(numbers)})issue.labels.add("octo/atlas#"+n,{labels:["question"]})`;
      expect((await run(label)).error).toBeNull();
      const before = world.github.applied()["addComment"] ?? 0;
      const said = await play({ program });
      expect((world.github.applied()["addComment"] ?? 0) - before).toBe(items);
      sizes.push(said.map(count));
    }
    expect(sizes[1]).toEqual(sizes[0]);
  });

  it("a program deletes branches in one call if an MCP client asks the person for the approval", async () => {
    const {
      prepare = "",
      program,
      shell,
      printed,
    } = BULK_TASKS.find(({ isApproved }) => isApproved)!;
    expect((await run(prepare)).error).toBeNull();
    const before = world.github.applied()["deleteRef"] ?? 0;
    const client = await connectTo(serveCode(), "2026-07-28", { elicit: allow });
    const { text } = await call(client, "code", { code: program });
    expect([text, (world.github.applied()["deleteRef"] ?? 0) - before]).toEqual(["null", 12]);
    const sent = JSON.stringify({ name: "code", arguments: { code: program } });
    const most = MOST_EACH * (count(shell) + count(printed));
    expect(count(sent) + count(text)).toBeLessThanOrEqual(most);
  });

  it(`programs take at most ${MOST_ALL} times the tokens of an expert's shell commands for all tasks over many GitHub items, and fewer requests`, () => {
    expect(totals.ours / totals.shell).toBeLessThanOrEqual(MOST_ALL);
    expect(totals.requests).toBeLessThan(totals.shellRequests);
  });
});
