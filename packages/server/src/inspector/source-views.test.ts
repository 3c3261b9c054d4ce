import { join } from "node:path";
import { createWaybill, defineOperation, localSource } from "@waybill/core";
import { lateSource } from "@waybill/core/cards";
import { expect, it } from "vitest";
import { newFolder, openAt } from "../fixtures/inspected.ts";
import { sourceViews } from "./source-views.ts";

const look = (id: string) =>
  defineOperation({ id, description: "Look", effect: "read", handler: () => 1 });

it("the inspector shows two sources with an equal name as one source with both parts and the last error", async () => {
  const waybill = createWaybill({
    sources: [
      localSource("hub", [look("item.view"), look("item.list")]),
      lateSource("hub", () => Promise.reject(new Error("nobody there")), "rest"),
    ],
  });
  await waybill.list_capabilities();
  const history = openAt(join(await newFolder(), "history.db"));
  const views = await sourceViews(waybill, { history, kinds: { hub: "pack" } });
  expect(views).toMatchObject([
    {
      name: "hub",
      kind: "pack",
      state: "down",
      operations: 2,
      parts: [
        { kind: "capabilities", state: "up", operations: 2 },
        { kind: "rest", state: "down" },
      ],
      last_error: { message: "nobody there" },
    },
  ]);
});
