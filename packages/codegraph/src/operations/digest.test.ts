import { expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./index.ts";

async function digest(args: object = {}): Promise<object> {
  const manifest = {
    name: "shop",
    main: "src/index.ts",
    bin: { shop: "src/cli.ts" },
    exports: { ".": "./src/index.ts", "./client": "./src/client.ts", "./*": "./src/*.ts" },
    dependencies: { express: "5.0.0" },
  };
  const routes = Array.from({ length: 7 }, (_, at) => `app.get("/r${at}", () => {});\n`).join("");
  const files = {
    "package.json": JSON.stringify(manifest),
    "src/index.ts": `import express from "express";\nconst app = express();\n${routes}`,
    "src/cli.ts": 'import "./index.ts";\n',
    "src/client.ts": "export const client = 1;\n",
    "src/index.test.ts": `import express from "express";\nconst app = express();\n${routes}`,
  };
  const tools = openGraphTools({ root: temporaryTree(files), patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  return Object((await tools.call("digest", { ...args })).data.result) as object;
}

it("graph_digest shows the total of an entrypoint kind when the digest lists fewer entrypoints", async () => {
  expect(await digest()).toMatchObject({
    summary: { entrypoints: 10 },
    entrypoints: { routes: { length: 5 }, routesTotal: 7 },
  });
  const whole = await digest({ entrypointLimit: 7, maxTokens: 2_000 });
  expect(whole).toMatchObject({ entrypoints: { routes: { length: 7 } } });
  expect(JSON.stringify(whole)).not.toContain("routesTotal");
});

it("graph_digest lists each command and package name once", async () => {
  expect(await digest()).toMatchObject({
    entrypoints: { commands: ["shop"], packages: ["shop/client", "shop"] },
  });
});
