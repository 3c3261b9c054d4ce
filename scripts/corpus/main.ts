// npm run corpus [-- --sample]
import { join } from "node:path";
import { tmpdir } from "node:os";
import { checkSample } from "./check-sample.ts";
import { allSamples, fixedSamples, install } from "./corpora.ts";
import { DescribedServer } from "./described-server.ts";
import { reasonCounts, summary, writeFindings, writeReport } from "./report.ts";
import { UNEXPLAINED } from "./reasons.ts";
import { Tally } from "./tally.ts";

const FLAGS = ["--sample"];
const ANSWER_EVERY = { sample: 4, whole: 16 };
const PROGRESS_EVERY = 250;

async function checkSamples(isSample: boolean): Promise<Tally> {
  const tally = new Tally();
  const server = new DescribedServer();
  const serverUrl = await server.start();
  const samples = isSample ? fixedSamples() : allSamples();
  const answerEvery = ANSWER_EVERY[isSample ? "sample" : "whole"];
  for (const [index, sample] of samples.entries()) {
    await checkSample(sample, tally, { isCompared: !isSample, answerEvery, server, serverUrl });
    if (index > 0 && index % PROGRESS_EVERY === 0) console.log(`${index} of ${samples.length}`);
  }
  server.close();
  return tally;
}

function isGood(tally: Tally): boolean {
  return tally.failures.length === 0 && !reasonCounts(tally).has(UNEXPLAINED);
}

async function runCorpus(isSample: boolean): Promise<void> {
  const start = performance.now();
  if (!isSample) install();
  const tally = await checkSamples(isSample);
  const findings = join(tmpdir(), "waybill-corpus-findings.json");
  console.log(summary(tally));
  writeFindings(tally, findings);
  console.log(`\nall findings: ${findings}`);
  if (!isSample) writeReport(tally, (performance.now() - start) / 1_000);
  process.exitCode = isGood(tally) ? 0 : 1;
}

const args = process.argv.slice(2);
const wrong = args.find((arg) => !FLAGS.includes(arg));
if (wrong === undefined) await runCorpus(args.includes("--sample"));
else {
  console.error(`${wrong} is not an option. The options are ${FLAGS.join(", ")}`);
  process.exitCode = 2;
}
