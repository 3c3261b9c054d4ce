import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { themeColour, isDark } from "../theme/theme.ts";

interface PlotSeries {
  readonly title: string;
  readonly colour: `--${string}`;
  readonly values: readonly number[];
}

interface PlotProps {
  /** A description of the plot for screen readers. */
  readonly label: string;
  /** Times in milliseconds, ascending. */
  readonly times: readonly number[];
  /** The series. They are drawn over one another, so the largest comes first. */
  readonly series: readonly PlotSeries[];
}

const HEIGHT_REM = 12;

/** A bar chart over time. */
export function Plot({ label, times, series }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const dark = isDark();
  const data = plotData(times, series);
  const latest = useRef(data);
  latest.current = data;
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const made = new uPlot(plotOptions(element, series), latest.current, element);
    plot.current = made;
    const watcher = new ResizeObserver(() => made.setSize(plotSize(element)));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      made.destroy();
    };
    // A canvas keeps the colours it was drawn with, so a new theme needs a new plot.
  }, [dark, series.length]);
  useEffect(() => plot.current?.setData(latest.current), [times, series]);
  return (
    <figure>
      <figcaption class="legend row small">
        {series.map(({ title, colour }) => (
          <span key={title} class="legend-item">
            <span class="legend-mark" style={{ background: `var(${colour})` }} />
            {title}
          </span>
        ))}
      </figcaption>
      <div class="plot" ref={place} role="img" aria-label={label} />
    </figure>
  );
}

function plotData(times: readonly number[], series: readonly PlotSeries[]): uPlot.AlignedData {
  return [times.map((at) => at / 1_000), ...series.map(({ values }) => [...values])];
}

function plotSize(element: HTMLElement): { width: number; height: number } {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return { width: Math.max(160, element.clientWidth), height: Math.round(HEIGHT_REM * rem) };
}

function plotOptions(element: HTMLElement, series: readonly PlotSeries[]): uPlot.Options {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const bars = uPlot.paths.bars?.({ size: [0.82, 28], align: 1 });
  const axis: uPlot.Axis = {
    stroke: themeColour("--ink-soft"),
    font: `${Math.round(rem * 0.8)}px system-ui, sans-serif`,
    grid: { stroke: themeColour("--line"), width: 1 },
    ticks: { show: false },
  };
  return {
    ...plotSize(element),
    legend: { show: false },
    cursor: { show: false },
    // A bar starts at its time, so the axis ends one bar's width after the last time.
    scales: {
      x: { range: (plot, first, last) => [first, last + barSeconds(plot)] },
      y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.1)] },
    },
    axes: [
      { ...axis, size: Math.round(rem * 2), grid: { show: false }, values: timeTicks },
      { ...axis, size: Math.round(rem * 4), values: (_plot, ticks) => ticks.map(shortCount) },
    ],
    series: [
      {},
      ...series.map(({ title, colour }) => ({
        label: title,
        fill: themeColour(colour),
        width: 0,
        points: { show: false },
        ...(bars !== undefined && { paths: bars }),
      })),
    ],
  };
}

function barSeconds({ data }: uPlot): number {
  const [times = []] = data;
  const [first = 0, second = first + 1] = times;
  return second - first;
}

const MINUTE_S = 60;
const DAY_S = 86_400;
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const minute = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const second = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hourCycle: "h23" });

/** Labels with the time of day, and with the date where a day starts. */
function timeTicks(_plot: uPlot, ticks: number[], _axis: number, _space: number, step: number) {
  const time = step < MINUTE_S ? second : minute;
  return ticks.map((tick) => {
    const at = new Date(tick * 1_000);
    const isDay =
      step >= DAY_S || (at.getHours() === 0 && at.getMinutes() === 0 && step >= MINUTE_S);
    return (isDay ? day : time).format(at);
  });
}

const compact = new Intl.NumberFormat("en", { notation: "compact" });

function shortCount(tick: number): string {
  return Number.isInteger(tick) ? compact.format(tick) : "";
}
