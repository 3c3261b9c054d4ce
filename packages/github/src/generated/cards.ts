// Generated from the cards by `npm run generate`. Do not edit.
import type { OperationSummary } from "@waybill/core";

export const summaries = JSON.parse(
  '[{"id":"issue.create","description":"Open an issue","effect":"write","idempotent":false,"kind":"call","parameters":["owner","name","title","body"]},{"id":"issue.list","description":"List issues of a repository, newest first","effect":"read","idempotent":true,"kind":"call","parameters":["owner","name","state","first","after"]},{"id":"repo.view","description":"Show a repository","effect":"read","idempotent":true,"kind":"call","parameters":["owner","name"]}]',
) as readonly OperationSummary[];

export const places: Readonly<Record<string, readonly [number, number]>> = {
  "issue.create": [0, 2747],
  "issue.list": [2748, 4780],
  "repo.view": [7529, 2703],
};
