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

describe("owner of a lease", () => {
  it("newOwner returns another lock owner at each call", () => {
    expect(newOwner()).not.toBe(newOwner());
  });

  it("a lock owner counts as alive while its process runs", () => {
    expect(isProvablyDead(newOwner())).toBe(false);
  });

  it("a lock owner counts as dead when its process is gone", async () => {
    const pid = await deadPid();
    expect(isProvablyDead(ownerWith((owner) => void (owner[1] = pid)))).toBe(true);
  });

  it.runIf(process.platform === "linux")(
    "a lock owner counts as dead when another process has its process id",
    () => {
      expect(isProvablyDead(ownerWith((owner) => void (owner[2] = "1")))).toBe(true);
    },
  );

  it("a lock owner on another machine counts as possibly alive", async () => {
    const pid = await deadPid();
    const stranger = ownerWith((owner) => void ([owner[0], owner[1]] = ["elsewhere", pid]));
    expect(isProvablyDead(stranger)).toBe(false);
  });

  it.each(["", "{}", "[]", "null", "[1,2,3]", '["a","b","c"]'])(
    "a lock owner with the malformed name %j counts as possibly alive",
    (name) => {
      expect(isProvablyDead(name)).toBe(false);
    },
  );
});
