import type { EffectiveConfig } from "@waybill/state";
import { openHandleStore } from "@waybill/state";
import { stateFiles } from "@waybill/state/files";
import type { CodeRunner } from "@waybill/code";
import type { CodeDoor } from "@waybill/mcp/server";
import type { ProgramRunner } from "@waybill/core/cards";
import { keptTexts } from "./kept-texts.ts";

/** Runs programs. Stores their logs and long answers in the state folder. */
export interface OpenedCode extends CodeDoor {
  /** Finds the ids that a program calls, without running it. */
  outline: CodeRunner["outline"];
  /** Runs the programs of cards. */
  readonly programs: ProgramRunner;
  /** Starts a thread in advance, in the background. */
  warm(): void;
  close(): void;
}

/** Loads the sandbox only when this is called. */
export async function openCode({ state }: Pick<EffectiveConfig, "state">): Promise<OpenedCode> {
  const { codeText, createCodeRunner, fileRunLog } = await import("@waybill/code");
  const runner = createCodeRunner({
    log: fileRunLog(stateFiles(state).code),
    handles: keptTexts(openHandleStore({ path: stateFiles(state).results })),
  });
  return {
    run: (waybill, program, options, caller) => runner.run(waybill, program, options, caller),
    text: codeText,
    programs: runner.programs,
    outline: (program) => runner.outline(program),
    warm: () => runner.warm(),
    close: () => runner.close(),
  };
}
