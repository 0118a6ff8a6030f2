import { z } from "zod";
import {
  GetMapping,
  HttpStatus,
  Model,
  PathVariable,
  Problem,
  problem,
  RequestMapping,
  ResponseEntity,
  RestController,
} from "../../../mod.ts";

class UserView extends Model(z.object({ id: z.int(), at: z.date() })) {}

class OutOfStock extends Problem({
  status: HttpStatus.CONFLICT,
  type: "/problems/out-of-stock",
  schema: z.object({ sku: z.string() }),
}) {}

/** More than its type says. */
function row(): { id: number; at: Date } {
  const stored = { id: 1, at: new Date(0), password: "secret" };
  return stored;
}

@RestController()
@RequestMapping("/returns")
export class ReturnsController {
  @GetMapping({ path: "/one", returns: UserView })
  one() {
    return row();
  }

  @GetMapping({ path: "/list", returns: z.array(UserView) })
  list() {
    return Promise.resolve([row()]);
  }

  @GetMapping({
    path: "/async",
    returns: z.object({ id: z.int().refine(() => Promise.resolve(true)) }),
  })
  async(): { id: number } {
    return row();
  }

  @GetMapping({ path: "/entity", returns: UserView })
  entity() {
    return ResponseEntity.accepted().withHeader("X-A", "1").withJson(row());
  }

  @GetMapping({ path: "/broken", returns: UserView })
  broken() {
    return { id: "secret" as unknown as number, at: new Date(0) };
  }

  @GetMapping({
    path: "/returned-problem/{when}",
    returns: UserView,
    problems: [HttpStatus.NOT_FOUND],
  }, PathVariable("when"))
  returnedProblem(when: string) {
    const made = problem(HttpStatus.NOT_FOUND, { detail: "None of these" });
    return when === "now" ? made : Promise.resolve(made);
  }

  @GetMapping({ path: "/readonly", returns: z.array(UserView) })
  readonly(): readonly { id: number; at: Date }[] {
    return Object.freeze([row()]);
  }

  @GetMapping({ path: "/throws", returns: UserView, problems: [OutOfStock] })
  throws(): never {
    throw new OutOfStock({ sku: "A-1" }, "None is left");
  }

  @GetMapping({ path: "/problem", problems: [OutOfStock] })
  problem() {
    throw new OutOfStock({ sku: "A-1" }, "None is left");
  }
}
