import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { isProvablyDead, newOwner } from "./owner.ts";

type Owner = [machine: string, pid: number, start: string, nonce: string];

function ownerWith(change: (owner: Owner) => void): string {
  const owner = JSON.parse(newOwner()) as Owner;
  change(owner);
  return JSON.stringify(owner);
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "0"]);
  await once(child, "exit");
  return child.pid!;
}

describe("an owner", () => {
  it("is another one for each lease", () => {
    expect(newOwner()).not.toBe(newOwner());
  });

  it("that lives is not dead", () => {
    expect(isProvablyDead(newOwner())).toBe(false);
  });

  it("whose process is gone is dead", async () => {
    const pid = await deadPid();
    expect(isProvablyDead(ownerWith((owner) => void (owner[1] = pid)))).toBe(true);
  });

  it.runIf(process.platform === "linux")("whose process id another has now is dead", () => {
    expect(isProvablyDead(ownerWith((owner) => void (owner[2] = "1")))).toBe(true);
  });

  it("on another machine may be alive", async () => {
    const pid = await deadPid();
    const stranger = ownerWith((owner) => void ([owner[0], owner[1]] = ["elsewhere", pid]));
    expect(isProvablyDead(stranger)).toBe(false);
  });

  it.each(["", "{}", "[]", "null", "[1,2,3]", '["a","b","c"]'])(
    "named %j may be anything",
    (name) => {
      expect(isProvablyDead(name)).toBe(false);
    },
  );
});
