import { pages } from "@waybill/core";
import type { Stage } from "./stage.ts";

const HELLO = { owner: "octo", name: "hello" };

const CLEAN_UP = `const branches = await branch.list("octo/hello");
const old = branches.filter((b) => b.name !== "main" && !b.name.startsWith("fix/"));
for (const b of old) await branch.delete("octo/hello", { branch: b.name });
return old.map((b) => b.name)`;

/** One step of the tour: its title, its command, and the answers. */
export interface Scene {
  readonly title: string;
  /** One sentence that says why the step matters. */
  readonly says: string;
  readonly command?: string;
  readonly play: (stage: Stage) => AsyncIterable<unknown>;
}

async function* read({ waybill }: Stage): AsyncIterable<unknown> {
  yield await waybill.execute("repo.view", HELLO);
}

function list({ waybill }: Stage): AsyncIterable<unknown> {
  const params = { ...HELLO, state: "all", first: 2 };
  const select = ["items.*.number", "items.*.title"];
  return pages(waybill, "issue.list", params, { select, max_pages: 9 });
}

async function* chain({ waybill }: Stage): AsyncIterable<unknown> {
  yield await waybill.chain([
    { id: "made", task: "issue.create", params: { ...HELLO, title: "Greet in Welsh" } },
    {
      task: "issue.comments.create",
      params: { ...HELLO, issueNumber: { $from: "made.data.number" }, body: "Shwmae!" },
    },
  ]);
}

async function* fallback({ withoutGh }: Stage): AsyncIterable<unknown> {
  yield await withoutGh.execute("repo.view", HELLO, { select: ["nameWithOwner"], trace: true });
}

/**
 * The connection breaks after GitHub has created the issue. A naive retry would create it twice.
 */
async function* fault({ waybill, github }: Stage): AsyncIterable<unknown> {
  const match = { operation: "createIssue" };
  const before = github.applied()["createIssue"] ?? 0;
  github.faults.inject({ kind: "drop", when: "after", match, times: 1 });
  const params = { ...HELLO, title: "Greet in Breton" };
  const options = { idempotency_key: "tour-1" };
  yield await waybill.execute("issue.create", params, options);
  yield await waybill.execute("issue.create", params, options);
  yield { applied_by_github: (github.applied()["createIssue"] ?? 0) - before };
}

/** A loop over many calls, approved once as a list. */
async function* program({ waybill }: Stage): AsyncIterable<unknown> {
  const { createCodeRunner, memoryRunLog } = await import("@waybill/code");
  const runner = createCodeRunner({ log: memoryRunLog() });
  try {
    const asked = await runner.run(waybill, CLEAN_UP);
    yield asked;
    const approve = asked.error?.details?.["approve"];
    if (typeof approve === "string") yield await runner.run(waybill, undefined, { approve });
  } finally {
    runner.close();
  }
}

export const SCENES: readonly Scene[] = [
  {
    title: "A read",
    says: "One envelope says what happened, by which route, and what it cost.",
    command: "waybill run repo.view owner=octo name=hello",
    play: read,
  },
  {
    title: "A list, page by page",
    says: "Select the fields you need: an agent pays for every token.",
    command: "waybill run issue.list octo/hello number title state=all first=2 --pages 9",
    play: list,
  },
  {
    title: "A chain: an issue, and a comment on it",
    says: "One request makes many calls, and a later step uses the result of an earlier one.",
    command: "waybill chain --steps @steps.json",
    play: chain,
  },
  {
    title: "A program: a loop over branches, with one approval for all of them",
    says: "A loop in a sandbox: the deletions wait for one approval, as a list.",
    command: "waybill code @clean-up.js, then: waybill code --approve …",
    play: program,
  },
  {
    title: "gh is preferred but missing: the next route answers and says why",
    says: "Waybill falls back to another route, and the answer names the reason.",
    command: "waybill run repo.view owner=octo name=hello --select nameWithOwner --trace",
    play: fallback,
  },
  {
    title: "The response to a write is lost; then the same call again, with the same key",
    says: "Waybill reads whether the write took place, so the repeat returns the same issue.",
    command: "waybill run issue.create octo/hello title='Greet in Breton' --idempotency-key tour-1",
    play: fault,
  },
];
