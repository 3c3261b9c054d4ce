import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { ResultEnvelope } from "@waybill/core";
import type { CardRoute } from "@waybill/core/cards";
import { addComment } from "../emulator/store/mutations/conversations.ts";
import { cards } from "./cards.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded, EmbeddedOptions } from "./fixtures/embedded.ts";
import { ownWorlds } from "./fixtures/own-world.ts";

type Name = "graphql" | "rest" | "cli";
const ROUTES: readonly Name[] = ["graphql", "rest", "cli"];

const HELLO = { owner: "octo", name: "hello" };
const FIRST = { ...HELLO, issueNumber: 1 };
/** The number of a pull request, which is not an issue. */
const PULL = { ...HELLO, issueNumber: 6 };

function getRoutes(id: string): readonly Name[] {
  const order = cards.cardById(id)?.order ?? [];
  return ROUTES.filter((route) => order.includes(route));
}

/** Runs each capability on each of its routes. */
function onRoutes<Rest extends readonly unknown[]>(
  rows: readonly (readonly [string, ...Rest])[],
): [string, Name, ...Rest][] {
  return rows.flatMap(([id, ...rest]) =>
    getRoutes(id).map((route): [string, Name, ...Rest] => [id, route, ...rest]),
  );
}

/** A write is recognised by its creation time, so this test uses the real clock. */
const clock = (): Date => new Date();
const start = ownWorlds({ clock });

async function startWith(wrap: NonNullable<EmbeddedOptions["wrap"]>): Promise<Embedded> {
  const embedded = await startEmbedded({ clock, wrap });
  onTestFinished(() => embedded.close());
  return embedded;
}

/** Loses the response to the next write, on any route. */
function loseAnswer({ github }: Embedded, operation: string): void {
  const lose = { kind: "drop", when: "after" } as const;
  github.faults.inject({ ...lose, match: { operation } });
  github.faults.inject({ ...lose, match: { method: "POST", path: /^\/(?!graphql)/ } });
}

describe("lost responses of writes to issues", () => {
  it.each(
    onRoutes<[string, object]>([
      ["issue.create", "createIssue", { ...HELLO, title: "Twice?" }],
      ["issue.comments.create", "addComment", { ...FIRST, body: "Twice?" }],
      ["label.create", "createLabel", { ...HELLO, label: "twice" }],
      ["milestone.create", "createMilestone", { ...HELLO, title: "Twice?" }],
      ["repo.create", "createRepository", { name: "twice" }],
      ["gist.create", "createGist", { files: { "twice.md": "Twice?" } }],
    ]),
  )(
    "%s is applied once when its response is lost on the %s route",
    async (id, route, mutation, input) => {
      const embedded = await start();
      loseAnswer(embedded, mutation);
      const { error } = await embedded.waybill.execute(id, { ...input }, { route });
      expect(embedded.github.applied()).toEqual({ [mutation]: 1 });
      expect(["applied", "unknown"]).toContain(error?.details?.["outcome"] ?? "applied");
      expect(error?.retryable ?? false).toBe(false);
    },
  );

  it.each(
    onRoutes<[string, object, object]>([
      [
        "issue.comments.create",
        "addComment",
        { ...FIRST, body: "Twice? 👋" },
        { body: "Twice? 👋" },
      ],
      ["label.create", "createLabel", { ...HELLO, label: "twice" }, { name: "twice" }],
      ["milestone.create", "createMilestone", { ...HELLO, title: "Twice?" }, { number: 3 }],
    ]),
  )(
    "%s whose response is lost on the %s route returns the written object with a warning",
    async (id, route, mutation, input, found) => {
      const embedded = await start();
      loseAnswer(embedded, mutation);
      const { data, error, meta } = await embedded.waybill.execute(id, { ...input }, { route });
      expect(error).toBeNull();
      expect(data).toMatchObject(found);
      expect(meta.warnings).toEqual([expect.stringContaining("response to this write was lost")]);
    },
  );

  it("issue.create whose response is lost does not return an equal issue of another user as its own", async () => {
    // Our write is lost before it is applied, and meanwhile another user makes the same write.
    const wrap = (route: CardRoute): CardRoute => ({
      route: route.route,
      needs: route.needs,
      describe: (request) => route.describe(request),
      send(request, attempt) {
        const sent = route.send(request, attempt);
        if (attempt.effect !== "read") commentByMonalisa();
        return sent;
      },
    });
    const embedded = await startWith(wrap);
    const { store } = embedded.github;
    const commentByMonalisa = (): void => {
      const hello = store.repositories.find(({ name }) => name === "hello")!;
      const monalisa = store.users.find(({ login }) => login === "monalisa")!;
      addComment(store, monalisa, hello.issues.get(1)!, "Me too");
    };
    embedded.github.faults.inject({ kind: "drop", match: { operation: "addComment" } });
    const { error } = await embedded
      .by("graphql")
      .execute("issue.comments.create", { ...FIRST, body: "Me too" });
    expect(error).toMatchObject({ retryable: false, details: { outcome: "unknown" } });
  });
});

describe("same behaviour on every route", () => {
  let shared: Embedded;
  beforeAll(async () => {
    shared = await startEmbedded();
  });
  afterAll(() => shared.close());

  function run(id: string, route: Name, input: object): Promise<ResultEnvelope> {
    return shared.by(route).execute(id, { ...input });
  }

  it.each(
    onRoutes<[object]>([
      ["issue.view", {}],
      ["issue.update", { title: "Not an issue" }],
      ["issue.close", {}],
      ["issue.reopen", {}],
      ["issue.delete", {}],
      ["issue.labels.set", { labels: ["bug"] }],
      ["issue.assignees.set", { assignees: [] }],
      ["issue.milestone.set", { milestoneNumber: 1 }],
      ["issue.milestone.clear", {}],
      ["issue.relations.parent.set", { parentIssueNumber: 1 }],
      ["issue.relations.blocked_by.add", { blockedByIssueNumber: 1 }],
      ["issue.transfer", { target: "octo/atlas" }],
    ]),
  )(
    "%s on the %s route returns NOT_FOUND for a pull request number where an issue is needed",
    async (id, route, more) => {
      const { error } = await run(id, route, { ...PULL, ...more });
      expect(error).toMatchObject({
        code: "NOT_FOUND",
        message: expect.stringContaining("#6 is a pull request") as string,
        details: { hint: expect.stringContaining("under pr.") as string },
      });
      expect(shared.github.applied()).toEqual({});
    },
  );

  it.each(ROUTES)(
    "the issue relations of a pull request are NOT_FOUND on the %s route",
    async (route) => {
      const { error } = await run("issue.relations.view", route, PULL);
      expect(error?.code).toBe("NOT_FOUND");
    },
  );

  it.each(
    onRoutes<[object, string]>([
      ["issue.labels.set", { labels: ["bug", "bgu"] }, "bgu"],
      ["issue.labels.add", { labels: ["bgu"] }, "bgu"],
      ["issue.labels.remove", { labels: ["bgu"] }, "bgu"],
      ["issue.assignees.set", { assignees: ["monalisa", "mnalisa"] }, "mnalisa"],
      ["issue.assignees.add", { assignees: ["mnalisa"] }, "mnalisa"],
      ["issue.assignees.remove", { assignees: ["mnalisa"] }, "mnalisa"],
      ["issue.milestone.set", { milestoneNumber: 99 }, ""],
      ["issue.comments.create", { body: "x", issueNumber: 99 }, ""],
      ["label.update", { label: "bgu", newName: "bug2" }, ""],
      ["label.delete", { label: "bgu" }, ""],
    ]),
  )(
    "%s on the %s route returns NOT_FOUND for labels, users and milestones that do not exist",
    async (id, route, more) => {
      const known = cards.cardById(id)?.inputSchema as { properties: object };
      const place = "issueNumber" in known.properties ? FIRST : HELLO;
      const { error } = await run(id, route, { ...place, ...more });
      expect(error).toMatchObject({ code: "NOT_FOUND", details: { outcome: "not_applied" } });
      expect(shared.github.applied()).toEqual({});
    },
  );

  it.each(
    onRoutes<[object]>([
      ["user.view", { login: "nobody" }],
      ["repo.list", { owner: "nobody" }],
    ]),
  )("%s on the %s route returns NOT_FOUND for an unknown user", async (id, route, input) => {
    expect((await run(id, route, input)).error?.code).toBe("NOT_FOUND");
  });

  it.each(ROUTES)("GitHub's %s route finds a repository by its old name", async (route) => {
    const { data, error } = await run("issue.view", route, { ...FIRST, name: "hello-world" });
    expect(error).toBeNull();
    expect(data).toMatchObject({ number: 1, url: "https://github.com/octo/hello/issues/1" });
  });

  it.each(ROUTES)(
    "GitHub's %s route rejects hostile names of owners and repositories",
    async (route) => {
      for (const [owner, name] of [
        ["octo/hello", "issues"],
        ["octo", ".."],
        ["..", "hello"],
        ["--web", "hello"],
        ["octo", "hello?state=all"],
        ["octo", "hello\u0000"],
        ["öcto", "héllo 👋"],
      ]) {
        const { error } = await run("issue.view", route, { owner, name, issueNumber: 1 });
        expect(["NOT_FOUND", "VALIDATION"]).toContain(error?.code);
      }
    },
  );

  it.each(ROUTES)(
    "a repository name cannot add terms to a search on the %s route",
    async (route) => {
      const { error } = await run("issue.list", route, {
        owner: "octo",
        name: "x repo:octo/hello",
      });
      expect(error).toMatchObject({ code: "VALIDATION", details: { issues: [{ path: "/name" }] } });
    },
  );

  it.each(ROUTES)(
    "GitHub's %s route accepts the forms of inputs that agents use",
    async (route) => {
      for (const input of [
        { repo: "octo/hello", number: "1" },
        { owner: "octo", repo: "hello", issue_number: 1 },
        { repository: "https://github.com/octo/hello", issue: "#1" },
        { url: "https://github.com/octo/hello/issues/1#issuecomment-1" },
      ]) {
        const { error, data } = await run("issue.view", route, input);
        expect(error).toBeNull();
        expect(data).toMatchObject({ number: 1 });
      }
    },
  );

  it("the error for an unknown input suggests the nearest name", async () => {
    const { error } = await run("issue.close", "graphql", { ...FIRST, reasn: "completed" });
    expect(error?.code).toBe("VALIDATION");
    expect(JSON.stringify(error?.details)).toContain("reason");
  });

  it.each(ROUTES)("GitHub's %s route returns every item of a long list once", async (route) => {
    const { store } = shared.github;
    const hello = store.repositories.find(({ name }) => name === "hello")!;
    const [octocat] = store.users;
    const issue = hello.issues.get(5)!;
    for (let count = issue.comments.length; count < 100; count += 1) {
      addComment(store, octocat!, issue, `Comment ${count}`);
    }
    const waybill = shared.by(route);
    const first = route === "cli" ? 20 : 1;
    const seen: string[] = [];
    let after: string | null = null;
    let pages = 0;
    do {
      const input = { ...HELLO, issueNumber: 5, first, ...(after !== null && { after }) };
      const { data, error } = await waybill.execute("issue.comments.list", input);
      expect(error).toBeNull();
      const page = data as { items: { id: string }[]; pageInfo: { endCursor: string | null } };
      seen.push(...page.items.map(({ id }) => id));
      after = page.pageInfo.endCursor;
      pages += 1;
    } while (after !== null && pages <= 100);
    expect(new Set(seen).size).toBe(100);
    expect([seen.length, pages]).toEqual([100, 100 / first]);
  });
});

describe("renamed repository", () => {
  it.each(ROUTES)(
    "GitHub's %s route lists the issues of a renamed repository by its old name",
    async (route) => {
      const waybill = (await start()).by(route);
      const { data } = await waybill.execute("issue.list", HELLO);
      const old = await waybill.execute("issue.list", { ...HELLO, name: "hello-world" });
      expect([old.error, old.data]).toEqual([null, data]);
    },
  );

  it.each(ROUTES)(
    "a read on the %s route with the old name of a repository warns about the new name",
    async (route) => {
      const waybill = (await start()).by(route);
      for (const [id, params] of [
        ["repo.view", {}],
        ["issue.view", { issueNumber: 1 }],
        ["issue.comments.list", { issueNumber: 1 }],
        ["pr.view", { prNumber: 10 }],
        ["pr.list", {}],
      ] as const) {
        const asked = { ...HELLO, ...params };
        const { meta } = await waybill.execute(id, { ...asked, name: "hello-world" });
        expect([id, meta.warnings?.join()]).toEqual([
          id,
          "octo/hello-world was renamed: it is octo/hello now",
        ]);
        expect((await waybill.execute(id, asked)).meta.warnings).toBeUndefined();
      }
    },
  );

  const OLD = { ...HELLO, name: "hello-world" };
  const WRITES: readonly (readonly [id: string, params: object])[] = [
    ["issue.comments.create", { issueNumber: 1, body: "Here?" }],
    ["issue.close", { issueNumber: 1 }],
    ["issue.create", { title: "Here?", labels: ["bug"] }],
    ["issue.lock", { issueNumber: 2 }],
    ["label.create", { label: "new", color: "0075ca" }],
    ["milestone.create", { title: "New" }],
    ["pr.update", { prNumber: 6, title: "New" }],
    ["branch.create", { branch: "new", from: "main" }],
    ["variable.create", { variable: "NEW", value: "1" }],
    ["label.delete", { label: "question" }],
  ];

  it.each(ROUTES)(
    "a write on the %s route with the old name of a repository warns about the new name",
    async (route) => {
      const waybill = (await start()).by(route);
      for (const [id, params] of WRITES.filter(([each]) => getRoutes(each).includes(route))) {
        const { error, meta } = await waybill.execute(id, { ...OLD, ...params });
        expect([id, error, meta.warnings]).toEqual([
          id,
          null,
          ["octo/hello-world was renamed: it is octo/hello now"],
        ]);
      }
    },
  );

  it.each(["graphql", "rest"] as const)(
    "a write on the %s route with the current name of a repository does not warn",
    async (route) => {
      const waybill = (await start()).by(route);
      for (const [id, params] of WRITES.filter(([each]) => getRoutes(each).includes(route))) {
        const { ok, meta } = await waybill.execute(id, { ...HELLO, ...params });
        expect([id, ok, meta.warnings]).toEqual([id, true, undefined]);
      }
    },
  );

  it.each(ROUTES)(
    "GitHub's %s route writes to a renamed repository by its old name",
    async (route) => {
      const embedded = await start();
      const waybill = embedded.by(route);
      const old = { ...FIRST, name: "hello-world" };
      const { error } = await waybill.execute("issue.comments.create", { ...old, body: "Here?" });
      expect(error).toBeNull();
      expect((await waybill.execute("issue.close", old)).error).toBeNull();
      expect(embedded.github.applied()).toEqual({ addComment: 1, closeIssue: 1 });
    },
  );
});

describe("long strings", () => {
  it.each(ROUTES)(
    "GitHub's %s route accepts long strings up to GitHub's limit and rejects longer strings",
    async (route) => {
      const embedded = await start();
      const waybill = embedded.by(route);
      const body = `${"👋\r\n".repeat(65_535 / 3)}.`;
      const { data } = await waybill.execute("issue.comments.create", { ...FIRST, body });
      expect(data).toMatchObject({ body });
      const longer = { ...FIRST, body: `${body}!` };
      const { error } = await waybill.execute("issue.comments.create", longer);
      expect(error).toMatchObject({ code: "VALIDATION", details: { outcome: "not_applied" } });
      expect(embedded.github.applied()).toEqual({ addComment: 1 });
    },
  );
});

describe("labels with special characters", () => {
  it.each(ROUTES)(
    "GitHub's %s route creates, adds, removes and deletes labels with special characters",
    async (route) => {
      const embedded = await start();
      const waybill = embedded.by(route);
      for (const label of ["area/api", "a b?c#d", "100%", "--web", "größe 👋"]) {
        const steps = [
          { task: "label.create", input: { ...HELLO, label } },
          { task: "issue.labels.add", input: { ...FIRST, labels: [label] } },
          { task: "issue.labels.remove", input: { ...FIRST, labels: [label] } },
          { task: "label.delete", input: { ...HELLO, label } },
        ];
        const { results } = await waybill.chain(steps);
        expect(results.map(({ error }) => error)).toEqual([null, null, null, null]);
        expect(results[1]!.data).toMatchObject({
          labels: expect.arrayContaining([label]) as string[],
        });
        expect(results[2]!.data).toMatchObject({ labels: ["bug", "priority: high"] });
      }
    },
  );
});

describe("labels removed over REST", () => {
  it.each([
    ["several labels", ["bug", "priority: high"]],
    ["a label that the issue does not have", ["wontfix"]],
  ])(
    "issue.labels.remove over REST returns not_applied, rather than replacing all labels, to remove %s",
    async (_, labels) => {
      const embedded = await start();
      const input = { ...FIRST, labels };
      const { error } = await embedded.by("rest").execute("issue.labels.remove", input);
      expect(error).toMatchObject({ details: { outcome: "not_applied" } });
      expect(embedded.github.applied()).toEqual({});
    },
  );
});

function labelled(issueNumber: number) {
  return {
    task: "issue.labels.add",
    input: { ...HELLO, issueNumber, labels: ["question", "wontfix"] },
  };
}

describe("chains of issue writes", () => {
  it("a chain sends one request for data that several of its steps need", async () => {
    const embedded = await start();
    const waybill = embedded.by("graphql");
    const { status, meta } = await waybill.chain([1, 2, 3].map(labelled));
    expect(status).toBe("success");
    expect(embedded.github.applied()).toEqual({ addLabels: 3 });
    const asked = embedded.github.requests.length;
    expect(meta.upstream_requests).toBe(asked);
    expect(asked).toBeLessThanOrEqual(6);
  });

  it("a chain applies its other steps when one step fails", async () => {
    const embedded = await start();
    const { status, results } = await embedded.waybill.chain([
      { task: "issue.comments.create", input: { ...FIRST, body: "One" } },
      { task: "issue.labels.add", input: { ...FIRST, labels: ["bgu"] } },
      { task: "issue.close", input: FIRST },
    ]);
    expect(status).toBe("partial");
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect(results[0]!.data).toMatchObject({ body: "One" });
    expect(embedded.github.applied()).toEqual({ addComment: 1, closeIssue: 1 });
  });
});
