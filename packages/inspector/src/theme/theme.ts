import { effect, signal } from "@preact/signals";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEPT_AS = "waybill-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

function kept(): Theme {
  const found = localStorage.getItem(KEPT_AS);
  return THEMES.find((theme) => theme === found) ?? "system";
}

/** The selected theme. */
export const theme = signal<Theme>(kept());

const systemIsDark = signal(dark.matches);

/** Canvas components read this, so that they draw again when the colours change. */
export function isDark(): boolean {
  return theme.value === "system" ? systemIsDark.value : theme.value === "dark";
}

export function startTheme(): void {
  dark.addEventListener("change", () => {
    systemIsDark.value = dark.matches;
  });
  effect(() => {
    document.documentElement.dataset["theme"] = theme.value;
    localStorage.setItem(KEPT_AS, theme.value);
  });
}

/** A colour of the stylesheet, such as `--accent`, in a form that a canvas understands. */
export function themeColour(name: `--${string}`): string {
  const probe = document.createElement("span");
  probe.hidden = true;
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
