import type { RouteAnswer } from "@waybill/core/cards";
import { nextCursor } from "../http/index.ts";

type HeaderInfo = Pick<RouteAnswer, "rateLimitRemaining" | "serverDate" | "nextCursor">;

/**
 * Reads the rate limit, the date and the next page from the headers of an answer. A list without
 * a `Link` header is complete.
 */
export function headerInfo(headers: Readonly<Record<string, string>>, data: unknown): HeaderInfo {
  const remaining = headers["x-ratelimit-remaining"] ?? "";
  const date = Date.parse(headers["date"] ?? "");
  const link = headers["link"] ?? (Array.isArray(data) ? "" : undefined);
  return {
    ...(/^\d{1,9}$/u.test(remaining) && { rateLimitRemaining: Number(remaining) }),
    ...(!Number.isNaN(date) && { serverDate: date }),
    ...(link !== undefined && { nextCursor: nextCursor(link) ?? null }),
  };
}
