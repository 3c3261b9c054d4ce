/** State that the framework recognisers keep while one file is walked. */
export class FrameworkNotes {
  /** Where each router is mounted, by the node of its variable. */
  readonly mounts = new Map<number, Mounted>();
  /** The prefix that each router was created with, by variable name. */
  readonly prefixes = new Map<string, string>();
  /** Plugins that are inline functions. */
  readonly plugins: InlinePlugin[] = [];
  /** The name of the command that each variable holds, by the name of the variable. */
  readonly commands = new Map<string, string>();
  /**
   * Positions of tRPC routers. They are registered after the walk, because only then it is known
   * which ones are nested.
   */
  readonly routers: { readonly start: number; readonly end: number; readonly tell: () => void }[] =
    [];
  /** The controller of the current class. */
  controller: Controller | undefined;
}

/**
 * A plugin such as `app.register(async (inner) => {…}, { prefix })`. Inside the function, `inner`
 * is a router that is mounted on `app` at the prefix.
 */
export interface InlinePlugin extends Mounted {
  /** The position of the function in the text. */
  readonly start: number;
  readonly end: number;
  /** The router's name inside the plugin; `outer` is its name outside. */
  readonly name: string;
  readonly outer: string | undefined;
}

/** A mount point: a path on another router. */
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
