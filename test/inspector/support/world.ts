import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpTransport } from "@waybill/adapters/http";
import { createRedactor, createWaybill, defineOperation, fail, memoryHandles } from "@waybill/core";
import type { HandleStore, Observer, Operation, Source, Waybill } from "@waybill/core";
import { findGithub, githubSource } from "@waybill/github";
import { startGithubEmulator } from "@waybill/github/emulator";
import type { GithubEmulator } from "@waybill/github/emulator";
import { openHistory, openJournal } from "@waybill/state";
import { startHttpServer } from "@waybill/server";
import type { HttpServer, InspectorOptions } from "@waybill/server";
import { freePort } from "../../support/free-port.ts";

const ANY = { type: "object" } as const;

/** HTML in a text that a person or an upstream controls. */
export const MARKUP = `<img src=x onerror="document.title='run'"><b>bold</b>`;

/** A page that would change the title if the browser opened it as HTML. */
export const FOREIGN_PAGE = "<script>document.title = 'run'</script>";
/** One red pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

/** A tenth of a second of silence. */
function silence(): string {
  const samples = 800;
  const wav = Buffer.alloc(44 + samples, 0x80);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(36 + samples, 4);
  wav.write("WAVEfmt ", 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(8_000, 24);
  wav.writeUInt32LE(8_000, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write("data", 36);
  wav.writeUInt32LE(samples, 40);
  return wav.toString("base64");
}

/**
 * Operations that return files in both forms: the content blocks of an MCP server, and the file of
 * an API.
 */
function mediaOperation(handles: HandleStore): Operation {
  const keep = async (base64: string) => ({
    handle: await handles.put(base64, { capability_id: "odd.media", encoding: "base64" }),
    bytes: Buffer.from(base64, "base64").length,
  });
  return defineOperation({
    id: "odd.media",
    description: "Answers with an image, audio and a page",
    effect: "read",
    input: ANY,
    output: ANY,
    async handler() {
      const { handle, bytes: size } = await keep(Buffer.from(FOREIGN_PAGE).toString("base64"));
      return {
        content: [
          { type: "image", mimeType: "image/png", ...(await keep(PIXEL)) },
          { type: "audio", mimeType: "audio/wav", ...(await keep(silence())) },
          { type: "image", mimeType: "image/png", handle: "gone", bytes: 10 },
        ],
        file: { content_type: "text/html; charset=utf-8", size, handle, filename: "page.html" },
      };
    },
  });
}

const ODD: readonly Operation[] = [
  defineOperation({
    id: "odd.large",
    description: "Answers with so many bytes of text",
    effect: "read",
    input: { type: "object", required: ["bytes"], properties: { bytes: { type: "integer" } } },
    output: ANY,
    handler: ({ bytes }) => ({
      text: "x".repeat(bytes / 2),
      list: Array.from({ length: Math.floor(bytes / 40) }, (_, index) => `item ${index}`),
    }),
  }),
  defineOperation({
    id: "odd.markup",
    description: `Says ${MARKUP}`,
    effect: "read",
    input: { type: "object", properties: { [MARKUP]: { type: "string", description: MARKUP } } },
    output: ANY,
    handler: () => ({ [MARKUP]: MARKUP }),
  }),
  defineOperation({
    id: "odd.refused",
    description: "An upstream that does not take the token that Waybill has for it",
    effect: "read",
    input: ANY,
    output: ANY,
    handler: () => Promise.reject(fail("AUTH", "Bad credentials")),
  }),
];

/** The inspector as it runs for a person, with an embedded GitHub behind it. */
export interface World {
  readonly token: string;
  readonly url: string;
  /** The address that the command would print. */
  readonly address: string;
  readonly github: GithubEmulator;
  readonly waybill: Waybill;
  /** A Waybill that tries `gh` first, on a machine without `gh`. */
  readonly withoutGh: Waybill;
  /** Waits until the call is in the history. */
  settle(): Promise<void>;
  stopServer(): Promise<void>;
  /** Restarts the inspector with the same address and token. */
  startServer(): Promise<void>;
  close(): Promise<void>;
}

/** The parts of a test world besides GitHub. */
export interface More extends Pick<InspectorOptions, "graph"> {
  readonly sources?: readonly Source[];
}

export async function openWorld(page: string, { graph, sources = [] }: More = {}): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-inspector-"));
  const github = await startGithubEmulator({ socket: join(folder, "github.sock") });
  const transport = createHttpTransport();
  const journal = openJournal({ path: join(folder, "journal.db") });
  const redactor = createRedactor(() => []);
  const redact = (value: unknown): unknown => redactor.value(value);
  const history = openHistory({ path: join(folder, "history.db"), redact });
  const { warning: _, ...place } = await findGithub({
    env: { WAYBILL_GITHUB: github.env },
    state: folder,
  });
  const handles = memoryHandles();
  const common = { env: {}, transport, userAgent: "waybill-test" };
  const open = (
    observer: Observer,
    prefer?: { readonly prefer: "cli"; readonly program: string },
  ): Waybill =>
    createWaybill({
      operations: [...ODD, mediaOperation(handles)],
      sources: [githubSource(place, { ...common, ...prefer }), ...sources],
      journal,
      handles,
      observer,
    });
  const waybill = open(history.observe("demo", { session: "tour" }));
  const agent = history.observe("mcp", { session: "a1b2c3d4", agent: "claude-code 2.1" });
  const withoutGh = open(agent, { prefer: "cli", program: "gh-that-is-not-here" });
  const token = "a-token-of-the-tests";
  // A test stops the server and starts it again on the same port.
  const port = await freePort();
  const start = (): Promise<HttpServer> =>
    startHttpServer({
      waybill,
      version: "0.0.0",
      tokens: [{ token }],
      limits: { graceMs: 100 },
      inspector: { history, handles, page, kinds: { github: "github" }, graph },
      port,
    });
  let server = await start();
  const { url } = server;
  return {
    token,
    url,
    address: `${url}/#token=${token}`,
    github,
    waybill,
    withoutGh,
    settle: () => history.flush(),
    stopServer: () => server.close(),
    async startServer() {
      server = await start();
    },
    async close() {
      await server.close();
      await Promise.all([waybill.close(), withoutGh.close()]);
      await history.close();
      transport.close();
      await github.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
