import { createRequire } from "node:module";
import v8 from "@vitest/coverage-v8";

interface Coverage {
  readonly result: readonly { readonly url: string; startOffset?: number }[];
}

/** The library of the provider itself. */
const provided = createRequire(createRequire(import.meta.url).resolve("@vitest/coverage-v8"));
const { mergeProcessCovs } = provided("@bcoe/v8-coverage") as {
  mergeProcessCovs: (files: readonly Coverage[]) => Coverage;
};

interface Reading {
  readonly onFileRead: (coverage: Coverage) => void;
  readonly onFinished: (...project: unknown[]) => Promise<void>;
}

interface Provider {
  readCoverageFiles(reading: Reading): Promise<void>;
}

/** Merging coverage loses the position at which a module's code starts. */
function merge(files: readonly Coverage[]): Coverage {
  const scripts = files.flatMap(({ result }) => result);
  const starts = new Map(scripts.map(({ url, startOffset }) => [url, startOffset]));
  const merged = mergeProcessCovs(files);
  for (const script of merged.result) script.startOffset = starts.get(script.url) ?? 0;
  return merged;
}

/**
 * Vitest adds the coverage of each test file to that of all files before it, which takes a minute
 * for 600 files. This provider adds all of them at once.
 */
async function getProvider(): Promise<Awaited<ReturnType<typeof v8.getProvider>>> {
  const provider = await v8.getProvider();
  const reader = provider as unknown as Provider;
  const readFiles = reader.readCoverageFiles.bind(reader);
  reader.readCoverageFiles = (reading) => {
    let files: Coverage[] = [];
    return readFiles({
      ...reading,
      onFileRead: (coverage) => void files.push(coverage),
      async onFinished(...project) {
        reading.onFileRead(merge(files));
        files = [];
        await reading.onFinished(...project);
      },
    });
  };
  return provider;
}

export default { ...v8, getProvider };
