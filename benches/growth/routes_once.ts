/**
 * Starts an application of as many routes as the argument says and sends requests to routes all over it. Prints
 * milliseconds of `bootstrap()` and of the first request, and microseconds of a later one. A process of its own, so
 * that nothing is warm.
 *
 * @module
 */
import {
  bootstrap,
  GetMapping,
  PathVariable,
  PostMapping,
  PutMapping,
  RequestBody,
  RequestParam,
  RestController,
} from "../../mod.ts";
import { median } from "../web/report.ts";
import { NewUser } from "../http/servers/schemas.ts";

const ROUTES_EACH = 5;
const REQUESTS = 20_000;
const ROUNDS = 7;

function controller(index: number) {
  const path = `/things${index}` as const;

  @RestController(`controller${index}`)
  class Controller {
    @GetMapping(path, RequestParam("page", "int", { defaultValue: 1 }))
    list(page: number) {
      return { page };
    }

    @GetMapping(`${path}/{id}`, PathVariable("id", "int"))
    get(id: number) {
      return { id };
    }

    @GetMapping(`${path}/{id}/parts/{part}`, PathVariable("id", "int"), PathVariable("part"))
    part(id: number, part: string) {
      return { id, part };
    }

    @PostMapping(path, RequestBody(NewUser))
    create(body: unknown) {
      return body;
    }

    @PutMapping(`${path}/{id}`, PathVariable("id", "int"), RequestBody(NewUser))
    update(id: number, body: unknown) {
      return { id, body };
    }
  }
  return Controller;
}

const count = Number(Deno.args[0]) / ROUTES_EACH;
const components = Array.from({ length: count }, (_, index) => controller(index));
const start = performance.now();
const app = await bootstrap({ components });
const started = performance.now();
await expectOk(`/things${count - 1}/7`);
const answered = performance.now();
if (app.routeTable.length !== count * ROUTES_EACH) throw new Error("It has other routes");

const rounds: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const begun = performance.now();
  for (let index = 0; index < REQUESTS; index++) {
    // All over the routes: a step that has no factor in common with their number.
    const thing = (index * 7919) % count;
    await app.fetch(
      new Request(`http://localhost/things${thing}${["", "/7", "/7/parts/a"][index % 3]}`),
    );
  }
  rounds.push((performance.now() - begun) / REQUESTS * 1000);
}
await expectOk("/things0/7/parts/a");
const latency = median(rounds);
console.log(JSON.stringify({ start: started - start, first: answered - started, latency }));

async function expectOk(path: string): Promise<void> {
  const { status } = await app.request(path);
  if (status !== 200) throw new Error(`${path}: ${status}`);
}
