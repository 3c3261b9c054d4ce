import { join } from "node:path";
import { ownFile } from "./own-file.ts";
import type { Piece } from "./piece.ts";

/** Tells an agent when to use Waybill. */
export const DESCRIPTION =
  "Calls GitHub and every configured API with few tokens. Use it for issues, pull requests, files, searches and any other GitHub action.";

export const SKILL_HEAD = { name: "waybill", description: DESCRIPTION };

/** The skill file in an agent's folder for skills. */
export function skillFile(folder: string, text: string): Piece {
  return ownFile(join(folder, "waybill/SKILL.md"), SKILL_HEAD, text);
}
