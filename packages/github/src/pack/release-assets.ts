import { defineOperation, errorFromUnknown, fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { JsonSchema, OperationContext } from "@waybill/core";
import type { LateOperation } from "@waybill/core/cards";
import type { GithubFiles } from "./github-files.ts";
import type { GithubKit } from "./kit.ts";
import { refuseInput } from "./refuse-input.ts";

type Input = Readonly<Record<string, unknown>>;

const RELEASE = {
  owner: { type: "string" },
  name: { type: "string" },
  tagName: { type: "string", minLength: 1 },
  releaseId: { type: "integer", minimum: 1 },
} as const;
const ONE_RELEASE = [{ required: ["tagName"] }, { required: ["releaseId"] }];
const TEXT = { type: "string" } as const;

const UPLOAD_INPUT = {
  type: "object",
  required: ["owner", "name", "file"],
  anyOf: ONE_RELEASE,
  properties: {
    ...RELEASE,
    file: {
      type: ["object", "string"],
      description:
        "The content: @PATH on the command line, a string, or {base64 | text | handle, filename}",
      properties: {
        base64: TEXT,
        text: TEXT,
        handle: TEXT,
        filename: TEXT,
        content_type: TEXT,
      },
    },
    assetName: {
      type: "string",
      minLength: 1,
      description: "Name in the release (default: the name of the file)",
    },
    label: TEXT,
  },
} as const satisfies JsonSchema;

const UPLOAD_OUTPUT = {
  type: "object",
  required: ["id", "name", "size", "url"],
  properties: { id: { type: "integer" }, name: TEXT, size: { type: "integer" }, url: TEXT },
} as const satisfies JsonSchema;

const DOWNLOAD_INPUT = {
  type: "object",
  required: ["owner", "name", "assetName"],
  anyOf: ONE_RELEASE,
  properties: { ...RELEASE, assetName: { type: "string", minLength: 1 } },
} as const satisfies JsonSchema;

const DOWNLOAD_OUTPUT = {
  type: "object",
  required: ["size", "content_type"],
  properties: {
    handle: TEXT,
    base64: TEXT,
    size: { type: "integer" },
    content_type: TEXT,
    filename: TEXT,
  },
} as const satisfies JsonSchema;

interface Release {
  readonly id: number;
  readonly assets: readonly Asset[];
}

interface Asset {
  readonly assetId: number;
  readonly name: string;
  readonly size: number;
  readonly url: string;
}

async function viewRelease(input: Input, context: OperationContext): Promise<Release> {
  const { owner, name, tagName, releaseId } = input;
  const one = releaseId === undefined ? { tagName } : { releaseId };
  const { data } = await context.look("release.view", { owner, name, ...one });
  return data as Release;
}

async function readFileBytes(file: unknown, files: GithubFiles): Promise<Uint8Array> {
  if (typeof file === "string") return Buffer.from(file);
  const { base64, text, handle } = isRecord(file) ? file : {};
  if (typeof base64 === "string") return Buffer.from(base64, "base64");
  if (typeof text === "string") return Buffer.from(text);
  const kept = typeof handle === "string" ? await files.readHandle(handle) : undefined;
  if (kept !== undefined) return kept;
  throw refuseInput(
    "release.assets.upload",
    "file",
    "must be text, or an object with base64, text or handle",
  );
}

function readAssetName({ assetName, file }: Input): string {
  const named = assetName ?? (isRecord(file) ? file["filename"] : undefined);
  if (typeof named === "string" && named !== "") return named;
  throw refuseInput(
    "release.assets.upload",
    "assetName",
    "is required if the content is text; file=@PATH uploads a file under its own name",
  );
}

/**
 * An upload whose response was lost was applied if the release now has a file with this name and
 * size.
 */
async function findUploaded(
  input: Input,
  context: OperationContext,
  { before, name, size }: { before: Release; name: string; size: number },
): Promise<Asset | undefined> {
  if (before.assets.some((asset) => asset.name === name)) return undefined;
  const { assets } = await viewRelease({ ...input, releaseId: before.id }, context);
  return assets.find((asset) => asset.name === name && asset.size === size);
}

async function upload(input: Input, context: OperationContext, files: GithubFiles) {
  const name = readAssetName(input);
  const bytes = await readFileBytes(input["file"], files);
  const before = await viewRelease(input, context);
  const { owner, name: repository, label, file } = input;
  const query = new URLSearchParams({ name, ...(typeof label === "string" && { label }) });
  const path = `/repos/${String(owner)}/${String(repository)}/releases/${before.id}/assets?${query.toString()}`;
  const declared = isRecord(file) ? file["content_type"] : undefined;
  const contentType = typeof declared === "string" ? declared : "application/octet-stream";
  try {
    const made = (await files.upload(path, { bytes, contentType }, context)) as Record<
      string,
      unknown
    >;
    return {
      id: made["id"],
      name: made["name"],
      size: made["size"],
      url: made["browser_download_url"],
    };
  } catch (thrown) {
    const error = errorFromUnknown(thrown);
    if (error.details.outcome !== "unknown") throw error;
    const wanted = { before, name, size: bytes.length };
    const found = await findUploaded(input, context, wanted).catch(() => undefined);
    if (found === undefined) throw error;
    return { id: found.assetId, name, size: found.size, url: found.url };
  }
}

async function download(input: Input, context: OperationContext, files: GithubFiles) {
  const { owner, name, assetName } = input;
  const { assets } = await viewRelease(input, context);
  const asset = assets.find((one) => one.name === assetName);
  if (asset === undefined) {
    const known = assets.map((one) => one.name).join(", ") || "no files";
    throw fail("NOT_FOUND", `The release has no file ${String(assetName)}; it has ${known}`);
  }
  const path = `/repos/${String(owner)}/${String(name)}/releases/assets/${asset.assetId}`;
  return { filename: asset.name, ...(await files.download(path, context)) };
}

interface AssetPlan {
  readonly id: string;
  readonly description: string;
  readonly effect: "read" | "write";
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly run: (input: Input, context: OperationContext, files: GithubFiles) => Promise<object>;
}

const PLANS: readonly AssetPlan[] = [
  {
    id: "release.assets.upload",
    description: "Upload a file to a release",
    effect: "write",
    input: UPLOAD_INPUT,
    output: UPLOAD_OUTPUT,
    run: upload,
  },
  {
    id: "release.assets.download",
    description: "Download a file of a release",
    effect: "read",
    input: DOWNLOAD_INPUT,
    output: DOWNLOAD_OUTPUT,
    run: download,
  },
];

/** Uploads and downloads of release files. They are bytes, which cards cannot express. */
export function releaseAssetOperations(kit: GithubKit): LateOperation[] {
  return PLANS.map(({ id, description, effect, input, output, run }) => ({
    summary: {
      id,
      description,
      effect,
      idempotent: effect === "read",
      kind: "call",
      parameters: Object.keys((input as typeof UPLOAD_INPUT).properties),
    },
    make: () => {
      const operation = defineOperation({
        id,
        description,
        effect,
        input: input as { type: "object" },
        output: output as { type: "object" },
        handler: (given, context) => run(given as Input, context, kit.files) as Promise<never>,
      });
      const { spec } = operation;
      const normaliseInput = (params: Input): Input => kit.normaliseInput?.(params, spec) ?? params;
      return { ...operation, spec: { ...spec, normaliseInput } };
    },
  }));
}
