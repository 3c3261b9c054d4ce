import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readConfig } from "@waybill/state";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { describeWithProgram } from "../support/programs.ts";

const FOLDER = fileURLToPath(new URL("../../deploy/", import.meta.url));
const read = (path: string): string => readFileSync(join(FOLDER, path), "utf8");

interface Compose {
  readonly services: Readonly<Record<string, { image: string; volumes?: string[] }>>;
}

const compose = parse(read("compose.yaml"), { merge: true }) as Compose;

describe("files of deploy/", () => {
  it.each(["worker.json", "gateway.json"])(
    "Waybill accepts deploy/config/%s as a valid configuration",
    async (name) => {
      const { config } = await readConfig(join(FOLDER, "config", name));
      expect(config.audit?.file).toBe("/var/log/waybill/audit.jsonl");
    },
  );

  it("the workers and gateways of deploy/ name the same NATS servers", async () => {
    const worker = await readConfig(join(FOLDER, "config/worker.json"));
    const gateway = await readConfig(join(FOLDER, "config/gateway.json"));
    const source = gateway.config.sources?.["team"];
    const servers = [worker.config.nats?.servers ?? []].flat();
    expect(servers).toHaveLength(3);
    expect(source).toMatchObject({
      kind: "nats",
      url: servers.map((server) => `${server}/${worker.config.nats?.service}`),
      shared_journal: true,
    });
  });

  it("deploy/ mounts only existing files and pins every image", () => {
    for (const { image, volumes = [] } of Object.values(compose.services)) {
      expect(image).toMatch(/:v?\d+\.\d+\.\d+/u);
      for (const volume of volumes.filter((each) => each.startsWith("./"))) {
        const [path = ""] = volume.split(":");
        expect([path, existsSync(join(FOLDER, path))]).toEqual([path, true]);
      }
    }
  });

  it("every Kubernetes ConfigMap of deploy/ is generated from an existing file", () => {
    const { configMapGenerator, resources } = parse(read("kubernetes/kustomization.yaml")) as {
      configMapGenerator: { files: string[] }[];
      resources: string[];
    };
    const generated = configMapGenerator.flatMap(({ files }) =>
      files.map((f) => f.split("=").at(-1)!),
    );
    for (const path of [...generated, ...resources]) {
      expect([path, existsSync(join(FOLDER, "kubernetes", path))]).toEqual([path, true]);
    }
  });
});

describeWithProgram("nats-server", () => {
  it("nats-server starts with deploy/config/nats.conf", () => {
    const folder = mkdtempSync(join(tmpdir(), "waybill-nats-conf-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "nats.conf");
    // Servers before 2.10 do not know the setting.
    const isOld = / v2\.[0-9]\./u.test(
      execFileSync("nats-server", ["--version"], { encoding: "utf8" }),
    );
    const text = read("config/nats.conf");
    writeFileSync(path, isOld ? text.replace(/^ *sync_interval.*$/mu, "") : text);
    const env = { ...process.env, NATS_NAME: "nats-0" };
    const output = execFileSync("nats-server", ["-t", "-c", path], {
      env,
      encoding: "utf8",
      stdio: "pipe",
    });
    expect(output).toBe("");
  });
});
