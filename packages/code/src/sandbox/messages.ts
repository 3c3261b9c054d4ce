/** An argument as far as the text of the program shows it. */
export type WrittenArgument =
  | { readonly kind: "value"; readonly value: unknown }
  /** A text of which parts are computed. */
  | { readonly kind: "text"; readonly hasSlash: boolean }
  | {
      readonly kind: "object";
      /** Member → its value, for members whose value is written out. */
      readonly known: Readonly<Record<string, unknown>>;
      /** Members whose value is computed. */
      readonly computed: readonly string[];
      /** It has a spread or a computed name, so there may be other members. */
      readonly isOpen: boolean;
    }
  | { readonly kind: "unknown" };

/** A call as it stands in the program: `issue.comments.create(…)`. */
export interface WrittenCall {
  readonly name: string;
  readonly line: number;
  readonly args: readonly WrittenArgument[];
  /** There is a spread among the arguments, so their number is not known. */
  readonly isOpen: boolean;
  /** The member that is read of the call itself, without an `await` before it. */
  readonly use?: string;
}

export interface NameUse {
  readonly name: string;
  readonly line: number;
}

/** Everything that is known about a program before it runs. */
export interface ProgramOutline {
  /** JavaScript that QuickJS can run; every line where it was. */
  readonly code: string;
  /** Names that the program uses and does not declare. */
  readonly free: readonly NameUse[];
  /** Names that it reads as members of `globalThis`. */
  readonly globals: readonly string[];
  /** Undeclared names that it assigns to. */
  readonly assigned: readonly NameUse[];
  readonly calls: readonly WrittenCall[];
  /** Calls on variables of the program's own. */
  readonly own: readonly NameUse[];
  /** First words that are followed by a computed name. */
  readonly computed: readonly string[];
}

/** Why a program cannot be run. */
export interface ProgramProblem {
  readonly message: string;
  readonly line?: number;
  readonly hint?: string;
}

export type ReadAnswer =
  | { readonly facts: ProgramOutline; readonly problem?: undefined }
  | { readonly problem: ProgramProblem; readonly facts?: undefined };

export interface ReadMessage {
  readonly kind: "read";
  readonly program: string;
}

/** Settings of the guest, sent as JSON. */
export interface GuestConfig {
  readonly roots: readonly string[];
  readonly seed: number;
  readonly limits: {
    readonly calls: number;
    readonly inputBytes: number;
    readonly roundBytes: number;
    readonly logBytes: number;
    readonly answerBytes: number;
  };
  /** The input of a saved program. */
  readonly input?: unknown;
}

export interface StartMessage {
  readonly kind: "start";
  readonly code: string;
  /** A GuestConfig. */
  readonly config: string;
  /** The time inside, in milliseconds since the epoch. */
  readonly now: number;
  readonly memoryBytes: number;
}

export interface SettleMessage {
  readonly kind: "settle";
  /** A GuestRound, as JSON. */
  readonly round: string;
}

/** Asks for an instance that the next program can use. It is not answered. */
export interface WarmMessage {
  readonly kind: "warm";
  readonly memoryBytes: number;
}

export type ThreadMessage = ReadMessage | StartMessage | SettleMessage | WarmMessage;

/** A call that the program made. It comes from the sandbox, so nothing about it is sure. */
export interface GuestCall {
  readonly n: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

export interface GuestFailure {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: string;
  readonly outcome?: string;
  readonly retryable?: boolean;
  readonly details?: unknown;
  /** Whether it is the failure of a call. */
  readonly isCall?: boolean;
}

interface Stop {
  /** The limit that was reached. */
  readonly limit?: string;
  /** The capability whose result is not known yet. */
  readonly pending?: string;
  readonly message: string;
}

/** Everything that happened in the sandbox until it had to wait. */
export interface Turn {
  readonly facts: {
    readonly status: "running" | "returned" | "failed" | "stopped";
    readonly stopped?: Stop;
    readonly failure?: GuestFailure;
    readonly logs: readonly string[];
    /** How many calls it waits for. */
    readonly open: number;
    /** It waits for something that can never come. */
    readonly isHanging: boolean;
    /** The first place of the value that is null because JSON has nothing for it. */
    readonly blank?: string;
  };
  readonly calls: readonly GuestCall[];
  readonly value: unknown;
}

/** The instance of the sandbox broke: its memory or its stack was used up. */
export interface Broken {
  readonly broken: "memory" | "stack" | "engine";
  readonly message: string;
}

export type TurnAnswer = Turn | Broken;

/** How a call ended, for the guest. */
export type GuestAnswer = { readonly n: number; readonly id: string } & (
  | {
      readonly data: unknown;
      readonly form: "data" | "list" | "result" | "page";
      readonly extras?: object;
    }
  | { readonly pending: true }
  | { readonly error: object }
);

/** The answers to all calls of one turn. */
export interface GuestRound {
  readonly answers: readonly GuestAnswer[];
  /** By id, for ids that are answered for the first time. */
  readonly shapes: Readonly<Record<string, ResultShape>>;
}

/** The shape of what a capability returns, and of an item if that is a list. */
export interface ResultShape {
  readonly data: Shape;
  readonly item?: Shape;
}

/** The declared members of a result; null if any member is allowed. */
export type Shape =
  | { readonly props: Readonly<Record<string, Shape>> }
  | { readonly items: Shape }
  | null;
