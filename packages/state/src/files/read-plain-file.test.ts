import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readPlainFile, readPlainFileSync } from "./index.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "waybill-plain-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

describe("readPlainFile", () => {
  it("readPlainFile reads a file through a symbolic link", async () => {
    const path = join(folder(), "a");
    writeFileSync(path, "text");
    symlinkSync(path, `${path}-link`);
    expect(String(await readPlainFile(`${path}-link`, 4))).toBe("text");
  });

  it("readPlainFile refuses a file over the size limit", async () => {
    const path = join(folder(), "a");
    writeFileSync(path, "text");
    await expect(readPlainFile(path, 3)).rejects.toMatchObject({ code: "EFBIG" });
  });

  it.skipIf(process.platform === "win32")(
    "readPlainFile refuses a link to an endless device",
    async () => {
      const path = join(folder(), "a");
      symlinkSync("/dev/zero", path);
      await expect(readPlainFile(path, 10)).rejects.toMatchObject({ code: "ENOTPLAIN" });
    },
  );

  it.skipIf(process.platform === "win32")("readPlainFile refuses a pipe at once", async () => {
    const path = join(folder(), "a");
    execFileSync("mkfifo", [path]);
    await expect(readPlainFile(path, 10)).rejects.toMatchObject({ code: "ENOTPLAIN" });
  });

  it.skipIf(process.platform === "win32")(
    "readPlainFileSync reads a file, and refuses a device, a pipe, a folder and a large file",
    () => {
      const inside = folder();
      writeFileSync(join(inside, "file"), "text");
      symlinkSync("/dev/zero", join(inside, "device"));
      execFileSync("mkfifo", [join(inside, "pipe")]);
      const read = (name: string, bytes = 4) => readPlainFileSync(join(inside, name), bytes);
      expect(String(read("file"))).toBe("text");
      expect(() => read("file", 3)).toThrow("larger than 3 bytes");
      expect(() => read("device")).toThrow("a pipe or a device");
      expect(() => read("pipe")).toThrow("a pipe or a device");
      expect(() => read("")).toThrow("a folder");
    },
  );
});
