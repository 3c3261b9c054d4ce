import { render } from "preact";
import { watchServer } from "./api/connection.ts";
import { takeTokenFromAddress } from "./api/token.ts";
import { HOME } from "./router/route.ts";
import { startRouter } from "./router/router.ts";
import { App } from "./shell/app.tsx";
import { startTheme } from "./theme/theme.ts";

const page = document.querySelector("#page");
if (page === null) throw new Error("The page has no root element");
takeTokenFromAddress(HOME);
startTheme();
startRouter();
watchServer();
render(<App />, page);
