import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AUTHORISED, TOKEN, inspect, newFolder, openAt } from "../fixtures/inspected.ts";
import { Shop } from "../fixtures/shop.ts";
import { createHttpApp } from "../index.ts";

async function pageFolder(): Promise<string> {
  const folder = await newFolder();
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html>");
  await writeFile(join(folder, "assets", "main-0a1B2c3d.js"), "let a;");
  await writeFile(join(folder, "assets", "main-0a1B2c3d.js.gz"), "zipped");
  await writeFile(join(folder, "notes.txt"), "not of the page");
  return folder;
}

describe("the inspector's page", () => {
  it("the inspector page loads without a token, has a strict content policy, and its assets are cached", async () => {
    const inspected = await inspect({ page: await pageFolder() });
    const page = await inspected.get("/", {});
    expect([page.status, await page.text()]).toEqual([200, "<!doctype html>"]);
    expect(page.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        "media-src data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'",
    );
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const plain = { "accept-encoding": "identity" };
    const script = await inspected.get("/assets/main-0a1B2c3d.js", plain);
    expect([script.headers.get("content-type"), await script.text()]).toEqual([
      "text/javascript; charset=utf-8",
      "let a;",
    ]);
    expect(script.headers.get("cache-control")).toContain("immutable");
  });

  it("the server sends the compressed copy of an inspector asset to clients that accept compression", async () => {
    const app = createHttpApp({
      waybill: new Shop().waybill(),
      version: "1",
      tokens: [{ token: TOKEN }],
      inspector: { history: openAt(join(await newFolder(), "h.db")), page: await pageFolder() },
    });
    const headers = { host: "127.0.0.1", "accept-encoding": "gzip, br" };
    const asked = new Request("http://127.0.0.1/assets/main-0a1B2c3d.js", { headers });
    const answer = await app.fetch(asked);
    expect([answer.headers.get("content-encoding"), await answer.text()]).toEqual([
      "gzip",
      "zipped",
    ]);
  });

  it("the server sends no file outside the inspector page, and other sites cannot embed the page", async () => {
    const inspected = await inspect({ page: await pageFolder() });
    for (const path of ["/notes.txt", "/..%2f..%2fetc/passwd", "/assets/", "/nothing.js"]) {
      expect([path, (await inspected.get(path, {})).status]).toEqual([path, 404]);
    }
    const foreign = await inspected.get("/", { "sec-fetch-site": "cross-site" });
    expect(foreign.status).toBe(403);
    const opened = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" };
    expect((await inspected.get("/", opened)).status).toBe(200);
    const asked = await inspected.get("/v1/inspect/calls", { ...AUTHORISED, ...opened });
    expect(asked.status).toBe(403);
  });
});
