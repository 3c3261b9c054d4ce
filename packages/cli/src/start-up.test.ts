import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const STATIC_IMPORT = /^(?:import|export)\s(?!type\b)[^"]*?from "([^"]+)";$/gm;

/** The files and packages that are loaded before the command line is parsed. */
function loadedFrom(file: URL, found = new Set<string>()): Set<string> {
  if (found.has(file.href)) return found;
  found.add(file.href);
  for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(STATIC_IMPORT)) {
    if (specifier.startsWith(".")) loadedFrom(new URL(specifier, file), found);
    else found.add(specifier);
  }
  return found;
}

it("waybill --version and waybill help load no package and no command", () => {
  const loaded = [...loadedFrom(new URL("./cli.ts", import.meta.url))];
  expect(loaded.filter((name) => name.endsWith("/help.ts"))).toHaveLength(1);
  expect(loaded.filter((name) => name.includes("/commands/"))).toEqual([]);
  expect(loaded.filter((name) => !name.startsWith("file:")).toSorted()).toEqual([
    "node:fs",
    "node:path",
    "node:util",
  ]);
});

it("a command that a running waybill up answers loads only the client of waybill up", () => {
  const loaded = [...loadedFrom(new URL("./main.ts", import.meta.url))];
  const files = loaded.filter((name) => name.startsWith("file:"));
  expect(files.map((name) => name.replace(/.*\/cli\/src\//u, "")).toSorted()).toEqual([
    "main.ts",
    "output/write-sync.ts",
    "up/client.ts",
    "up/socket-path.ts",
    "up/wire.ts",
    "version.ts",
  ]);
  expect(loaded.filter((name) => !name.startsWith("file:"))).toEqual(["node:fs", "node:net"]);
});

it.each(["run", "chain", "explain", "list", "search"])(
  "the command waybill %s loads no code graph before a question about code",
  (name) => {
    const loaded = loadedFrom(new URL(`./commands/${name}.ts`, import.meta.url));
    expect([...loaded].some((each) => each.startsWith("@waybill/core"))).toBe(true);
    expect([...loaded].filter((each) => each.startsWith("@waybill/codegraph"))).toEqual([]);
  },
);

it("the command waybill capabilities explain does not load the modules that open a Waybill instance", () => {
  const loaded = [...loadedFrom(new URL("./commands/explain.ts", import.meta.url))];
  const opening = loaded.filter((name) => /\/waybill\/(?!explain-packed\.ts)/u.test(name));
  expect(opening.filter((name) => name.startsWith("file:"))).toEqual([]);
});
