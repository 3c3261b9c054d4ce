import type { StateStore } from "./state-store.ts";
import { Turns } from "./turns.ts";

/** Stores values as long as the process runs. */
export function memoryStore(): StateStore {
  const values = new Map<string, unknown>();
  const turns = new Turns();
  return {
    read: async (key) => values.get(key),
    write: async (key, value) => void values.set(key, value),
    exclusive: (key, work) => turns.take(key, work),
  };
}
