// @ts-check
import { writeFileSync } from "node:fs";
import { join } from "node:path";

// Lists commands as the documentation shows them and as a person types them: at least one line for
// each command that "waybill help" lists. They need no account and no network, only the embedded GitHub, whose
// address and token are in WAYBILL_GITHUB and GITHUB_TOKEN.

/** Two runs at the same time use different ports. */
const natsPort = 20_000 + 2 * (process.pid % 10_000);
const tickerPort = natsPort + 1;

/**
 * Lines for a shell. They run one after the other in one folder, so a later one sees what an
 * earlier one has written.
 */
export const documentedLines = [
  "waybill --version",
  "waybill help run",
  "waybill demo",
  "waybill doctor --online",
  "waybill run issue.view octo/hello#1 title state --brief",
  "waybill run issue.list octo/hello number title first=1 --pages 2",
  "waybill run issue.create octo/hello title=Tea --idempotency-key tea-1 --record",
  "waybill run issue.view octo/hello#1 --dry-run",
  `waybill chain --steps '[{"id":"made","task":"issue.create","input":{"repo":"octo/hello","title":"Chain"}},{"task":"issue.comments.create","input":{"repo":"octo/hello","issueNumber":{"$from":"made.data.number"},"body":"Hi"}}]'`,
  `waybill code 'return (await issue.list("octo/hello")).length'`,
  "waybill capabilities list --domain issue",
  "waybill capabilities explain issue.view",
  "waybill capabilities search open issues",
  "waybill source known",
  `waybill source add mcp "$(command -v waybill)" serve mcp --name again`,
  "waybill source add openapi shop.json --name shop --allow-private",
  "waybill trust",
  "waybill source list",
  "waybill source check shop",
  "waybill source refresh shop",
  "echo shop-key-0123456789 | waybill connect shop",
  "waybill run shop.zen.view --dry-run",
  "waybill connections",
  "waybill disconnect shop",
  "node ticker.mjs & sleep 2; waybill source add openapi ticker.json --name ticker --allow-private; waybill subscribe ticker.prices --limit 1; code=$?; kill $!; exit $code",
  "waybill up",
  "waybill status",
  "waybill run issue.view octo/hello#1 title",
  "waybill down",
  "waybill source remove again",
  "waybill graph digest",
  "waybill graph references symbol=g --brief",
  "waybill graph export --format mermaid",
  "waybill approvals",
  "waybill setup --agent codex --yes",
  "waybill setup --agent codex --verify",
  "waybill setup --agent codex --remove --yes",
  "waybill skill --indexed",
  "waybill types --out waybill.d.ts",
  "waybill completion bash",
];

const hello = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "try", version: "1" },
  },
};

const NATS = `nats-server -js -sd nats -a 127.0.0.1 -p ${natsPort} & sleep 2; waybill serve nats --server nats://127.0.0.1:${natsPort} --open`;

/**
 * Commands that run until they are stopped: what to type, and what to see.
 * @type {{ line: string, input?: string, shows: RegExp }[]}
 */
export const documentedServers = [
  { line: "waybill serve mcp --brief", input: JSON.stringify(hello), shows: /"serverInfo"/ },
  { line: "waybill serve http", shows: /http:\/\/127\.0\.0\.1:\d+/ },
  { line: "waybill serve github-emulator", shows: /"url":"http:/ },
  { line: "waybill inspect --no-open", shows: /http:\/\/127\.0\.0\.1:\d+/ },
  { line: "waybill graph watch", shows: /files|modules/ },
  { line: NATS, shows: /"service":"waybill"/ },
];

/** A server that sends one event. */
const TICKER = `import { createServer } from "node:http";
createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end("data: 7\\n\\n");
}).listen(${tickerPort}, "127.0.0.1");
`;

/** @param {string} title @param {string} url @param {object} paths */
function description(title, url, paths) {
  return { openapi: "3.1.0", info: { title, version: "1" }, servers: [{ url }], paths };
}

/** Files that the lines name. @param {string} folder */
export function writeDocumentedFiles(folder) {
  const zen = { operationId: "zen.view", responses: { 200: { description: "A sentence" } } };
  const shop = {
    ...description("Shop", "http://127.0.0.1:9", { "/zen": { get: zen } }),
    components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    security: [{ key: [] }],
  };
  writeFileSync(join(folder, "shop.json"), JSON.stringify(shop));
  const content = { "text/event-stream": { schema: { type: "string" } } };
  const events = { 200: { description: "Events", content } };
  const prices = { get: { operationId: "prices", responses: events } };
  const ticker = description("Ticker", `http://127.0.0.1:${tickerPort}`, { "/prices": prices });
  writeFileSync(join(folder, "ticker.json"), JSON.stringify(ticker));
  writeFileSync(join(folder, "ticker.mjs"), TICKER);
  const python = "def f():\n    return g()\n\n\ndef g():\n    return 1\n";
  writeFileSync(join(folder, "a.py"), python);
}

/** The commands in the text of "waybill help". @param {string} help */
export function commandNames(help) {
  const names = help.matchAll(/^ {2}([a-z]+(?: [a-z-]+(?![|a-z]))?)/gm);
  return [...names].map(([, name = ""]) => name);
}

/** The commands that no line above uses. @param {string} help */
export function missingCommands(help) {
  const lines = [...documentedLines, ...documentedServers.map(({ line }) => line)];
  return commandNames(help).filter(
    (name) => !lines.some((line) => line.includes(`waybill ${name}`)),
  );
}
