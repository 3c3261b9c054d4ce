import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "shop", "main": "src/server.ts", "dependencies": { "express": "4" } }',
  "src/server.ts":
    'import express from "express";\nimport { users } from "./users.ts";\nexpress().use("/users", users).listen(3000);\n',
  "src/users.ts":
    'import { Router } from "express";\nimport { findUser } from "./store/index.ts";\nexport const users = Router();\nusers.get("/:id", (request, response) => response.json(findUser(request.params.id)));\n',
  "src/orders.ts":
    'import { Router } from "express";\nexport const orders = Router();\norders.get("/orders", (_request, response) => response.json([]));\n',
  "src/store/index.ts": 'export { findUser } from "./user-store.ts";\n',
  "src/store/user-store.ts": "export const findUser = (id: string) => ({ id });\n",
  "src/users.test.ts": 'import { users } from "./users.ts";\nvoid users;\n',
};

/** Writes a small shop to a temporary folder. No file imports the router in `orders.ts`. */
export function writeShop(): string {
  const root = mkdtempSync(join(tmpdir(), "waybill-shop-"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
