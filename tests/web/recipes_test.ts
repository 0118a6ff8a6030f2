import { assertEquals } from "@std/assert";
import { GetMapping, RestController } from "../../mod.ts";
import { UPGRADE, type Upgrade } from "../../src/http/mod.ts";
import { textBinder } from "../../src/web/bind/text_binders.ts";
import { appOf } from "./helpers.ts";

/** The recipe "How to add a binder" of CONTRIBUTING.md: this function, and a place that the table has. */
function Host() {
  const read = ({ request }: { readonly request: { readonly url: string } }) =>
    new URL(request.url).hostname;
  return textBinder({ in: "header", name: "Host" }, read, ["a.example", "b.example"]);
}

/** Follows the recipe "How to add a kind of return value", for a value that makes its response itself. */
class Elsewhere implements Upgrade {
  constructor(readonly location: string) {}

  [UPGRADE](): Promise<Response> {
    const headers = { Location: this.location };
    return Promise.resolve(new Response(null, { status: 303, headers }));
  }
}

@RestController()
class Recipes {
  @GetMapping("/host", Host())
  host(host: string) {
    return { host };
  }

  @GetMapping({ path: "/old", produces: "text/plain" })
  old() {
    return new Elsewhere("/new");
  }
}

Deno.test("recipes + a binder converts, and says what it expected of which place", async () => {
  await using app = await appOf([Recipes]);
  const fit = await app.request("http://a.example/host");
  assertEquals([fit.status, await fit.json()], [200, { host: "a.example" }]);
  const misfit = await app.request("http://c.example/host");
  const { detail, errors } = await misfit.json();
  assertEquals(misfit.status, 400);
  assertEquals(
    detail,
    `Cannot bind the request header 'Host': expected one of 'a.example', 'b.example'`,
  );
  assertEquals(errors.map(({ header }: { readonly header: string }) => header), ["Host"]);
});

Deno.test("recipes + a value that makes its response itself needs no type that the client accepts", async () => {
  await using app = await appOf([Recipes]);
  const response = await app.request("/old");
  assertEquals([response.status, response.headers.get("location")], [303, "/new"]);
});
