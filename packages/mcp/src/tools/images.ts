import { MAX_SHOWN_BYTES, findMedia, readMedia } from "@waybill/core/protocol";
import type { HandleStore } from "@waybill/core";

/** An image of an answer. */
interface ModelImage {
  /** The image in base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** For `content` of a `tool_result` of Anthropic's SDK. */
export interface AnthropicImage {
  readonly type: "image";
  readonly source: {
    readonly type: "base64";
    readonly media_type: string;
    readonly data: string;
  };
}

/** For `content` of a user message of OpenAI's chat completions, or of a LangChain message. */
export interface OpenaiImage {
  readonly type: "image_url";
  readonly image_url: { readonly url: string };
}

/** For `output` of a `function_call_output` of OpenAI's responses. */
export interface OpenaiResponsesImage {
  readonly type: "input_image";
  readonly image_url: string;
  readonly detail: "auto";
}

/** For `parts` of a `functionResponse` of Google's Gen AI SDK. */
export interface GeminiImage {
  readonly inlineData: { readonly mimeType: string; readonly data: string };
}

/** For the output of a tool of the AI SDK, which uses it directly. */
export interface VercelImage {
  readonly type: "image-data";
  readonly data: string;
  readonly mediaType: string;
}

/** The form of an image for each SDK. */
export interface ImageForms {
  readonly anthropic: AnthropicImage;
  readonly openai: OpenaiImage;
  readonly "openai-responses": OpenaiResponsesImage;
  readonly gemini: GeminiImage;
  readonly langchain: OpenaiImage;
  readonly vercel: VercelImage;
}

function dataUrl({ data, mimeType }: ModelImage): string {
  return `data:${mimeType};base64,${data}`;
}

function openaiImage(image: ModelImage): OpenaiImage {
  return { type: "image_url", image_url: { url: dataUrl(image) } };
}

type Forms = { readonly [Format in keyof ImageForms]: (image: ModelImage) => ImageForms[Format] };

const FORMS: Forms = {
  anthropic: ({ data, mimeType }) => ({
    type: "image",
    source: { type: "base64", media_type: mimeType, data },
  }),
  openai: openaiImage,
  "openai-responses": (image) => ({
    type: "input_image",
    image_url: dataUrl(image),
    detail: "auto",
  }),
  gemini: ({ data, mimeType }) => ({ inlineData: { mimeType, data } }),
  langchain: openaiImage,
  vercel: ({ data, mimeType }) => ({ type: "image-data", data, mediaType: mimeType }),
};

/** The image types that all providers accept. A message with another type is refused. */
const IMAGE_TYPES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

/** The images of an answer, up to the budget. The others stay handles in the text. */
export async function imagesIn<Format extends keyof ImageForms>(
  value: unknown,
  handles: HandleStore | undefined,
  format: Format,
): Promise<ImageForms[Format][]> {
  const images: ImageForms[Format][] = [];
  if (handles === undefined) return images;
  let left = MAX_SHOWN_BYTES;
  for (const { handle, mimeType, bytes } of findMedia(value)) {
    if (!IMAGE_TYPES.has(mimeType) || bytes > left) continue;
    const data = await readMedia(handles, handle);
    if (data === undefined) continue;
    left -= bytes;
    images.push(FORMS[format]({ data, mimeType }));
  }
  return images;
}
