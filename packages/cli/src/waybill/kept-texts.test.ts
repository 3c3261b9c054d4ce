import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHandleStore } from "@waybill/state";
import { expect, it, onTestFinished } from "vitest";
import { keptTexts } from "./kept-texts.ts";

it("keptTexts stores a cut text in a file with its owner and its encoding", async () => {
  const path = await mkdtemp(join(tmpdir(), "waybill-kept-"));
  onTestFinished(() => rm(path, { recursive: true }));
  const store = keptTexts(openHandleStore({ path }));
  const info = { capability_id: "a.b" };
  const read = async (more: object) =>
    store.read(await store.put("grüße", { ...info, ...more }), 1, 3);
  expect(await read({})).toEqual({ text: "rüß", total: 5 });
  const owned = { owner: 'ada; "ü"', encoding: "base64" };
  expect(await read(owned)).toEqual({ text: "rüß", total: 5, ...owned });
});
