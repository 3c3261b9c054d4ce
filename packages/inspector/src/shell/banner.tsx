import { link, lookNow, nextTryIn } from "../api/connection.ts";

/** Shows that the server is gone and that the page reconnects by itself. */
export function Banner() {
  if (link.value !== "down") return null;
  const seconds = Math.ceil(nextTryIn.value / 1_000);
  return (
    <div class="banner" role="alert">
      <span>
        The server does not answer. You see the last known state; the page retries
        {seconds > 1 ? ` within ${seconds} seconds` : " at once"}.
      </span>
      <button type="button" class="button" onClick={lookNow}>
        Retry now
      </button>
    </div>
  );
}
