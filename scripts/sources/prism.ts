import { loadPackage } from "../corpus/corpora.ts";

export const PRISM = "@stoplight/prism-cli@5.14.2";

interface PrismServer {
  listen(port: number, host: string): Promise<string>;
  close(): Promise<void>;
}

interface HttpServerPackage {
  readonly createServer: (operations: readonly object[], options: object) => PrismServer;
}

interface HttpPackage {
  readonly getHttpOperationsFromSpec: (file: string) => Promise<readonly object[]>;
}

interface CorePackage {
  readonly createLogger: (name: string, options: object) => object;
}

export interface Prism {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Stoplight's mock server (Prism) for a description. It refuses requests that do not match the
 * description.
 */
export async function startPrism(file: string): Promise<Prism> {
  const { getHttpOperationsFromSpec } = loadPackage("@stoplight/prism-http") as HttpPackage;
  const { createServer } = loadPackage("@stoplight/prism-http-server") as HttpServerPackage;
  const { createLogger } = loadPackage("@stoplight/prism-core") as CorePackage;
  const server = createServer(await getHttpOperationsFromSpec(file), {
    cors: false,
    components: { logger: createLogger("prism", { level: "silent" }) },
    config: {
      isProxy: false,
      validateRequest: true,
      validateResponse: false,
      checkSecurity: true,
      errors: true,
      mock: { dynamic: false },
    },
  });
  const url = await server.listen(0, "127.0.0.1");
  return { url, close: () => server.close() };
}

/** Matches Prism's error for a correct request that it cannot answer. */
const OWN_LIMITS =
  /#(?:NOT_FOUND|NOT_ACCEPTABLE|NO_RESPONSE\w*|SCHEMA_TOO_COMPLEX|VIOLATIONS|UNKNOWN)$/u;

/** OpenAPI says that parameters with these names are ignored; Prism requires them. */
const IGNORED_HEADER =
  /^Request header must have required property '(?:accept|content-type|authorization)'/u;

interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly validation?: readonly { readonly message: string }[];
}

export type Judgement = string | { readonly wrong: string };

/** Whether Prism accepted a request, by its answer to it. */
export function judgeByPrism(contentType: string, body: string): Judgement {
  if (!contentType.startsWith("application/problem+json")) return "right";
  const { type, title, validation } = JSON.parse(body) as Problem;
  if (!String(type).includes("stoplight.io/prism/errors")) return "right";
  if (OWN_LIMITS.test(String(type))) return "right, but Prism has no answer";
  const found = validation?.map(({ message }) => message) ?? [title];
  const isIgnored = found.every((message) => IGNORED_HEADER.test(String(message)));
  return isIgnored ? "right: OpenAPI ignores such a header parameter" : { wrong: found.join("; ") };
}
