/** An argument of a call, as it is visible in the program's text. */
export type WrittenArgument =
  | { readonly kind: "value"; readonly value: unknown }
  /** A string with computed parts. */
  | { readonly kind: "text"; readonly hasSlash: boolean }
  | {
      readonly kind: "object";
      /** The members with literal values. */
      readonly known: Readonly<Record<string, unknown>>;
      /** The members with computed values. */
      readonly computed: readonly string[];
      /** Whether a spread or a computed name may add other members. */
      readonly isOpen: boolean;
    }
  | { readonly kind: "unknown" };

/** A call in the program's text, such as `issue.comments.create(…)`. */
export interface WrittenCall {
  readonly name: string;
  readonly line: number;
  readonly args: readonly WrittenArgument[];
  /** Whether a spread makes the number of arguments unknown. */
  readonly isOpen: boolean;
  /** The member that is read from the call's promise, without `await`. */
  readonly use?: string;
}

export interface NameUse {
  readonly name: string;
  readonly line: number;
}

/** A comparison of a member with a string, such as `p.state === "open"`. */
export interface Comparison {
  readonly member: string;
  readonly value: string;
  readonly line: number;
}

/** Everything that is known about a program before it runs. */
export interface ProgramOutline {
  /** The program as JavaScript for QuickJS, with every line at its original position. */
  readonly code: string;
  /** Names that the program uses but does not declare. */
  readonly free: readonly NameUse[];
  /** Names that it reads as members of `globalThis`. */
  readonly globals: readonly string[];
  /** Undeclared names that it assigns to. */
  readonly assigned: readonly NameUse[];
  readonly calls: readonly WrittenCall[];
  /** Calls on the program's own variables. */
  readonly own: readonly NameUse[];
  /** Ids with a computed part: the `issue` in `issue[name]`. */
  readonly computed: readonly string[];
  readonly compared: readonly Comparison[];
}

/** Why a program cannot run. */
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

/** Settings of the code inside the sandbox, sent as JSON. */
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
  /** The settings (a GuestConfig), as JSON. */
  readonly config: string;
  /** The time that the program sees, in milliseconds since the epoch. */
  readonly now: number;
  readonly memoryBytes: number;
}

export interface SettleMessage {
  readonly kind: "settle";
  /** The answers (a GuestRound), as JSON. */
  readonly round: string;
}

/** Prepares a sandbox for the next program. The thread does not answer this message. */
export interface WarmMessage {
  readonly kind: "warm";
  readonly memoryBytes: number;
}

export type ThreadMessage = ReadMessage | StartMessage | SettleMessage | WarmMessage;

/** A call that the program made. The data come from the sandbox, so they must not be trusted. */
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
  /** Whether a call failed. */
  readonly isCall?: boolean;
}

interface Stop {
  /** The limit that was reached. */
  readonly limit?: string;
  /** The capability whose result was used before it was known. */
  readonly pending?: string;
  readonly message: string;
}

/** Everything that happened in the sandbox since it last waited. */
export interface Turn {
  readonly facts: {
    readonly status: "running" | "returned" | "failed" | "stopped";
    readonly stopped?: Stop;
    readonly failure?: GuestFailure;
    readonly logs: readonly string[];
    /** How many calls the program waits for. */
    readonly open: number;
    /** Whether the program waits for something that never happens. */
    readonly isHanging: boolean;
    /** The first path in the value that was replaced by null, because JSON cannot express it. */
    readonly blank?: string;
  };
  readonly calls: readonly GuestCall[];
  readonly value: unknown;
}

/** The sandbox broke: it ran out of memory or stack. */
export interface Broken {
  readonly broken: "memory" | "stack" | "engine";
  readonly message: string;
}

export type TurnAnswer = Turn | Broken;

/** The result of a call, for the sandbox. */
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
  /** The result shapes of ids that are answered for the first time. */
  readonly shapes: Readonly<Record<string, ResultShape>>;
}

/** The shape of a capability's result. For a list, also the shape of an item. */
export interface ResultShape {
  readonly data: Shape;
  readonly item?: Shape;
  /** The declared members of a list's result besides its items. */
  readonly others?: readonly string[];
}

/**
 * The declared members of a result with their other names, such as `sha` for `oid`; null if any
 * member is allowed.
 */
export type Shape =
  | {
      readonly props: Readonly<Record<string, Shape>>;
      readonly names?: Readonly<Record<string, string>>;
    }
  | { readonly items: Shape }
  | null;
