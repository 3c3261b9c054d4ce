import type { Source } from "@waybill/core";

export interface HelloOptions {
  /** The address of the greeting service. */
  readonly baseUrl: string;
  readonly token?: () => Promise<string | undefined>;
}

export declare function helloSource(options: HelloOptions): Promise<Source>;
