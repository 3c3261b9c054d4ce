import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import type { ResultEnvelope } from "@waybill/core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { cards } from "./cards.ts";
import { cases, isReadOnly } from "./fixtures/cases/index.ts";
import type { ParityCase } from "./fixtures/cases/index.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";
import { githubGraphqlSource } from "./graphql-source.ts";

const SSO = "partial-results; organizations=21955855";
const HIDDEN = "organizations 21955855 are left out";
const CUT = /"(incomplete_results|truncated|isTruncated)":\s*false/gu;

/** Forwards a request, and changes the response so that it reports missing parts. */
async function passOn(
  githubSocket: string,
  asked: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const { method, url: path, headers } = asked;
  const onward = send({ socketPath: githubSocket, method, path, headers });
  asked.pipe(onward);
  const [response] = (await once(onward, "response")) as [IncomingMessage];
  const { "content-length": _length, ...others } = response.headers;
  answer.writeHead(response.statusCode ?? 0, { ...others, "x-github-sso": SSO });
  answer.end((await text(response)).replaceAll(CUT, '"$1":true'));
}

let embedded: Embedded;
let close: () => void;

beforeAll(async () => {
  embedded = await startEmbedded({
    front: async (socket, githubSocket) => {
      const server = createServer((asked, answer) => void passOn(githubSocket, asked, answer));
      close = () => void server.close();
      await new Promise<void>((resolve) => server.listen(socket, resolve));
    },
  });
});

afterAll(async () => {
  close();
  await embedded.close();
});

function caseInput({ params }: ParityCase): object {
  return typeof params === "function" ? params(embedded.github) : params;
}

function warningsIn({ error, meta }: ResultEnvelope): string {
  expect(error).toBeNull();
  return (meta.warnings ?? []).join("\n");
}

/** Left out: a log comes from the storage host, which does not report missing organizations. */
const STORED = "workflow.job.logs.raw";

const READS = [...new Map(cases.filter(isReadOnly).map((each) => [each.id, each])).values()].filter(
  ({ id }) => cards.cardById(id)?.effect === "read" && id !== STORED,
);

function readsBy(route: "graphql" | "rest"): readonly ParityCase[] {
  return READS.filter(({ id, routes = cards.cardById(id)!.order }) => routes.includes(route));
}

describe.each(["graphql", "rest"] as const)("incomplete answers by %s", (route) => {
  it("a GitHub read warns if missing SSO authorization hides organizations", async () => {
    const waybill = embedded.by(route);
    const silent: string[] = [];
    for (const each of readsBy(route)) {
      const result = await waybill.execute(each.id, caseInput(each));
      if (!warningsIn(result).includes(HIDDEN)) silent.push(each.id);
    }
    expect(silent).toEqual([]);
    expect(readsBy(route).length).toBeGreaterThan(30);
  });

  it("every step of a chain warns if missing SSO authorization hides organizations, even if requests are merged", async () => {
    const steps = readsBy(route)
      .slice(0, 20)
      .map((each) => ({ task: each.id, input: caseInput(each) as Record<string, unknown> }));
    const { results } = await embedded.by(route).chain(steps);
    for (const result of results) expect(warningsIn(result)).toContain(HIDDEN);
  });
});

describe("incomplete answers of one kind", () => {
  const HELLO = { owner: "octo", name: "hello" };

  it.each([
    ["file.view", "graphql", { ...HELLO, path: "README.md" }, "cut the text of a file"],
    ["file.list", "rest", { ...HELLO, recursive: true }, "cut the list of files"],
    ["search.repos", "rest", { query: "hello" }, "search timed out"],
    ["search.issues", "rest", { query: "hello" }, "search timed out"],
    ["search.prs", "rest", { query: "hello" }, "search timed out"],
    ["search.code", "rest", { query: "hello" }, "search timed out"],
  ] as const)(
    "%s on the %s route warns what is missing from GitHub's answer",
    async (id, route, input, warning) => {
      expect(warningsIn(await embedded.by(route).execute(id, input))).toContain(warning);
    },
  );

  it("github.graphql warns what is missing from the answer to a caller's own document", async () => {
    const transport = createHttpTransport();
    const around = { env: {}, transport, userAgent: "waybill-test" };
    const waybill = createWaybill({ sources: [githubGraphqlSource(embedded.place, around)] });
    onTestFinished(async () => {
      await waybill.close();
      transport.close();
    });
    const query = `{ repository(owner: "octo", name: "hello") {
      readme: object(expression: "HEAD:README.md") { ... on Blob { text isTruncated } } } }`;
    const warnings = warningsIn(await waybill.execute("github.graphql", { query }));
    expect(warnings).toContain(HIDDEN);
    expect(warnings).toContain("cut the text of a file");
  });
});
