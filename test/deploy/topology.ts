// The topology of deploy/ as processes on loopback, from the same configuration files.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TOKENS, startGithubEmulator } from "@waybill/github/emulator";
import type { GithubEmulator, Store } from "@waybill/github/emulator";
import { makeCertificates } from "../../packages/github/src/emulator/server/certificate.ts";
import { freePort } from "../support/free-port.ts";
import { startCluster } from "../support/nats-server.ts";
import type { CleanUp, NatsServer } from "../support/nats-server.ts";
import { AUDIENCE, startSignInProvider } from "../support/sign-in-provider.ts";
import type { SignInProvider } from "../support/sign-in-provider.ts";
import { startFront } from "./front.ts";
import { Member } from "./member.ts";
import type { Command } from "./member.ts";

export interface Topology {
  /** The public URL, behind TLS. */
  readonly url: string;
  /** The certificate authority of that URL, in PEM. */
  readonly ca: string;
  readonly folder: string;
  readonly servers: readonly NatsServer[];
  readonly workers: readonly Member[];
  readonly gateways: readonly Member[];
  readonly gatewayPorts: readonly number[];
  readonly github: GithubEmulator;
  /** The titles of all issues that were created, in order. */
  readonly created: readonly string[];
  readonly provider: SignInProvider;
}

const DEPLOY = fileURLToPath(new URL("../../deploy/config/", import.meta.url));
export const SECRETS = {
  WAYBILL_NATS_KEY: "a key that gateways and workers share",
  WAYBILL_METRICS_TOKEN: "a-token-that-lets-prometheus-in",
} as const;

type Json = Record<string, Record<string, unknown>>;

async function readJson(name: string): Promise<Json> {
  return JSON.parse(await readFile(join(DEPLOY, name), "utf8")) as Json;
}

/** Creates the folders of one process, with its configuration at the path that a container uses. */
async function homeFor(folder: string, name: string, config: object) {
  const home = join(folder, name);
  await mkdir(join(home, "waybill"), { recursive: true });
  await writeFile(join(home, "waybill", "config.json"), JSON.stringify(config));
  return { XDG_CONFIG_HOME: home, WAYBILL_STATE: join(home, "state"), HOME: home };
}

async function workerConfig(folder: string, servers: readonly string[]): Promise<object> {
  const { nats, ...config } = await readJson("worker.json");
  return { ...config, nats: { ...nats, servers }, audit: { file: join(folder, "audit.jsonl") } };
}

async function gatewayConfig(
  folder: string,
  servers: readonly string[],
  port: number,
  issuer: string,
): Promise<object> {
  const { http = {}, sources, ...config } = await readJson("gateway.json");
  const { corp } = http["oidc"] as Json;
  const { url: _public, ...door } = http;
  return {
    ...config,
    sources: { team: { ...(sources!["team"] as object), url: servers.map((at) => `${at}/team`) } },
    http: {
      ...door,
      host: "127.0.0.1",
      port,
      hosts: ["127.0.0.1"],
      limits: { ...(door["limits"] as object), leave_ms: 1_000 },
      oidc: { corp: { ...corp, issuer, audience: AUDIENCE, limits: {} } },
    },
    audit: { file: join(folder, "audit.jsonl") },
  };
}

/** Starts everything, and stops it with the test. */
export async function startTopology(command: Command, cleanUp: CleanUp): Promise<Topology> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-deploy-"));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  const created: string[] = [];
  const onApplied = (mutation: string, { repositories: [hello] }: Store): void => {
    if (mutation === "createIssue") created.push([...hello!.issues.values()].at(-1)!.title);
  };
  const [servers, github, provider] = await Promise.all([
    startCluster(cleanUp),
    startGithubEmulator({ rateLimits: { core: 1_000_000, graphql: 1_000_000 }, onApplied }),
    startSignInProvider(),
  ]);
  cleanUp(() => github.close());
  cleanUp(async () => provider.close());
  const urls = servers.map(({ url }) => url);
  const common = { PATH: process.env["PATH"] ?? "", WAYBILL_KEYRING: "off", ...SECRETS };
  const [program, ...first] = command;
  const member = async (
    name: string,
    words: readonly string[],
    config: object,
  ): Promise<Member> => {
    const home = await homeFor(folder, name, config);
    const upstream = { WAYBILL_GITHUB: github.env, GITHUB_TOKEN: TOKENS.octocat };
    const made = new Member(name, [program, ...first, ...words], {
      ...common,
      ...upstream,
      ...home,
    });
    cleanUp(() => made.stop("SIGKILL"));
    return made;
  };
  const workers = await Promise.all(
    ["worker-0", "worker-1"].map(async (name) =>
      member(name, ["serve", "nats"], await workerConfig(folder, urls)),
    ),
  );
  const gatewayPorts = [await freePort(), await freePort()];
  const gateways = await Promise.all(
    gatewayPorts.map(async (port, index) => {
      const config = await gatewayConfig(folder, urls, port, provider.issuer);
      return member(`gateway-${index}`, ["serve", "http"], config);
    }),
  );
  await Promise.all(workers.map((worker) => worker.start()));
  await Promise.all(gateways.map((gateway) => gateway.start()));
  const { ca, cert, key } = makeCertificates();
  const front = await startFront(gatewayPorts, { cert, key });
  cleanUp(async () => front.close());
  const members = { servers, workers, gateways, gatewayPorts, github, provider };
  return { url: front.url, ca, folder, created, ...members };
}
