import { join } from "node:path";

/** The tools with which a reader reaches GitHub. */
export const DOORS = ["gh", "command", "mcp"] as const;
export type DoorName = (typeof DOORS)[number];

export function isDoor(name: string): name is DoorName {
  return DOORS.some((door) => door === name);
}

/** The files in the folder of a trial. */
export interface TrialFolder {
  readonly root: string;
  /** The socket of the embedded GitHub. */
  readonly github: string;
  /** The socket that reports the state of the world and calls MCP tools. */
  readonly control: string;
  /** One line of JSON for each call of the reader and for each program that it started. */
  readonly log: string;
  readonly answers: string;
  readonly trial: string;
  readonly tasks: string;
}

export function trialFolder(root: string): TrialFolder {
  return {
    root,
    github: join(root, "github.sock"),
    control: join(root, "control.sock"),
    log: join(root, "log.jsonl"),
    answers: join(root, "answers.jsonl"),
    trial: join(root, "trial.json"),
    tasks: join(root, "TASKS.md"),
  };
}

/** The settings of a trial. */
export interface Trial {
  readonly reader: string;
  readonly door: DoorName;
  readonly round: string;
  /** The text that explains the tools to the reader. It is counted once. */
  readonly start: string;
  /** The file of the bundled command. */
  readonly waybill: string;
}
