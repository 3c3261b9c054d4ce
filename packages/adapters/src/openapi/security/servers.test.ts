import { describe, expect, it } from "vitest";
import { describing, sourceOf, waybillOf } from "../fixtures/describe-api.ts";
import type { OpenApiOptions } from "../index.ts";

type Raw = Record<string, unknown>;

const VARIABLES = {
  url: "https://{region}.example.com:{port}/{base}",
  variables: {
    region: { enum: ["eu", "us"], default: "us" },
    port: { default: 8443 },
    base: { default: "v1" },
  },
};

async function url(operation: Raw, servers: unknown, options: Partial<OpenApiOptions> = {}) {
  return (await sourceOf(describing(operation, { servers }), options).preview("api.op", {})).url;
}

describe("the server of an operation", () => {
  it("variables in a server address get their default or the given value, and other values are refused", async () => {
    expect(await url({}, [VARIABLES])).toBe("https://us.example.com:8443/v1/things");
    const variables = { region: "eu", base: "v2" };
    expect(await url({}, [VARIABLES], { variables })).toBe("https://eu.example.com:8443/v2/things");
    const wrong = url({}, [VARIABLES], { variables: { region: "mars" } });
    await expect(wrong).rejects.toThrow("region must be one of eu, us");
  });

  it("the servers of an OpenAPI operation override the servers of the description", async () => {
    const operation = { servers: [{ url: "https://files.example.com" }] };
    expect(await url(operation, [VARIABLES])).toBe("https://files.example.com/things");
  });

  it("the option server overrides all servers of the API description", async () => {
    const operation = { servers: [{ url: "https://files.example.com" }] };
    const server = "http://127.0.0.1:9/base/";
    expect(await url(operation, [VARIABLES], { server })).toBe("http://127.0.0.1:9/base/things");
  });

  it.each([["/v1"], ["{nowhere}"], ["ftp://h"]])(
    "openapiSource returns ADAPTER_UNSUPPORTED if the server address is %s",
    async (server) => {
      const waybill = waybillOf(describing({}, { servers: [{ url: server }] }));
      expect(await waybill.explain("api.op")).toMatchObject({ preferred_route: "rest" });
      const { error } = await waybill.execute("api.op");
      expect(error).toMatchObject({ code: "ADAPTER_UNSUPPORTED", retryable: false });
    },
  );

  it("hosts() of an OpenAPI source returns the hosts of all servers, first the host that calls use", async () => {
    const servers = [VARIABLES, { url: "//b.example.com" }, { url: "/v1" }, VARIABLES];
    const hosts = (options: Partial<OpenApiOptions>) =>
      sourceOf(describing({}, { servers }), options).hosts();
    expect(await hosts({})).toEqual(["us.example.com:8443", "b.example.com"]);
    expect(await hosts({ server: "http://127.0.0.1:9/" })).toEqual(["127.0.0.1:9"]);
    const relative = sourceOf(describing({}, { servers: [] }), { baseUrl: "https://c.example/x" });
    expect(await relative.hosts()).toEqual(["c.example"]);
  });
});
