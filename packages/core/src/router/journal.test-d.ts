import { expectTypeOf, it } from "vitest";
import { createWaybill } from "../execute/index.ts";
import { memoryJournal } from "./index.ts";
import type { Journal } from "./index.ts";

it("createWaybill takes a journal object, not a path", () => {
  expectTypeOf(memoryJournal()).toExtend<Journal>();
  expectTypeOf(createWaybill({ journal: memoryJournal() })).toBeObject();
  // @ts-expect-error A journal is an object, not the path of its file.
  expectTypeOf(createWaybill({ journal: "journal.db" })).toBeObject();
});
