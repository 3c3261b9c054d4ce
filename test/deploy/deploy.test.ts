import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { MAIN } from "../../packages/cli/src/fixtures/program.ts";
import { describeWithProgram } from "../support/programs.ts";
import { LoadCaller, rollingRestart, runLoad } from "./load.ts";
import { SECRETS, startTopology } from "./topology.ts";

describeWithProgram("nats-server", () => {
  it("a deployed team setup answers every call and applies no write twice through a rolling restart and a killed server", async () => {
    const topology = await startTopology([process.execPath, MAIN], onTestFinished);
    const { failed, writes, created, doubled } = await runLoad(
      topology,
      rollingRestart(topology, 1),
    );
    expect(failed.slice(0, 5)).toEqual([]);
    expect([created, doubled]).toEqual([writes, 0]);
    expect(writes).toBeGreaterThan(10);

    const caller = new LoadCaller(topology, await topology.provider.sign({ aud: "other" }));
    onTestFinished(() => caller.close());
    expect(await caller.call("team.repo.view", {})).toMatchObject({ error: { code: "AUTH" } });
    const metrics = await fetch(`http://127.0.0.1:${topology.gatewayPorts[0]}/metrics`, {
      headers: { authorization: `Bearer ${SECRETS.WAYBILL_METRICS_TOKEN}` },
    });
    expect(await metrics.text()).toContain("waybill_http_requests_total");
    const audit = await readFile(join(topology.folder, "audit.jsonl"), "utf8");
    expect(audit).toContain('"caller":"corp:load","via":"nats"');
    expect(audit).toContain('"caller":"corp:load","via":"http"');
  });
});
