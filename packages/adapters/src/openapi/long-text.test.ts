import { describe, expect, it } from "vitest";
import { describing, sourceOf, waybillOf } from "./fixtures/describe-api.ts";

/** Reading a text of this length from each of its characters again would take hours. */
const LENGTH = 1_000_000;

describe("long texts of a hostile description", () => {
  it.each([
    ["a description with a run of spaces", { description: `<b>x${" ".repeat(LENGTH)}y` }],
    ["an operationId with a run of underscores", { operationId: `a${"_-".repeat(LENGTH / 2)}b` }],
    ["an operationId with a run of dots", { operationId: `a${"_.".repeat(LENGTH / 2)}b` }],
  ])("openapiSource reads %s in linear time", async (_name, operation) => {
    const [summary] = await sourceOf(describing(operation)).list();
    expect(summary?.id).toMatch(/^api\./u);
    expect(summary?.description.length).toBeLessThan(5_000);
  });

  it("openapiSource reads a server address with a run of slashes in linear time", async () => {
    const servers = [{ url: `https://api.example.com/${"/".repeat(LENGTH)}x` }];
    const waybill = waybillOf(describing({}, { servers }));
    const { error } = await waybill.execute("api.op", {}, { dry_run: true });
    expect(error?.code ?? "fine").toMatch(/^\w+$/u);
  });

  it("openapiSource refuses a long file input that is not base64 in linear time", async () => {
    const operation = { requestBody: { content: { "image/png": {} } } };
    const waybill = waybillOf(describing(operation, {}, "/things", "post"));
    const body = { base64: `${" ".repeat(LENGTH)}!` };
    const { error } = await waybill.execute("api.op", { body }, { dry_run: true });
    expect(error).toMatchObject({ code: "VALIDATION" });
    expect(error?.message).toContain("is not base64");
  });
});
