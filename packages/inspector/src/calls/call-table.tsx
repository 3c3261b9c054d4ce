import { useEffect, useRef } from "preact/hooks";
import { useMedia } from "../components/use-media.ts";
import { COLUMNS, CallRow } from "./call-row.tsx";
import type { LiveCalls } from "./live-calls.ts";
import { useRows } from "./use-rows.ts";

const ROW_REM = 2.375;
const NARROW_ROW_REM = 3.75;
/** Loads older calls when fewer rows than this are left below. */
const AHEAD = 60;

/** The list of calls. Draws only the visible rows. */
export function CallTable({ calls }: { readonly calls: LiveCalls }) {
  const { count, held, hasOlder, total } = calls.picture.value;
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useMedia("(width < 45rem)");
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const rowHeight = Math.round((isNarrow ? NARROW_ROW_REM : ROW_REM) * rem);
  const rows = useRows(scroller, count, rowHeight);
  const last = rows.items.at(-1)?.index ?? 0;

  useEffect(() => {
    if (hasOlder && last >= count - AHEAD) void calls.loadOlder();
  }, [calls, hasOlder, last, count]);

  const listen = (): void => calls.hold((scroller.current?.scrollTop ?? 0) > rowHeight);
  const toNewest = (): void => {
    calls.hold(false);
    scroller.current?.scrollTo({ top: 0 });
    scroller.current?.focus();
  };
  return (
    <div class="call-table" role="table" aria-label="Calls" aria-rowcount={total + 1}>
      <div class="call-head" role="row" aria-rowindex={1}>
        {COLUMNS.map(({ name, title }) => (
          <span key={name} role="columnheader" class={`cell-${name}`}>
            {title}
          </span>
        ))}
      </div>
      {held > 0 && (
        <button type="button" class="button primary newer" onClick={toNewest}>
          {held === 1 ? "1 new call" : `${held.toLocaleString("en")} new calls`}
        </button>
      )}
      <div
        class="call-rows"
        role="rowgroup"
        ref={scroller}
        tabIndex={0}
        aria-label="Rows of calls"
        onScroll={listen}
        onKeyDown={(event) => moveFocus(event, rows.scrollTo, count)}
      >
        <div role="presentation" class="call-space" style={{ height: `${rows.height}px` }}>
          {rows.items.map(({ index, start }) => {
            const call = calls.at(index);
            return call && <CallRow key={call.seq} call={call} index={index} start={start} />;
          })}
        </div>
      </div>
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

/** The arrow keys move between calls, including those that are not drawn yet. */
function moveFocus(event: KeyboardEvent, scrollTo: (index: number) => void, count: number): void {
  const step = STEPS[event.key];
  const list = event.currentTarget;
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(list instanceof HTMLElement) || !(event.target instanceof HTMLElement)) return;
  const from = event.target.dataset["index"];
  const index = from === undefined ? 0 : Number(from) + step;
  if (index < 0 || index >= count) return;
  event.preventDefault();
  const focus = (): void => {
    list.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  };
  // A drawn row gets the focus immediately, so that a held key skips no row.
  focus();
  scrollTo(index);
  requestAnimationFrame(focus);
}
