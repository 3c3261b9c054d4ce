import { invalid } from "../errors.ts";

const MAX_BODY = 65_536;
const MAX_TITLE = 256;

/** GitHub limits the number of characters, and refuses longer text. */
export function checkBody(resource: string, body: string): string {
  if (Array.from(body).length <= MAX_BODY) return body;
  const message = `body is too long (maximum is ${MAX_BODY} characters)`;
  throw invalid({ resource, field: "body", code: "custom", message });
}

export function checkNotBlank(resource: string, body: string): string {
  if (body.trim() !== "") return checkBody(resource, body);
  throw invalid({ resource, field: "body", code: "custom", message: "Body cannot be blank" });
}

export function checkTitle(resource: string, title: string): string {
  if (title.trim() === "") {
    throw invalid({
      resource,
      field: "title",
      code: "missing_field",
      message: "Title can't be blank",
    });
  }
  if (Array.from(title).length <= MAX_TITLE) return title;
  const message = `title is too long (maximum is ${MAX_TITLE} characters)`;
  throw invalid({ resource, field: "title", code: "custom", message });
}
