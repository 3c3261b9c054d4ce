// @ts-check
// Measures how much one operation, and ten, slow down the compilation of a program that uses the
// built packages.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { capture, root } from "./run.mjs";

const IMPORT = 'import { createWaybill, defineOperation } from "@waybill/core";';
const folder = join(root, "node_modules/.cache/waybill/type-cost");
const FLAGS =
  "--ignoreConfig --noEmit --strict --skipLibCheck --extendedDiagnostics --target es2023 --module nodenext".split(
    " ",
  );

/** @param {number} index */
function describedOperation(index) {
  const input = `{ type: "object", required: ["n"], properties: { n: { type: "integer" }, s: { enum: ["x", "y${index}"] } } }`;
  const output = `{ type: "object", required: ["t"], properties: { t: { type: "string" } } }`;
  return `const o${index} = defineOperation({ id: "a.b${index}", description: "d", effect: "read", input: ${input}, output: ${output}, handler: ({ n }) => ({ t: String(n) }) });`;
}

const ten = Array.from({ length: 10 }, (_, index) => index);
const programs = [
  {
    name: "one operation without schemas",
    limit: 5_000,
    code: `${IMPORT}
export const one = defineOperation({ id: "a.b", description: "d", handler: () => 1 });
export const waybill = createWaybill();`,
  },
  {
    name: "ten operations, passed to createWaybill and called",
    limit: 6_500,
    code: `${IMPORT}
${ten.map(describedOperation).join("\n")}
const waybill = createWaybill({ operations: [${ten.map((index) => `o${index}`).join(", ")}] });
const { data } = await waybill.execute("a.b3", { n: 1 });
export const text: string | undefined = data?.t;`,
  },
];

/** @param {{ name: string, limit: number, code: string }} program @param {number} index */
async function cost({ name, limit, code }, index) {
  const file = join(folder, `program-${index}.mts`);
  writeFileSync(file, code);
  const { ok, output } = await capture("node", ["node_modules/typescript/bin/tsc", ...FLAGS, file]);
  const types = Number(/^Types:\s+(\d+)/m.exec(output)?.[1] ?? Infinity);
  console.log(`${name}: ${types} types (limit ${limit})`);
  if (!ok) console.error(output);
  return ok && types <= limit;
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
/** @type {boolean[]} */
const results = [];
for (const [index, program] of programs.entries()) results.push(await cost(program, index));
process.exitCode = results.every(Boolean) ? 0 : 1;
