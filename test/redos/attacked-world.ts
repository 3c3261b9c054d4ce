import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attackText } from "./corpus.ts";
import type { Attack } from "./corpus.ts";

/**
 * Long enough to block a backtracking regular expression engine, and short enough for a command
 * line.
 */
const LENGTH = 5_000;

function json(schema: object): object {
  return { content: { "application/json": { schema } } };
}

/**
 * A schema whose input has the pattern, and whose output has it for a string and for member names.
 */
function attackedPath({ pattern }: Attack, index: number): [string, object] {
  const text = { type: "string", pattern };
  const input = { type: "object", properties: { text } };
  const output = { type: "object", properties: { text }, patternProperties: { [pattern]: true } };
  const responses = { 200: { description: "The text", ...json(output) } };
  return [`/${index}`, { post: { operationId: `a${index}`, requestBody: json(input), responses } }];
}

interface Api {
  readonly url: string;
  close(): void;
}

/**
 * An API whose description contains every pattern and whose answers contain the attacking strings.
 */
async function startApi(attacks: readonly Attack[]): Promise<Api> {
  const server = createServer((request, response) => {
    const attack = attacks[Number(request.url?.slice(1))];
    const text = attack === undefined ? "" : attackText(attack, LENGTH);
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ text, [text]: text }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** A user whose configuration contains an attacker's API. */
export class AttackedWorld {
  readonly attacks: readonly Attack[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #api: Api;

  private constructor(attacks: readonly Attack[], folder: string, api: Api) {
    this.attacks = attacks;
    this.folder = folder;
    this.env = { HOME: folder, PATH: process.env["PATH"] ?? "" };
    this.#api = api;
  }

  static async open(attacks: readonly Attack[]): Promise<AttackedWorld> {
    const folder = await mkdtemp(join(tmpdir(), "waybill-redos-"));
    const api = await startApi(attacks);
    const info = { title: "Evil", version: "1" };
    const paths = Object.fromEntries(attacks.map(attackedPath));
    const document = join(folder, "evil.json");
    await writeFile(document, JSON.stringify({ openapi: "3.1.0", info, paths }));
    const evil = { kind: "openapi", document, server: api.url, allow_private: true };
    await mkdir(join(folder, ".config/waybill"), { recursive: true });
    const config = join(folder, ".config/waybill/config.json");
    await writeFile(config, JSON.stringify({ sources: { evil } }));
    return new AttackedWorld(attacks, folder, api);
  }

  /** The id and the input of an attack. In half of the attacks the string is only in the answer. */
  call(index: number): { readonly id: string; readonly input: object } {
    const text = index % 2 === 0 ? attackText(this.attacks[index]!, LENGTH) : undefined;
    return { id: `evil.a${index}`, input: { body: text === undefined ? {} : { text } } };
  }

  async close(): Promise<void> {
    this.#api.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
