import { readFileSync } from "node:fs";
import { join } from "node:path";
import semver from "semver";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/run.mjs";
import { readPackages } from "./support/packages.ts";

interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const oldestNode = "20.19.0";
const targets = [
  ["linux", "x64", "glibc"],
  ["linux", "x64", "musl"],
  ["linux", "arm64", "glibc"],
  ["linux", "arm64", "musl"],
  ["darwin", "x64"],
  ["darwin", "arm64"],
  ["win32", "x64"],
  ["win32", "arm64"],
] as const;

/** Packages without a binary for a system. The README says what does not work there. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  "node_modules/libsql": ["win32 arm64"],
};

const text = readFileSync(join(root, "package-lock.json"), "utf8");
const entries = (JSON.parse(text) as { packages: Record<string, Entry> }).packages;
const native = Object.keys(entries).filter((path) => findBindings(path).length > 1);

describe("package-lock.json", () => {
  it("package-lock.json has an entry for every optional dependency on every system", () => {
    const lacking = Object.entries(entries).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => find(path, name) === undefined)
        .map((name) => `${path}: ${name}`),
    );
    expect(lacking).toEqual([]);
    expect(native).toEqual(
      expect.arrayContaining(
        ["libsql", "oxc-parser", "rolldown"].map((name) => `node_modules/${name}`),
      ),
    );
  });

  it.each(native)(
    "package-lock.json has a binary of %s for every system, except the systems listed in lock-file.test.ts",
    (path) => {
      const lacking = targets.filter(
        (target) => !findBindings(path).some((one) => suits(one, target)),
      );
      expect(lacking.map((target) => target.join(" "))).toEqual(exceptions[path] ?? []);
    },
  );

  it("package-lock.json names no registry to download packages from", () => {
    const named = Object.entries(entries).filter(([, { resolved, link }]) => resolved && !link);
    expect(named).toEqual([]);
  });

  it(`users install only packages that support Node ${oldestNode}`, () => {
    const installed = installedByUsers();
    expect(installed.size).toBeGreaterThan(30);
    const asking = [...installed].filter((path) => {
      const range = entries[path]?.engines?.node;
      return range !== undefined && !semver.satisfies(oldestNode, range);
    });
    expect(asking).toEqual([]);
  });
});

/** Paths of the optional dependencies that are built for one operating system. */
function findBindings(path: string): string[] {
  const names = Object.keys(entries[path]?.optionalDependencies ?? {});
  const paths = names.flatMap((name) => find(path, name) ?? []);
  return paths.filter((one) => entries[one]?.os !== undefined);
}

function suits(path: string, [os, cpu, libc]: readonly [string, string, string?]): boolean {
  const entry = entries[path];
  if (!entry?.os?.includes(os) || !entry.cpu?.includes(cpu)) return false;
  return libc === undefined || supportedLibc(path).includes(libc);
}

/**
 * Some packages name their system only in the package name, and a static binary works with both C
 * libraries.
 */
function supportedLibc(path: string): readonly string[] {
  const { libc } = entries[path] ?? {};
  if (libc !== undefined) return libc;
  if (path.includes("musl")) return ["musl"];
  return path.includes("gnu") ? ["glibc"] : ["glibc", "musl"];
}

/** The entry that Node would find from a folder: in it, or in a folder above. */
function find(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const path = join(folder, "node_modules", name).replaceAll("\\", "/");
    if (entries[path] !== undefined) return entries[path].link ? entries[path].resolved : path;
    if (folder === "") return undefined;
  }
}

function installedByUsers(): Set<string> {
  const publicOnes = readPackages(root).filter(({ manifest }) => manifest.private !== true);
  const paths = publicOnes.flatMap(({ manifest }) => find("", manifest.name) ?? []);
  const found = new Set(paths);
  for (const path of found) {
    const { dependencies, optionalDependencies } = entries[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = find(path, name);
      if (next !== undefined) found.add(next);
    }
  }
  return found;
}
