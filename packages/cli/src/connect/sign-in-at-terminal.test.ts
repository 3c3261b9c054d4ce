import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";
import type { Io } from "../io.ts";
import { personAt } from "./sign-in-at-terminal.ts";

/** A person at a terminal, with a browser that only records the page it opens. */
async function makePerson() {
  const world = await makeWorld(onTestFinished);
  const copy = join(world.folder, "opened.html");
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  const copies = `#!/bin/sh\n/bin/cp "$1" ${copy}.part; /bin/mv ${copy}.part ${copy}\n`;
  await world.write(`bin/${opener}`, copies, 0o755);
  let said = "";
  const stderr = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      said += String(chunk);
      done();
    },
  });
  const env = { DISPLAY: ":0", PATH: join(world.folder, "bin") };
  const io = { isTTY: true, env, stderr } as unknown as Io;
  const person = personAt(io, { isElsewhere: false, redirectUrl: undefined });
  return { person, said: () => said, opened: () => readFile(copy, "utf8").catch(() => "") };
}

describe("the sign-in page of a server", () => {
  it("the URL of a device page cannot put HTML into the file that opens the browser", async () => {
    const { person, opened } = await makePerson();
    const page = 'https://h.example/d#"><script>alert(1)</script>';
    await person.showCode({ code: "AB-12", page: "https://h.example/d", completePage: page });
    await expect.poll(opened).toContain("https://h.example/d#");
    expect(await opened()).not.toContain("<script");
    expect(await opened()).not.toContain('"><');
  });

  it.each(["javascript:alert(1)", "file:///etc/passwd", 'x:"><script>', "not an address"])(
    "a sign-in refuses the device page %j and does not open it",
    async (page) => {
      const { person, opened } = await makePerson();
      const asked = person.showCode({
        code: "AB-12",
        page: "https://h.example/",
        completePage: page,
      });
      await expect(asked).rejects.toThrow("is not a web address");
      const only = person.showCode({ code: "AB-12", page });
      await expect(only).rejects.toThrow("is not a web address");
      expect(await opened()).toBe("");
    },
  );

  it("a sign-in page with the scheme of a program is refused", async () => {
    const { person } = await makePerson();
    await expect(person.authorize(new URL("vscode://run/x"))).rejects.toThrow("not a web address");
  });

  it("a sign-in code from a server cannot control the terminal or reorder its text", async () => {
    const { person, said } = await makePerson();
    await person.showCode({ code: "A\u001b[2J\u202eB", page: "https://h.example/" });
    expect(said()).toBe("Open https://h.example/ and enter the code A[2JB\n");
  });
});
