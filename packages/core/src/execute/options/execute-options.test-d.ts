import { expectTypeOf, it } from "vitest";
import type { Route } from "../../envelope/index.ts";
import type { ExecuteOptions, Waybill } from "../index.ts";

declare const waybill: Waybill;

it("execute accepts every documented option", () => {
  const options: ExecuteOptions = {
    route: "rest",
    idempotency_key: "order-7",
    deadline_ms: 3_000,
    max_tokens: 500,
    select: ["title"],
    query: "items[].title",
    dry_run: true,
    trace: true,
  };
  expectTypeOf(waybill.execute("issue.view", {}, options)).resolves.toBeObject();
  expectTypeOf<NonNullable<ExecuteOptions["route"]>>().toEqualTypeOf<Route>();
});

it("execute refuses an unknown option or one of another type", () => {
  // @ts-expect-error The option is deadline_ms.
  expectTypeOf(waybill.execute("issue.view", {}, { deadlineMs: 3_000 })).toBeObject();
  // @ts-expect-error There is no such route.
  expectTypeOf(waybill.execute("issue.view", {}, { route: "soap" })).toBeObject();
  // @ts-expect-error A deadline is a number of milliseconds.
  expectTypeOf(waybill.execute("issue.view", {}, { deadline_ms: "3s" })).toBeObject();
});
