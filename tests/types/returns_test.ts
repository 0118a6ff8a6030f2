import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import {
  GetMapping,
  HttpStatus,
  Model,
  PathVariable,
  PostMapping,
  Problem,
  problem,
  type ProblemDetail,
  RequestMapping,
  ResponseEntity,
  RestController,
} from "../../mod.ts";
import { assertCompiles } from "../compiler.ts";

// These classes are never run: the test is that they compile, and that the marked lines do not.

const view = z.object({
  id: z.int(),
  name: z.string(),
  tags: z.array(z.object({ label: z.string() })).optional(),
});
class UserView extends Model(view) {}
const node = z.object({
  id: z.int(),
  get children() {
    return z.array(node);
  },
});
type Tree = Tree[];
const tree: z.ZodType<Tree, Tree> = z.lazy(() => z.array(tree));
const shape = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("circle"), radius: z.number() }),
  z.object({ kind: z.literal("square"), side: z.number() }),
]);
class Entity {
  id = 1;
  name = "Ada";
  greet() {
    return `Hello ${this.name}`;
  }
}
class Gone extends Problem({ status: HttpStatus.GONE, type: "/gone" }) {}
class Taken extends Problem({
  status: HttpStatus.CONFLICT,
  type: "/taken",
  schema: z.object({ by: z.string() }),
}) {}
const user = { id: 1, name: "Ada" };

@RestController()
export class Accepted {
  // A value of type `any` is only checked when it is sent.
  @GetMapping({ path: "/any", returns: view })
  whatever() {
    return JSON.parse("{}");
  }
  @GetMapping({ path: "/any/rows", returns: z.array(view) })
  rows(): Promise<ReturnType<typeof JSON.parse>[]> {
    return Promise.resolve([JSON.parse("{}")]);
  }
  @GetMapping({ path: "/any/field", returns: z.object({ id: z.int(), name: z.string() }) })
  field() {
    return { id: 1, name: JSON.parse('"a"') };
  }
  // @ts-expect-error a property that the schema does not have, whatever it is
  @GetMapping({ path: "/any/excess", returns: view })
  excessOfAny() {
    return { ...user, password: JSON.parse('"a"') };
  }
  @GetMapping({ path: "/a", returns: UserView, problems: [Gone, Taken, HttpStatus.NOT_FOUND] })
  model() {
    return user;
  }
  @GetMapping({ path: "/b/{id}", returns: view }, PathVariable("id", "int"))
  async promise(id: number) {
    if (await Promise.resolve(id > 1)) throw new Taken({ by: "Ada" }, "detail");
    return { ...user, tags: [{ label: "x" }] };
  }
  @GetMapping({ path: "/c", returns: z.array(UserView) })
  list() {
    return [user];
  }
  @GetMapping({ path: "/d", returns: view })
  entity(): ResponseEntity<typeof user> {
    return ResponseEntity.ok().withJson(user);
  }
  @GetMapping({ path: "/e", returns: view })
  other() {
    return Math.random() < 0.5
      ? ResponseEntity.notFound()
      : Math.random() < 0.5
      ? ResponseEntity.status(HttpStatus.CONFLICT).withJson(problem(HttpStatus.CONFLICT))
      : Promise.resolve(user);
  }
  @GetMapping({ path: "/f", returns: view })
  response() {
    return new Response("");
  }
  @GetMapping({ path: "/g", returns: view })
  methods() {
    return new Entity();
  }
  @GetMapping({ path: "/h", returns: z.object({ at: z.date(), n: z.string().transform(Number) }) })
  input() {
    return { at: new Date(), n: "1" };
  }
  @GetMapping({ path: "/i", returns: view.extend({ role: z.string().default("none") }) })
  defaulted() {
    return user;
  }
  @GetMapping({ path: "/j", returns: view.nullable() })
  nullable() {
    return Math.random() < 0.5 ? null : user;
  }
  @GetMapping({ path: "/k", returns: z.void(), status: HttpStatus.NO_CONTENT })
  nothing() {}
  @GetMapping({ path: "/l", returns: v.object({ id: v.number() }) })
  valibot() {
    return { id: 1 };
  }
  @GetMapping({ path: "/m", returns: type({ id: "number", "+": "delete" }) })
  arktype() {
    return { id: 1 };
  }
  @GetMapping({ path: "/n", returns: z.record(z.string(), z.int()) })
  dictionary() {
    return { a: 1, b: 2 };
  }
  @GetMapping({ path: "/o", returns: node })
  recursive() {
    return { id: 1, children: [{ id: 2, children: [] }] };
  }
  @GetMapping({ path: "/p", returns: shape })
  union() {
    return Math.random() < 0.5
      ? { kind: "circle" as const, radius: 1 }
      : { kind: "square" as const, side: 1 };
  }
  @RequestMapping({ path: "/q", method: "PUT", returns: view })
  request() {
    return user;
  }
  @PostMapping({ path: "/r", returns: z.object({ data: z.unknown() }) })
  unknown() {
    return { data: { anything: 1 } };
  }
  @GetMapping({ path: "/s", returns: z.array(UserView) })
  readonlyList(): readonly (typeof user)[] {
    return [user];
  }
  @GetMapping({ path: "/t", returns: z.array(UserView) })
  async readonlyListLater(): Promise<ReadonlyArray<UserView>> {
    return await Promise.resolve([user]);
  }
  @GetMapping({ path: "/u", returns: z.array(view) })
  readonlyListInEntity() {
    return ResponseEntity.ok().withJson([user] as readonly (typeof user)[]);
  }
  @GetMapping({ path: "/v", returns: view.extend({ at: z.date(), data: z.unknown() }) })
  readonlyListNested() {
    return { ...user, tags: [{ label: "x" }] as const, at: new Date(), data: undefined };
  }
  @GetMapping({ path: "/w", returns: z.tuple([z.int(), z.string()]) })
  readonlyTuple(): readonly [number, string] {
    return [1, "a"];
  }
  @GetMapping({ path: "/x", returns: view })
  never(): never {
    throw new Gone();
  }
  @GetMapping({ path: "/y", returns: z.array(UserView) })
  async neverLater(): Promise<never> {
    throw await Promise.resolve(new Gone());
  }
  @GetMapping({ path: "/z", returns: view, problems: [HttpStatus.NOT_FOUND] })
  problemBeside() {
    return Math.random() < 0.5 ? user : problem(HttpStatus.NOT_FOUND);
  }
  @GetMapping({ path: "/aa", returns: z.array(view), problems: [HttpStatus.NOT_FOUND] })
  async problemLater() {
    return await Promise.resolve(Math.random() < 0.5) ? [user] : problem(HttpStatus.NOT_FOUND);
  }
  @GetMapping({ path: "/ab", returns: view, problems: [HttpStatus.NOT_FOUND] })
  problemAlone(): ProblemDetail {
    return problem(HttpStatus.NOT_FOUND);
  }
  @GetMapping({ path: "/ac", returns: view, problems: [HttpStatus.CONFLICT] })
  problemInEntity(): ResponseEntity<typeof user | ProblemDetail> {
    return ResponseEntity.ok().withJson(user);
  }
  @GetMapping({ path: "/af", returns: z.json() })
  json() {
    return { a: [1, { b: null }] };
  }
  @GetMapping({ path: "/ag", returns: z.object({ data: z.json() }) })
  readonlyJson(): { readonly data: readonly string[] } {
    return { data: ["a"] };
  }
  @GetMapping({ path: "/ah", returns: tree })
  tree(): Tree {
    return [[]];
  }
  @GetMapping({ path: "/ai", returns: view })
  noContent() {
    return ResponseEntity.noContent();
  }
  @GetMapping({ path: "/aj", returns: view.optional() })
  okOfNothing() {
    return Math.random() < 0.5 ? ResponseEntity.ok() : ResponseEntity.badRequest();
  }
  @GetMapping({ path: "/ad", returns: z.unknown() })
  anything() {
    return { anything: 1 };
  }
  @GetMapping({ path: "/ae", returns: z.undefined() })
  undefined() {
    return undefined;
  }
}

export function neverCalled(): unknown {
  new Gone("detail");
  // @ts-expect-error the schema asks for the data
  new Taken();
  // @ts-expect-error the data does not fit the schema
  new Taken({ by: 1 });

  class Refused {
    // @ts-expect-error a property of another type
    @GetMapping({ path: "/a", returns: UserView })
    wrongType() {
      return { id: "1", name: "Ada" };
    }
    // @ts-expect-error a property is missing
    @GetMapping({ path: "/b", returns: view })
    missing() {
      return { id: 1 };
    }
    // @ts-expect-error a property that the schema does not have
    @GetMapping({ path: "/c", returns: view })
    excess() {
      return { ...user, password: "secret" };
    }
    // @ts-expect-error the same, later
    @GetMapping({ path: "/d", returns: view })
    excessLater() {
      return Promise.resolve({ ...user, password: "secret" });
    }
    // @ts-expect-error the same, in an entity
    @GetMapping({ path: "/e", returns: UserView })
    excessInEntity() {
      return ResponseEntity.ok().withJson({ ...user, password: "secret" });
    }
    // @ts-expect-error the same, in a list
    @GetMapping({ path: "/f", returns: z.array(UserView) })
    excessInList() {
      return [{ ...user, password: "secret" }];
    }
    // @ts-expect-error the same, nested
    @GetMapping({ path: "/g", returns: view })
    excessNested() {
      return { ...user, tags: [{ label: "x", secret: 1 }] };
    }
    // @ts-expect-error the same, where it may be missing
    @GetMapping({ path: "/h", returns: view })
    excessOptional(): typeof user & { password?: string } {
      return user;
    }
    // @ts-expect-error the same, in one of several answers
    @GetMapping({ path: "/i", returns: view })
    async excessInUnion() {
      if (await Promise.resolve(true)) return ResponseEntity.notFound();
      return { ...user, password: "secret" };
    }
    // @ts-expect-error one for a list
    @GetMapping({ path: "/j", returns: z.array(view) })
    notAList() {
      return user;
    }
    // @ts-expect-error a 200 without a body
    @GetMapping({ path: "/ka", returns: view })
    emptyEntity() {
      return ResponseEntity.ok();
    }
    // @ts-expect-error a 201 without a body, in one of several answers
    @PostMapping({ path: "/kb", returns: view })
    emptyCreated() {
      return Math.random() < 0.5 ? ResponseEntity.notFound() : ResponseEntity.created("/users/1");
    }
    // @ts-expect-error a status that the compiler does not know
    @GetMapping({ path: "/kc", returns: view })
    emptyStatus() {
      return ResponseEntity.status(HttpStatus.CONFLICT);
    }
    // @ts-expect-error nothing for something
    @GetMapping({ path: "/k", returns: view })
    nothing() {}
    // @ts-expect-error it may be missing
    @GetMapping({ path: "/l", returns: view })
    maybe(): typeof user | undefined {
      return user;
    }
    // @ts-expect-error nothing is known of the body
    @GetMapping({ path: "/m", returns: view })
    bare(): ResponseEntity {
      return ResponseEntity.ok();
    }
    // @ts-expect-error the schema takes a text, and gives a number
    @GetMapping({ path: "/n", returns: z.object({ n: z.string().transform(Number) }) })
    output() {
      return { n: 1 };
    }
    // @ts-expect-error what is sent piece by piece has no schema
    @GetMapping({ path: "/o", returns: view })
    async *events() {
      yield await Promise.resolve(user);
    }
    // @ts-expect-error binders count beside it
    @GetMapping({ path: "/p/{id}", returns: view }, PathVariable("id", "int"))
    binders(id: string) {
      return { ...user, name: id };
    }
    // @ts-expect-error an error that is not made by Problem()
    @GetMapping({ path: "/q", problems: [Error] })
    problems() {}
    // @ts-expect-error no schema
    @GetMapping({ path: "/r", returns: Entity })
    noSchema() {}
    // @ts-expect-error a property that the schema does not have
    @RequestMapping({ path: "/s", method: "PUT", returns: v.object({ id: v.number() }) })
    valibot() {
      return user;
    }
    // @ts-expect-error a property that the schema does not have
    @GetMapping({ path: "/t", returns: type({ id: "number", "+": "delete" }) })
    arktype() {
      return user;
    }
    // @ts-expect-error a property that the schema does not have, in a read-only list
    @GetMapping({ path: "/u", returns: z.array(UserView) })
    excessInReadonlyList(): readonly (typeof user & { password: string })[] {
      return [];
    }
    // @ts-expect-error a property of another type, in a read-only list
    @GetMapping({ path: "/v", returns: z.array(view) })
    wrongTypeInReadonlyList(): Promise<readonly { id: string; name: string }[]> {
      return Promise.resolve([]);
    }
    // @ts-expect-error a list for one
    @GetMapping({ path: "/w", returns: view })
    readonlyList(): readonly (typeof user)[] {
      return [];
    }
    // @ts-expect-error a read-only list has no property beside its items either
    @GetMapping({ path: "/x", returns: view })
    excessInReadonlyListNested() {
      return { ...user, tags: [{ label: "x", secret: 1 }] as const };
    }
    // @ts-expect-error an error is thrown, not returned
    @GetMapping({ path: "/y", returns: view, problems: [Taken] })
    returnedError() {
      return Math.random() < 0.5 ? user : new Taken({ by: "Ada" });
    }
    // @ts-expect-error what looks like a problem is a value
    @GetMapping({ path: "/z", returns: view })
    likeProblem() {
      return { type: "about:blank", title: "Conflict", status: 409 };
    }
    // @ts-expect-error a problem is no item
    @GetMapping({ path: "/aa", returns: z.array(view) })
    problemInList() {
      return [problem(HttpStatus.CONFLICT)];
    }
    // @ts-expect-error a property that the schema does not have, beside a problem
    @GetMapping({ path: "/ab", returns: view })
    excessBesideProblem() {
      return Math.random() < 0.5 ? problem(HttpStatus.CONFLICT) : { ...user, password: "secret" };
    }
    // @ts-expect-error a text is no list
    @GetMapping({ path: "/ad", returns: z.array(z.string()) })
    text() {
      return "text";
    }
    // @ts-expect-error it throws only sometimes
    @GetMapping({ path: "/ac", returns: view })
    throwsOrNothing() {
      if (Math.random() < 0.5) throw new Gone();
    }
  }
  return Refused;
}

Deno.test("returns + compiles with methods that fit and not with others", () =>
  assertCompiles(import.meta.url));
