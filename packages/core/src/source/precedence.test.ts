import { describe, expect, it, vi } from "vitest";
import { createWaybill } from "../index.ts";
import { defineOperation } from "../operation/index.ts";
import type { Origin } from "../operation/index.ts";
import { localSource, placedSource } from "./index.ts";
import type { Source } from "./index.ts";

function operation(id: string, says: string) {
  return defineOperation({ id, description: "Says who it is", handler: () => says });
}

function source(name: string, origin: Origin, ids: readonly string[], anyIds = true): Source {
  const operations = ids.map((id) => operation(id, name));
  return placedSource(localSource(name, operations), { origin, anyIds });
}

function slow(given: Source, until: Promise<void>): Source {
  return { ...given, list: () => until.then(() => given.list()) };
}

const pack = source("github", "pack", ["issue.create", "issue.view"]);

describe("precedence of sources", () => {
  it("an id that several sources have goes to the program first, then to packs, user sources and project sources, in any order of sources", async () => {
    const waybill = createWaybill({
      operations: [operation("issue.view", "program")],
      sources: [
        source("theirs", "project", ["issue.create", "issue.view", "deploy.run"]),
        source("mine", "user", ["issue.create", "deploy.run"]),
        pack,
      ],
    });
    const says = async (id: string) => (await waybill.execute(id)).data;
    expect(await says("issue.view")).toBe("program");
    expect(await says("issue.create")).toBe("github");
    expect(await says("deploy.run")).toBe("mine");
    expect(await says("mine.issue.create")).toBe("mine");
    expect(await says("theirs.issue.create")).toBe("theirs");
    expect(await says("theirs.deploy.run")).toBe("theirs");
    expect(await says("github.issue.view")).toBe("github");
  });

  it("a project source cannot take an id of a pack in another letter case", async () => {
    const ids = ["Issue.create", "ISSUE.VIEW", "GitHub.steal", "deploy.Run", "deploy.run"];
    const waybill = createWaybill({ sources: [pack, source("theirs", "project", ids)] });
    const found = await Promise.all(ids.map(async (id) => (await waybill.execute(id)).data));
    expect(found).toEqual([null, null, null, "theirs", "theirs"]);
    expect((await waybill.execute("theirs.Issue.create")).data).toBe("theirs");
    expect((await waybill.execute("theirs.GitHub.steal")).data).toBe("theirs");
  });

  it("a second source cannot take an id with capital letters in another letter case", async () => {
    const mine = source("mine", "user", ["Deploy.run"]);
    const theirs = source("theirs", "project", ["pay.send", "PAY.send", "deploy.run"]);
    const operations = [operation("Pay.Send", "program")];
    const waybill = createWaybill({ operations, sources: [theirs, mine] });
    const ids = (await waybill.operations()).map(({ id }) => id);
    const taken = ["theirs.PAY.send", "theirs.deploy.run", "theirs.pay.send"];
    expect(ids.toSorted()).toEqual(["Deploy.run", "Pay.Send", ...taken].toSorted());
    await waybill.close();
  });

  it("the owner of an id does not depend on the order in which sources answer", async () => {
    let arrive!: () => void;
    const late = new Promise<void>((resolve) => (arrive = resolve));
    const theirs = source("theirs", "project", ["issue.create"]);
    const list = vi.fn<Source["list"]>(() => theirs.list());
    const waybill = createWaybill({ sources: [slow(pack, late), { ...theirs, list }] });
    const calling = waybill.execute("issue.create");
    await expect.poll(() => list.mock.settledResults).toMatchObject([{ type: "fulfilled" }]);
    arrive();
    expect((await calling).data).toBe("github");
    expect((await waybill.execute("theirs.issue.create")).data).toBe("theirs");
  });

  it("ids below the name of a source are reserved for that source, even while it does not answer", async () => {
    const silent = slow(source("shop", "user", ["shop.buy"], false), new Promise(() => {}));
    const waybill = createWaybill({
      sources: [silent, source("theirs", "project", ["shop.buy", "shop.sell"])],
    });
    await waybill.list_capabilities({ wait_ms: 1 });
    const { error } = await waybill.execute("shop.sell", {}, { deadline_ms: 50 });
    expect(error?.code).toBe("TIMEOUT");
    expect((await waybill.execute("theirs.shop.sell")).data).toBe("theirs");
  });

  it("a user source can take ids that the option replace names, and a project source cannot", async () => {
    const sources = [
      pack,
      source("mine", "user", ["issue.create"]),
      source("theirs", "project", ["issue.view"]),
    ];
    const waybill = createWaybill({ sources, replace: ["issue.create", "issue.view"] });
    expect((await waybill.execute("issue.create")).data).toBe("mine");
    expect((await waybill.execute("github.issue.create")).data).toBe("github");
    expect((await waybill.explain("github.issue.view")).notes).toEqual([
      "github calls it issue.view, but your configuration already has that id",
    ]);
  });

  it("explain reports an id collision for both operations", async () => {
    const waybill = createWaybill({ sources: [pack, source("mine", "user", ["issue.create"])] });
    expect((await waybill.explain("issue.create")).notes).toEqual([
      "mine has an operation of this id too: mine.issue.create",
    ]);
    expect(await waybill.explain("mine.issue.create")).toMatchObject({
      source: "mine",
      origin: "user",
      trusted: true,
      notes: ["mine calls it issue.create, but github already has that id"],
    });
  });
});
