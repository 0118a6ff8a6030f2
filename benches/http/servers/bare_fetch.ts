import { byText, handlers } from "./bare_fetch_app.ts";
import { serve } from "./serve.ts";

/** The routes without any library, for runtimes whose own server takes a `fetch` function. */
serve(byText(handlers({
  json: (value, status = 200) => Response.json(value, { status }),
  read: (request) => request.json(),
})));
