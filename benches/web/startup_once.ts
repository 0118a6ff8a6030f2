/**
 * Starts an application of 100 controllers with 5 routes each, and prints how long `bootstrap()` and then the
 * first request took, in milliseconds. A process of its own, so that nothing is warm.
 *
 * @module
 */
import {
  bootstrap,
  DeleteMapping,
  GetMapping,
  PathVariable,
  PostMapping,
  PutMapping,
  RequestBody,
  RequestParam,
  RestController,
} from "../../mod.ts";
import { NewUser } from "../http/servers/schemas.ts";

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

    @PostMapping(path, RequestBody(NewUser))
    create(body: unknown) {
      return body;
    }

    @PutMapping(`${path}/{id}`, PathVariable("id", "int"), RequestBody(NewUser))
    update(id: number, body: unknown) {
      return { id, body };
    }

    @DeleteMapping(`${path}/{id}`, PathVariable("id", "int"))
    remove(_id: number) {}
  }
  return Controller;
}

const components = Array.from({ length: 100 }, (_, index) => controller(index));
const start = performance.now();
const app = await bootstrap({ components });
const started = performance.now();
const response = await app.request("/things99/7");
const answered = performance.now();
if (app.routeTable.length !== 500 || response.status !== 200) throw new Error("It does not work");
console.log(JSON.stringify([started - start, answered - started]));
