/** State that the framework recognisers keep while one file is walked. */
export class FrameworkNotes {
  /** Where a router was mounted, by the node of its variable. */
  readonly mounts = new Map<number, Mounted>();
  /** The path that a router was made with, by the name of its variable. */
  readonly prefixes = new Map<string, string>();
  /** Plugins that are written where they are registered. */
  readonly plugins: InlinePlugin[] = [];
  /** The command that a variable holds. */
  readonly commands = new Map<string, string>();
  /** Where routers stand that are told at the end, when it is known which stand in others. */
  readonly routers: { readonly start: number; readonly end: number; readonly tell: () => void }[] =
    [];
  /** The controller of the current class. */
  controller: Controller | undefined;
}

/** `app.register(async (inner) => {…}, { prefix })`: inside, inner stands for app below a path. */
export interface InlinePlugin extends Mounted {
  /** Where the function stands in the text. */
  readonly start: number;
  readonly end: number;
  /** The router's name inside and outside. */
  readonly name: string;
  readonly outer: string | undefined;
}

/** Below a path, on another router. */
export interface Mounted {
  readonly prefix: string;
  readonly on: number;
}

export interface Controller {
  readonly kind: "http" | "queue";
  readonly framework: string;
  /** The paths of a controller, or the queue of a processor. */
  readonly names: readonly string[];
}
