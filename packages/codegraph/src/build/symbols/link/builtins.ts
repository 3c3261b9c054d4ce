import { parseSync } from "oxc-parser";
import { extractSymbols } from "../extract/extract.ts";
import type { FileSymbolData } from "../facts/symbol-facts.ts";

/**
 * Declarations of built-in types that pass values on: a list has elements, a promise has a value,
 * and both pass them to callbacks. They do not become symbols of a graph.
 */
const DECLARATIONS = `
interface Array<T> {
  [index: number]: T;
  map<U>(run: (value: T, index: number, list: T[]) => U): U[];
  flatMap<U>(run: (value: T, index: number) => U | U[]): U[];
  forEach(run: (value: T, index: number, list: T[]) => void): void;
  filter<S extends T>(run: (value: T, index: number) => value is S): S[];
  filter(run: (value: T, index: number) => unknown): T[];
  find(run: (value: T, index: number) => unknown): T;
  findLast(run: (value: T, index: number) => unknown): T;
  findIndex(run: (value: T, index: number) => unknown): number;
  some(run: (value: T, index: number) => unknown): boolean;
  every(run: (value: T, index: number) => unknown): boolean;
  sort(run?: (a: T, b: T) => number): T[];
  toSorted(run?: (a: T, b: T) => number): T[];
  reduce<U>(run: (sum: U, value: T, index: number) => U, start: U): U;
  reduceRight<U>(run: (sum: U, value: T, index: number) => U, start: U): U;
  concat(...lists: T[][]): T[];
  slice(start?: number, end?: number): T[];
  splice(start: number, count?: number): T[];
  reverse(): T[];
  toReversed(): T[];
  flat(): T[];
  pop(): T;
  shift(): T;
  at(index: number): T;
  entries(): Array<[number, T]>;
  values(): Array<T>;
  keys(): Array<number>;
  join(separator?: string): string;
}
type ReadonlyArray<T> = Array<T>;
type Iterable<T> = Array<T>;
type Iterator<T> = Array<T>;
type IterableIterator<T> = Array<T>;
type AsyncIterable<T> = Array<T>;
type AsyncIterableIterator<T> = Array<T>;
type Generator<T> = Array<T>;
type AsyncGenerator<T> = Array<T>;
interface Set<T> { forEach(run: (value: T) => void): void; values(): Array<T>; add(value: T): this; [index: number]: T; }
type ReadonlySet<T> = Set<T>;
interface WeakSet<T> { add(value: T): this }
interface Map<K, V> {
  [index: number]: [K, V];
  get(key: K): V;
  set(key: K, value: V): this;
  forEach(run: (value: V, key: K, map: Map<K, V>) => void): void;
  values(): Array<V>;
  keys(): Array<K>;
  entries(): Array<[K, V]>;
}
type ReadonlyMap<K, V> = Map<K, V>;
interface PyDict<K, V> {
  [index: number]: V;
  get(key: K, preset?: V): V;
  pop(key: K): V;
  setdefault(key: K, value: V): V;
  values(): Array<V>;
  keys(): Array<K>;
  items(): Array<[K, V]>;
  copy(): PyDict<K, V>;
}
interface WeakMap<K, V> { get(key: K): V; set(key: K, value: V): this }
interface WeakRef<T> { deref(): T }
interface Promise<T> {
  then<U>(run: (value: T) => U | Promise<U>, fail?: (reason: any) => any): Promise<U>;
  catch(fail: (reason: any) => any): Promise<T>;
  finally(run: () => void): Promise<T>;
}
type PromiseLike<T> = Promise<T>;
interface ArrayConstructor { new <T>(...items: T[]): Array<T>; from<T, U>(list: Iterable<T>, run: (value: T, index: number) => U): U[]; from<T>(list: Iterable<T>): T[]; of<T>(...items: T[]): T[] }
interface SetConstructor { new <T>(items?: Iterable<T>): Set<T> }
interface MapConstructor { new <K, V>(items?: Iterable<[K, V]>): Map<K, V> }
interface WeakMapConstructor { new <K, V>(items?: Iterable<[K, V]>): WeakMap<K, V> }
interface WeakRefConstructor { new <T>(item: T): WeakRef<T> }
interface PromiseConstructor {
  new <T>(run: (resolve: (value: T) => void, reject: (reason?: any) => void) => void): Promise<T>;
  resolve<T>(value: T | Promise<T>): Promise<T>;
  all<T>(values: Iterable<T>): Promise<T[]>;
  race<T>(values: Iterable<T | Promise<T>>): Promise<T>;
  any<T>(values: Iterable<T | Promise<T>>): Promise<T>;
}
interface ObjectConstructor {
  assign<T, U>(target: T, source: U): T & U;
  freeze<T>(value: T): T;
  values<T>(value: T[]): T[];
  entries<T>(value: T[]): Array<[string, T]>;
}
declare const Array: ArrayConstructor;
declare const Set: SetConstructor;
declare const Map: MapConstructor;
declare const WeakMap: WeakMapConstructor;
declare const WeakRef: WeakRefConstructor;
declare const Promise: PromiseConstructor;
declare const Object: ObjectConstructor;
type Partial<T> = T;
type Required<T> = T;
type Readonly<T> = T;
type NonNullable<T> = T;
type Omit<T, K> = T;
type Pick<T, K> = T;
type Exclude<T, U> = T;
type Extract<T, U> = T;
type NoInfer<T> = T;
type Record<K, V> = V[];
`;

let extracted: FileSymbolData | undefined;

export function builtins(): FileSymbolData {
  if (extracted) return extracted;
  const path = "builtins.ts";
  const text = DECLARATIONS.replaceAll(/^(?=interface|type|declare)/gm, "export ");
  return (extracted = extractSymbols(parseSync(path, text).program, { path, text }));
}
