const count = new Intl.NumberFormat("en");
const few = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hourCycle: "h23" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const full = new Intl.DateTimeFormat(undefined, {
  dateStyle: "medium",
  timeStyle: "medium",
  hourCycle: "h23",
});

const DAY_MS = 86_400_000;

export function formatCount(value: number | undefined): string {
  return value === undefined ? "–" : count.format(value);
}

/** Formats as `0.4 ms`, `12 ms`, `1.3 s`, `2 min 5 s` */
export function formatMs(ms: number | undefined): string {
  if (ms === undefined) return "–";
  if (ms < 10) return `${few.format(ms)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${few.format(ms / 1_000)} s`;
  const minutes = Math.floor(ms / 60_000);
  return `${count.format(minutes)} min ${Math.floor((ms % 60_000) / 1_000)} s`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} bytes`;
  if (bytes < 1_048_576) return `${few.format(bytes / 1_024)} KB`;
  return `${few.format(bytes / 1_048_576)} MB`;
}

/** The time of day, with the date if it is not today. */
export function formatTime(at: number, now = Date.now()): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return "–";
  const isToday = new Date(now).toDateString() === time.toDateString();
  const isRecent = isToday || Math.abs(now - at) < DAY_MS / 4;
  return isRecent ? clock.format(time) : `${day.format(time)} ${clock.format(time)}`;
}

export function formatDate(at: number): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? "–" : full.format(time);
}

/** Adds a full stop if the text has none, so that another sentence can follow. */
export function sentence(text: string): string {
  return /[.!?)]\s*$/u.test(text) ? text : `${text}.`;
}

/**
 * The description of a field as a sentence. The first word gets a capital letter, except if it is
 * code such as `owner/name`.
 */
export function describedAs(text: string): string {
  return sentence(text.replace(/^[a-z](?=[a-z]*\s)/u, (letter) => letter.toUpperCase()));
}

/** Formats 3 of 40 as `8 %` */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return "–";
  const percent = (part / whole) * 100;
  return percent > 0 && percent < 1 ? "< 1 %" : `${Math.round(percent)} %`;
}
