import { codeText } from "@waybill/code";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SOURCE_TASKS } from "../../benchmarks/code/source-scenarios.ts";
import { openDeskWorld } from "../support/desk-world.ts";
import type { DeskWorld } from "../support/desk-world.ts";

const MOST_EACH = 1.35;
const MOST_ALL = 1.2;

let world: DeskWorld;
beforeAll(async () => {
  world = await openDeskWorld();
  const notes = Array.from({ length: 10 }, (_, n) => ({
    title: `customer-${n}`,
    text: n % 5 === 0 ? "Has a contract" : "Pays by month",
  }));
  const program = `for (const n of ${JSON.stringify(notes)}) await notes.write_note(n)`;
  await world.runner.run(world.waybill, program);
});
afterAll(() => world.close());

const count = (text: string): number => encode(text).length;
const totals = { ours: 0, shell: 0, requests: 0, shellRequests: 0 };

describe("programs over many items of an API or an MCP server", () => {
  it.each(SOURCE_TASKS.map((task) => [task.name, task] as const))(
    "a program does a task over many items of an API or MCP server in one call, with about as many tokens as shell commands: %s",
    async (_name, task) => {
      const before = world.requests();
      const result = await world.runner.run(world.waybill, task.program);
      const text = codeText(result);
      expect(result.error).toBeNull();
      expect(text).toContain(task.answer);
      const ours = count(`waybill code '${task.program}'`) + count(text);
      const shell = count(task.shell) + count(task.printed);
      totals.ours += ours;
      totals.shell += shell;
      totals.requests += world.requests() - before;
      totals.shellRequests += task.shellRequests;
      expect(ours / shell).toBeLessThanOrEqual(MOST_EACH);
    },
  );

  it(`programs take at most ${MOST_ALL} times the tokens of shell commands for all tasks over many items, and fewer requests`, () => {
    expect(totals.ours / totals.shell).toBeLessThanOrEqual(MOST_ALL);
    expect(totals.requests).toBeLessThan(totals.shellRequests);
  });

  it("the programs of the tasks over many items close their 24 tickets", () => {
    expect(world.tickets().filter(({ status }) => status === "closed")).toHaveLength(24);
  });
});
