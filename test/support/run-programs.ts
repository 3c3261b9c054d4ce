// Runs programs one after the other in this process. For each it prints one line of JSON with its
// output or its failure. Each starts with the same environment and folder.
import { pathToFileURL } from "node:url";

const [env, folder] = [{ ...process.env }, process.cwd()];
const write = process.stdout.write.bind(process.stdout);

async function run(file: string): Promise<object> {
  let printed = "";
  process.stdout.write = (chunk) => {
    printed += String(chunk);
    return true;
  };
  try {
    await import(pathToFileURL(file).href);
    return { printed };
  } catch (error) {
    return { printed, failure: error instanceof Error ? error.stack : String(error) };
  } finally {
    process.stdout.write = write;
    process.env = { ...env };
    process.chdir(folder);
  }
}

for (const file of process.argv.slice(2)) write(`${JSON.stringify(await run(file))}\n`);
