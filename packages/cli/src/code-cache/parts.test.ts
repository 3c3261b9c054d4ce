import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CodeCache, codeFolder } from "./code-cache.ts";
import { partLoader } from "./index.ts";

const KEPT = { code: Buffer.from("what V8 made of it"), uses: ["node:fs"] };

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-parts-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function keptIn(folder: string): Promise<string> {
  const [name, ...others] = await readdir(folder);
  expect(others).toEqual([]);
  return join(folder, name!);
}

describe("cache of compiled code", () => {
  it("the cache of compiled code is valid for one build and is a private file", async () => {
    const folder = join(await makeFolder(), "cache");
    new CodeCache(folder, "one").write("run", KEPT);
    expect(new CodeCache(folder, "one").read("run")).toEqual(KEPT);
    expect(new CodeCache(folder, "other").read("run")).toBeUndefined();
    expect(new CodeCache(folder, "one").read("later")).toBeUndefined();
    expect((await stat(await keptIn(folder))).mode & 0o777).toBe(0o600);
    new CodeCache(folder, "other").write("run", KEPT);
    expect(new CodeCache(folder, "one").read("run")).toBeUndefined();
    await keptIn(folder);
  });

  it.each(["cut short", "changed", "empty", "writable by others"])(
    "cached code of the command is ignored if its file is %s",
    async (what) => {
      const folder = await makeFolder();
      const cache = new CodeCache(folder, "one");
      cache.write("run", KEPT);
      const path = await keptIn(folder);
      const bytes = await readFile(path);
      if (what === "cut short") await writeFile(path, bytes.subarray(0, -1));
      if (what === "empty") await writeFile(path, "");
      if (what === "writable by others") await chmod(path, 0o666);
      if (what === "changed") {
        bytes[bytes.length - 3]! ^= 1;
        await writeFile(path, bytes);
      }
      expect(cache.read("run")).toBeUndefined();
    },
  );

  it("a code cache folder that cannot be created is ignored silently", async () => {
    const folder = await makeFolder();
    await writeFile(join(folder, "file"), "");
    const cache = new CodeCache(join(folder, "file"), "one");
    cache.write("run", KEPT);
    expect(cache.read("run")).toBeUndefined();
  });

  it.runIf(process.platform === "linux")(
    "the code cache is off in a file system in which no folder can be created",
    () => {
      const cache = new CodeCache("/proc/self/.cache/waybill", "one");
      cache.write("run", KEPT);
      expect([cache.read("run"), cache.isUsable()]).toEqual([undefined, false]);
    },
  );

  it("the code cache is in the user's cache folder, and is off without a home folder or if Node's compile cache is off", () => {
    expect(codeFolder({ HOME: "/home/a" })).toBe("/home/a/.cache/waybill");
    expect(codeFolder({ HOME: "/home/a", XDG_CACHE_HOME: "/c" })).toBe("/c/waybill");
    expect(codeFolder({ HOME: "/home/a", XDG_CACHE_HOME: "c" })).toBe("/home/a/.cache/waybill");
    expect(codeFolder({})).toBeUndefined();
    expect(codeFolder({ HOME: "/home/a", NODE_DISABLE_COMPILE_CACHE: "1" })).toBeUndefined();
  });
});

describe("partLoader", () => {
  it("partLoader loads each part of the program once, and a part can require Node modules and other parts", async () => {
    const folder = await makeFolder();
    await writeFile(
      join(folder, "one.cjs"),
      '(function(exports,require,file){exports.sum=()=>require("./two.cjs").two+require("./main.cjs").main;exports.path=require("node:path").basename(file)})',
    );
    await writeFile(join(folder, "two.cjs"), "(function(exports){exports.two=(exports.two??0)+2})");
    const asked: string[] = [];
    const ask = (name: string): unknown => {
      asked.push(name);
      return process.getBuiltinModule(name);
    };
    const load = partLoader({
      env: {},
      folder,
      build: "one",
      main: { main: 40 },
      load: Object.assign(ask, { resolve: String }),
      importModule: () => undefined,
    });
    const one = load("./one.cjs") as { sum: () => number; path: string };
    expect([one.sum(), one.sum(), one.path]).toEqual([42, 42, "one.cjs"]);
    expect(load("./one.cjs")).toBe(one);
    expect(asked).toEqual(["node:path"]);
  });

  it("partLoader lets Node cache the ES modules that a part of the program imports", async () => {
    const folder = await makeFolder();
    const text = "(function(exports,require,file,importModule){exports.go=()=>importModule('m')})";
    await writeFile(join(folder, "one.cjs"), text);
    const done: string[] = [];
    const load = partLoader({
      env: { HOME: folder },
      folder,
      build: "one",
      main: {},
      load: Object.assign(
        () => ({ enableCompileCache: (place: string) => done.push(`cache ${place}`) }),
        { resolve: String },
      ),
      importModule: (name) => done.push(`import ${name}`),
    });
    (load("./one.cjs") as { go: () => void }).go();
    expect(done).toEqual([`cache ${folder}/.cache/waybill/modules`, "import m"]);
  });
});
