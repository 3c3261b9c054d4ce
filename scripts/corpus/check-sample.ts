import { createWaybill } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { openapiSource } from "@waybill/adapters/openapi";
import type { OpenApiSource } from "@waybill/adapters/openapi";
import { UNANSWERABLE, checkAnswer } from "./check-answer.ts";
import { compareRequests } from "./compare.ts";
import type { Sample } from "./corpora.ts";
import type { DescribedServer } from "./described-server.ts";
import { generate } from "./generate-value.ts";
import { rawOperations } from "./raw-operations.ts";
import type { Raw, RawOperation } from "./raw-operations.ts";
import type { Tally } from "./tally.ts";

export interface CheckOptions {
  /** Whether requests are compared with those of another OpenAPI implementation. */
  readonly isCompared: boolean;
  /** Every n-th operation is called; the others are only checked. */
  readonly answerEvery: number;
  readonly server: DescribedServer;
  readonly serverUrl: string;
}

const BASE_URL = "https://api.example.com/";

/** A small number that is always the same for the same text. */
function readSeed(text: string): number {
  let seed = 7;
  for (let index = 0; index < text.length; index++) {
    seed = Math.imul(seed ^ text.charCodeAt(index), 16_777_619);
  }
  return seed >>> 0;
}

function thrownMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Required inputs in the description that `explain` does not list. */
function missingInputs(raw: RawOperation, explained: readonly string[]): string[] {
  const isThere = (name: string): boolean =>
    explained.some((text) => text.startsWith(`${name}:`) || text.includes(`.${name}:`));
  const needed = raw.parameters
    .filter(
      ({ in: place, required }) => required === true && /query|header|cookie/u.test(String(place)),
    )
    .map(({ name }) => String(name));
  const placed = Array.from(
    raw.path.split("#")[0]!.matchAll(/\{([^{}]+)\}/gu),
    ([, name]) => name!,
  );
  return [...needed, ...placed].filter((name) => !isThere(name));
}

/** A description under test: the original, and a copy that names the test server. */
/**
 * A credential for every scheme by its name, because `*` applies only if there is a single scheme.
 */
function credentialsFor(document: Raw): Record<string, string> {
  const { components, securityDefinitions } = document as {
    components?: { securitySchemes?: object };
    securityDefinitions?: object;
  };
  const names = Object.keys({ ...components?.securitySchemes, ...securityDefinitions });
  return Object.fromEntries(["*", ...names].map((name) => [name, "user:secret"]));
}

class SampleCheck {
  readonly #sample: Sample;
  readonly #tally: Tally;
  readonly #options: CheckOptions;
  readonly #document: Raw;
  readonly #source: OpenApiSource;
  readonly #explaining: Waybill;
  readonly #calling: Waybill;

  constructor(sample: Sample, document: Raw, text: string, tally: Tally, options: CheckOptions) {
    this.#sample = sample;
    this.#document = document;
    this.#tally = tally;
    this.#options = options;
    this.#source = openapiSource({ name: "api", document: text, baseUrl: BASE_URL });
    this.#explaining = createWaybill({ sources: [this.#source] });
    const served = openapiSource({
      name: "api",
      document: text,
      server: options.serverUrl,
      allowPrivate: true,
      credentials: credentialsFor(document),
    });
    this.#calling = createWaybill({ sources: [served], policy: { confirm: "none" } });
  }

  async run(raws: readonly RawOperation[]): Promise<void> {
    const listed = await this.#source.list();
    this.#tally.load(listed.length);
    if (listed.length !== raws.length) {
      const why = `has ${raws.length} operations, and ${listed.length} are listed`;
      this.#tally.fail("load", this.#sample.name, why);
    }
    for (const [index, { id, kind }] of listed.entries()) {
      const raw = raws[index];
      if (raw !== undefined) await this.#operation(id, raw, kind === "call");
    }
  }

  async close(): Promise<void> {
    await this.#explaining.close();
    await this.#calling.close();
  }

  async #operation(id: string, raw: RawOperation, isCall: boolean): Promise<void> {
    const where = `${this.#sample.name} ${raw.method.toUpperCase()} ${raw.path}`;
    const seed = readSeed(where);
    this.#tally.begin(raw.features);
    try {
      await this.#explain(id, raw);
      this.#tally.pass(raw.features, "explained");
      const { inputSchema } = this.#source.describe(id);
      const { value, isValid } = await generate(inputSchema, seed);
      if (!isValid) throw new Error("no valid input could be generated");
      this.#tally.pass(raw.features, "filled");
      await this.#build(id, raw, value as Raw, where);
      this.#tally.pass(raw.features, "built");
      const isAnswered = isCall && seed % this.#options.answerEvery === 0;
      if (isAnswered) await this.#answer(id, raw, value, seed, where);
    } catch (thrown) {
      this.#tally.fail("operation", where, thrownMessage(thrown));
    }
  }

  async #explain(id: string, raw: RawOperation): Promise<void> {
    const { required_inputs, optional_inputs } = await this.#explaining.explain(id);
    const missing = missingInputs(raw, [...required_inputs, ...optional_inputs]);
    if (missing.length > 0) throw new Error(`${missing.join(", ")} is not explained`);
  }

  async #build(id: string, raw: RawOperation, input: Raw, where: string): Promise<void> {
    const built = await this.#source.preview(id, input);
    if (!this.#options.isCompared || this.#document["swagger"] !== undefined) return;
    const found = compareRequests(raw, input, built);
    if (found instanceof Error) this.#tally.notCompared(where, found.message);
    else this.#tally.compared(where, found);
  }

  async #answer(
    id: string,
    raw: RawOperation,
    input: unknown,
    seed: number,
    where: string,
  ): Promise<void> {
    const { outputSchema: output } = this.#source.describe(id);
    const answerCase = { document: this.#document, raw, id, input, output, seed };
    const problem = await checkAnswer(this.#options.server, this.#calling, answerCase);
    if (problem === UNANSWERABLE) this.#tally.unanswerable += 1;
    else this.#tally.answer(where, problem);
  }
}

/**
 * Loads a description, then explains each operation, generates its input and builds its request.
 */
export async function checkSample(
  sample: Sample,
  tally: Tally,
  options: CheckOptions,
): Promise<void> {
  const text = sample.read().toString("utf8");
  const document = JSON.parse(text) as Raw;
  const raws = rawOperations(document);
  tally.expect(raws.length);
  const check = new SampleCheck(sample, document, text, tally, options);
  try {
    await check.run(raws);
  } catch (thrown) {
    tally.fail("load", sample.name, thrownMessage(thrown));
  } finally {
    await check.close();
  }
}
