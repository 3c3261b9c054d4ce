import { pages } from "@waybill/core";
import type { Stage } from "./stage.ts";

const HELLO = { owner: "octo", name: "hello" };

/** One thing to see: what it is, how to ask for it, and the answers as they came. */
export interface Scene {
  readonly title: string;
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
    { id: "made", task: "issue.create", input: { ...HELLO, title: "Greet in Welsh" } },
    {
      task: "issue.comments.create",
      input: { ...HELLO, issueNumber: { $from: "made.data.number" }, body: "Shwmae!" },
    },
  ]);
}

async function* fallback({ withoutGh }: Stage): AsyncIterable<unknown> {
  yield await withoutGh.execute("repo.view", HELLO, { select: ["nameWithOwner"], trace: true });
}

/** The connection breaks after GitHub has done it: the one case in which others write twice. */
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

export const SCENES: readonly Scene[] = [
  {
    title: "A read",
    command: "waybill run repo.view owner=octo name=hello",
    play: read,
  },
  {
    title: "A list, page by page",
    command:
      "waybill run issue.list repo=octo/hello state=all first=2 --pages 9 --select 'items.*.number,items.*.title'",
    play: list,
  },
  {
    title: "A chain: an issue, and a comment on it",
    command: "waybill chain --steps @steps.json",
    play: chain,
  },
  {
    title: "gh is preferred here and missing: the next route answers, and says why",
    command: "waybill run repo.view owner=octo name=hello --select nameWithOwner --trace",
    play: fallback,
  },
  {
    title: "The connection breaks just after a write; then the same call again, with the same key",
    command:
      "waybill run issue.create repo=octo/hello title='Greet in Breton' --idempotency-key tour-1",
    play: fault,
  },
];
