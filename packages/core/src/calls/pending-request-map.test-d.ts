import { expectTypeOf, it } from "vitest";
import type { ResponseEnvelope } from "../envelope/index.ts";
import type { PendingRequestMap } from "./index.ts";

declare const pending: PendingRequestMap;

it("PendingRequestMap.call takes an id and returns an envelope", () => {
  expectTypeOf(pending.call("issue.view", {})).resolves.toEqualTypeOf<ResponseEnvelope>();
  // @ts-expect-error An operation is called by its id.
  expectTypeOf(pending.call({ id: "issue.view" })).toBeObject();
});
