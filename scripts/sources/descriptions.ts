// npm run sources:descriptions -- <folder of OpenAPI descriptions> [file …]
//
// Adds every description of the folder with the built command, as a new user would, and makes three
// calls to each. Prism judges the requests by the description, and swagger-client builds its own.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, parse } from "node:path";
import { isRecord } from "@waybill/core/schema";
import { parse as parseYaml } from "yaml";
import { install, loadPackage } from "../corpus/corpora.ts";
import type { Raw } from "../corpus/raw-operations.ts";
import { NewUser } from "./command.ts";
import { TOKEN, compareRecorded } from "./judge-call.ts";
import { pickCalls } from "./pick-calls.ts";
import type { PickedCall } from "./pick-calls.ts";
import { PRISM, judgeByPrism, startPrism } from "./prism.ts";
import type { Prism } from "./prism.ts";
import { Recorder } from "./recorder.ts";

const CALLS = 3;
const REF_PARSER = "@stoplight/json-schema-ref-parser";

interface RefParser {
  bundle(file: string): Promise<Raw>;
}

interface Description {
  readonly name: string;
  readonly file: string;
  readonly document: Raw;
}

interface Outcome {
  readonly name: string;
  readonly call: string;
  readonly prism: string;
  readonly client: string;
  readonly answer: string;
}

/** A credential for every scheme, each from the same variable. */
function tokenWords(document: Raw): string[] {
  const components = isRecord(document["components"]) ? document["components"] : {};
  const schemes = Object.keys({
    ...(components["securitySchemes"] as object),
    ...(document["securityDefinitions"] as object),
  });
  if (schemes.length === 0) return [];
  return ["--token-env", schemes.map((scheme) => `${scheme}=OUTSIDE_TOKEN`).join(",")];
}

class DescriptionsRun {
  readonly #user = new NewUser(
    { policy: { confirm: "none" } },
    { OUTSIDE_TOKEN: TOKEN, NODE_NO_WARNINGS: "1" },
  );
  readonly #recorder = new Recorder();
  readonly outcomes: Outcome[] = [];
  readonly refused: string[] = [];
  readonly unreadByPrism: string[] = [];
  added = 0;

  async run(folder: string, chosen: readonly string[]): Promise<void> {
    await this.#recorder.start();
    const found = readdirSync(folder).filter((name) => /\.(?:json|ya?ml)$/u.test(name));
    const files = chosen.length === 0 ? found : chosen;
    const usable: Description[] = [];
    for (const file of files) {
      const added = await this.#add(join(folder, file)).catch((error: unknown) => String(error));
      if (typeof added === "object") usable.push(added);
      else this.refused.push(`${file}: ${added}`);
    }
    console.log(`${usable.length} of ${files.length} are added`);
    await this.#user.run("up");
    for (const [index, description] of usable.entries()) {
      await this.#judge(description).catch((error: unknown) => {
        this.refused.push(`${description.name}: ${String(error)}`);
      });
      console.log(`${index + 1} of ${usable.length}: ${description.name}`);
    }
    await this.#user.run("down");
    this.#recorder.close();
    this.#user.remove();
  }

  /** The added description, or why it could not be added. */
  async #add(file: string): Promise<Description | string> {
    const { name } = parse(file);
    const { default: parser } = loadPackage(REF_PARSER) as { default: RefParser };
    const document = await parser
      .bundle(file)
      .catch(() => parseYaml(readFileSync(file, "utf8")) as Raw);
    const words = ["--name", name, "--server", this.#recorder.url, "--user", "--allow-private"];
    const add = ["source", "add", "openapi", file, ...words, ...tokenWords(document)];
    const { code, stdout, stderr } = await this.#user.run(...add);
    return code === 0 ? { name, file, document } : `${stdout}${stderr}`;
  }

  async #judge({ name, file, document }: Description): Promise<void> {
    const calls = await pickCalls(name, document, CALLS);
    const prism = await this.#startPrism(file);
    this.#recorder.target = prism?.url;
    for (const call of calls) await this.#call(name, call, prism !== undefined);
    await prism?.close();
    this.added += 1;
  }

  async #startPrism(file: string): Promise<Prism | undefined> {
    try {
      return await startPrism(file);
    } catch (error) {
      this.unreadByPrism.push(`${parse(file).name}: ${String(error).slice(0, 200)}`);
      return undefined;
    }
  }

  async #call(name: string, { id, raw, input }: PickedCall, isJudged: boolean): Promise<void> {
    const file = join(this.#user.home, "input.json");
    writeFileSync(file, JSON.stringify(input));
    this.#recorder.requests.length = 0;
    const { stdout, stderr } = await this.#user.run("run", id, "--params", `@${file}`);
    const [sent] = this.#recorder.requests;
    const call = `${id} ${JSON.stringify(input).slice(0, 300)}`;
    if (sent === undefined) {
      const answer = `nothing was sent: ${stdout}${stderr}`;
      this.outcomes.push({ name, call, prism: "", client: "", answer });
      return;
    }
    const judged = isJudged ? judgeByPrism(sent.answer.type, sent.answer.body) : "not judged";
    this.outcomes.push({
      name,
      call,
      prism: typeof judged === "string" ? judged : `${sent.method} ${sent.url} ${judged.wrong}`,
      client: compareRecorded(raw, input, sent),
      answer: checkEnvelope(stdout, sent.answer.status),
    });
  }
}

/** Checks that a success is reported as a success, and a failure as a failure with its status. */
function checkEnvelope(stdout: string, status: number): string {
  const { ok } = JSON.parse(stdout) as { ok: boolean };
  return ok === status < 400 ? "true" : `status ${status}, but ${stdout.slice(0, 400)}`;
}

function countBy(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const sorted = [...counts].toSorted((a, b) => b[1] - a[1]);
  return sorted.map(([text, times]) => `  ${times}: ${text.slice(0, 600)}`).join("\n");
}

const [folder, ...chosen] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: npm run sources:descriptions -- <folder of OpenAPI descriptions>");
  process.exitCode = 2;
} else {
  install([PRISM, "swagger-client@3.38.4"]);
  const run = new DescriptionsRun();
  await run.run(folder, chosen);
  const { outcomes, added, refused, unreadByPrism } = run;
  console.log(`added ${added}; refused ${refused.length}\n${refused.join("\n")}`);
  console.log(`Prism cannot read ${unreadByPrism.length}\n${unreadByPrism.join("\n")}`);
  console.log(`${outcomes.length} calls. Prism:\n${countBy(outcomes.map(({ prism }) => prism))}`);
  console.log(`swagger-client:\n${countBy(outcomes.map(({ client }) => client))}`);
  console.log(`answers:\n${countBy(outcomes.map(({ answer }) => answer))}`);
}
