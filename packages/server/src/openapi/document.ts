import type { OperationSpec } from "@waybill/core";
import { text } from "../answers.ts";
import type { HttpAppOptions } from "../options.ts";
import { CODE_PATH, FIXED_PATHS, MCP_PATH, operationPath } from "./paths.ts";
import { SCHEMAS } from "./shapes.ts";

interface Written {
  readonly specs: readonly OperationSpec[];
  readonly text: string;
}

/** Skips an operation that its source cannot describe, so that the others are still shown. */
function readable(spec: OperationSpec): (readonly [string, object])[] {
  try {
    return [operationPath(spec)];
  } catch {
    return [];
  }
}

/** The OpenAPI description of this server, with every operation. */
export class OpenApi {
  readonly #options: HttpAppOptions;
  #written: Written | undefined;

  constructor(options: HttpAppOptions) {
    this.#options = options;
  }

  async answer(): Promise<Response> {
    const specs = await this.#options.waybill.operations();
    const known = this.#written;
    const isCurrent =
      known?.specs.length === specs.length && specs.every((spec, at) => spec === known.specs[at]);
    const written = isCurrent ? known : { specs, text: JSON.stringify(this.#describe(specs)) };
    this.#written = written;
    return text(written.text, "application/json; charset=utf-8");
  }

  #describe(specs: readonly OperationSpec[]): object {
    const { version, tokens, mcp, code } = this.#options;
    const isOpen = tokens === undefined;
    return {
      openapi: "3.1.0",
      info: {
        title: "Waybill",
        version,
        description: "Call every capability of this Waybill over HTTP",
      },
      ...(!isOpen && { security: [{ bearer: [] }] }),
      paths: {
        ...FIXED_PATHS,
        ...(code !== undefined && CODE_PATH),
        ...(mcp !== undefined && MCP_PATH),
        ...Object.fromEntries(specs.flatMap(readable)),
      },
      components: {
        schemas: SCHEMAS,
        ...(!isOpen && { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } }),
      },
    };
  }
}
