import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryTree, writeTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./index.ts";
import type { GraphTools } from "./index.ts";

const FILES = {
  "mail/templates.ts": `/** Sends the message that confirms a booking, by email. */
export function deliver() {}
export const unrelated = 1;
`,
  "booking/confirm.ts": "export function sendBookingConfirmationEmail() {}\n",
  "booking/cancel.ts": "export function cancelBooking() {}\n",
  "log.ts": 'export const texts = ["the email could not be sent"];\n',
  "docs/guide.md": "How we send booking emails.\n",
};

interface Found {
  readonly results: readonly { path: string; name: string; line: number; text?: string }[];
}

function openTree(): { root: string; tools: GraphTools } {
  const root = temporaryTree(FILES);
  const tools = openGraphTools({ root, patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  return { root, tools };
}

async function found(tools: GraphTools, query: string, more: object = {}): Promise<string[]> {
  const { data } = await tools.call("search", { query, maxTokens: 5_000, ...more });
  return (data.result as Found).results.map(({ path, name, line }) => `${path}:${line} ${name}`);
}

describe("search by words", () => {
  it("graph_search ranks a name with all words first, then comments and strings", async () => {
    const { tools } = openTree();
    const hits = await found(tools, "send booking confirmation email");
    expect(hits[0]).toBe("booking/confirm.ts:1 sendBookingConfirmationEmail");
    expect(hits[1]).toBe("mail/templates.ts:1 templates.ts");
    expect(hits).toContain("log.ts:1 log.ts");
    expect(hits).toContain("docs/guide.md:1 guide.md");
  });

  it("graph_search shows the line that contains the words", async () => {
    const { tools } = openTree();
    const { data } = await tools.call("search", { query: "could not be sent" });
    expect((data.result as Found).results[0]).toMatchObject({
      path: "log.ts",
      text: 'export const texts = ["the email could not be sent"];',
    });
  });

  it("graph_search looks for words only in the given scope and type", async () => {
    const { tools } = openTree();
    expect(await found(tools, "cancel the booking", { scope: "booking", type: "symbol" })).toEqual([
      "booking/cancel.ts:1 cancelBooking",
      "booking/confirm.ts:1 sendBookingConfirmationEmail",
    ]);
  });

  it("graph_search finds words that an edit added and not the words that it removed", async () => {
    const { root, tools } = openTree();
    expect(await found(tools, "purple elephants")).toEqual([]);
    writeTree(root, { "log.ts": "// Purple elephants are not logged.\nexport const texts = 1;\n" });
    await expect.poll(() => found(tools, "purple elephants")).toEqual(["log.ts:1 log.ts"]);
    expect(await found(tools, "could sent")).toEqual([]);
  });

  it("graph_search finds the files with most of the words among hundreds of files with one of the words", async () => {
    const many = Array.from({ length: 400 }, (_, at) => [`m${at}.ts`, "// An orange whale.\n"]);
    const root = temporaryTree({
      ...(Object.fromEntries(many) as Record<string, string>),
      "m333.ts": "// An orange whale sings a lullaby.\n",
      "z.ts": "// The lullaby of an orange.\n",
    });
    const tools = openGraphTools({ root, patienceMs: 60_000 });
    onTestFinished(() => tools.close());
    const hits = await found(tools, "lullaby of the whale");
    expect(hits.slice(0, 2)).toEqual(["m333.ts:1 m333.ts", "z.ts:1 z.ts"]);
    expect(await found(tools, "lullaby of the whale")).toEqual(hits);
  });
});
