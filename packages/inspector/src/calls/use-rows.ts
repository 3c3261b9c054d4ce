import {
  Virtualizer,
  elementScroll,
  observeElementOffset,
  observeElementRect,
} from "@tanstack/virtual-core";
import type { VirtualItem, VirtualizerOptions } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

export interface Rows {
  readonly items: readonly VirtualItem[];
  readonly height: number;
  readonly scrollTo: (index: number) => void;
}

type ListOptions = VirtualizerOptions<HTMLElement, HTMLElement>;

/** The visible rows of a long list. All rows have the same height. */
export function useRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): Rows {
  const [, draw] = useState(0);
  const options: ListOptions = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    overscan: 8,
    onChange: () => draw((turn) => turn + 1),
  };
  const [rows] = useState(() => new Virtualizer(options));
  rows.setOptions(options);
  // These functions are called here, because the library's bindings for components are not used.
  const { _didMount: didMount, _willUpdate: willUpdate } = rows;
  useLayoutEffect(() => didMount(), [didMount]);
  useLayoutEffect(() => willUpdate());
  useLayoutEffect(() => rows.measure(), [rows, rowHeight]);
  return {
    items: rows.getVirtualItems(),
    height: rows.getTotalSize(),
    scrollTo: (index) => rows.scrollToIndex(index),
  };
}
