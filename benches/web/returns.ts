import { bootstrap, GetMapping, PathVariable, RestController } from "../../mod.ts";
import { z } from "zod";
import type { Figure } from "./report.ts";
import { compared } from "./throughput.ts";

const User = z.object({ id: z.int(), name: z.string(), email: z.string() });

@RestController()
class Without {
  @GetMapping("/users/{id}", PathVariable("id", "int"))
  get(id: number) {
    return { id, name: "Ada", email: "ada@example.com" };
  }
}

@RestController()
class With {
  @GetMapping({ path: "/users/{id}", returns: User }, PathVariable("id", "int"))
  get(id: number) {
    return { id, name: "Ada", email: "ada@example.com" };
  }
}

/** Measures the cost of `returns` for a GET: the same route with and without it, by rounds that take turns. */
export async function returnsCost(): Promise<Figure> {
  const sides = await Promise.all(
    [Without, With].map(async (type) => (await bootstrap({ components: [type] })).fetch),
  );
  const [without, withReturns] = sides;
  if (!without || !withReturns) throw new Error("Expected two applications");
  const { value, note } = await compared(
    [without, withReturns],
    () => new Request("http://localhost/users/42"),
  );
  const name = "GET /users/{id} with returns";
  return { name, value, unit: "× the time without", bound: { atMost: 1.05 }, note };
}
