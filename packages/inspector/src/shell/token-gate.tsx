import { useState } from "preact/hooks";
import { isRefused, keepToken } from "../api/token.ts";

/** Shown instead of every view while there is no token that the server accepts. */
export function TokenGate() {
  const [given, setGiven] = useState("");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (given.trim() !== "") keepToken(given);
  };
  return (
    <form class="gate stack" onSubmit={submit}>
      <h1>
        {isRefused.value ? "The server does not accept this token" : "This page needs a token"}
      </h1>
      <p class="soft">
        <code>waybill inspect</code> prints an address that ends in <code>#token=…</code>. Open that
        address, or paste the token here. Each start of the command has its own token.
      </p>
      <label class="stack-tight">
        Token
        <input
          class="field mono"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={given}
          onInput={({ currentTarget }) => setGiven(currentTarget.value)}
        />
      </label>
      <div>
        <button class="button primary">Open the page</button>
      </div>
    </form>
  );
}
