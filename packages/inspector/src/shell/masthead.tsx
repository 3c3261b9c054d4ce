import { link } from "../api/connection.ts";
import type { LinkState } from "../api/connection.ts";
import { token } from "../api/token.ts";
import { HOME, viewAddress } from "../router/route.ts";
import { place } from "../router/router.ts";
import { THEMES, theme } from "../theme/theme.ts";
import type { Theme } from "../theme/theme.ts";
import { openPalette } from "./palette.tsx";
import { VIEWS } from "./views.ts";

const LINK_WORDS: Record<LinkState, string> = {
  asking: "connecting",
  up: "connected",
  down: "no answer",
};

const THEME_WORDS: Record<Theme, string> = { system: "Auto", light: "Light", dark: "Dark" };

export function Masthead() {
  return (
    <header class="masthead">
      <a class="wordmark" href={HOME}>
        <Mark />
        Waybill
      </a>
      <nav class="views" aria-label="Views">
        {VIEWS.map(({ view, title }) => (
          <a
            key={view}
            href={viewAddress(view)}
            aria-current={place.value.view === view ? "page" : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <div class="masthead-end">
        {token.value !== "" && (
          <button type="button" class="button quiet go-to" onClick={openPalette}>
            Go to… <kbd class="soft small">Ctrl K</kbd>
          </button>
        )}
        <span class="link-state" data-state={link.value} role="status">
          {LINK_WORDS[link.value]}
        </span>
        <ThemeSwitch />
      </div>
    </header>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <path
        d="M6.5 10 11 22l5-12 5 12 4.5-12"
        fill="none"
        stroke="var(--accent-ink)"
        stroke-width="2.6"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

function chooseTheme({ currentTarget: { value } }: { currentTarget: HTMLSelectElement }): void {
  theme.value = THEMES.find((one) => one === value) ?? "system";
}

function ThemeSwitch() {
  return (
    <select class="theme-switch" aria-label="Colours" value={theme.value} onChange={chooseTheme}>
      {THEMES.map((one) => (
        <option key={one} value={one}>
          {THEME_WORDS[one]}
        </option>
      ))}
    </select>
  );
}
