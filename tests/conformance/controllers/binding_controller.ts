import { z } from "zod";
import {
  binder,
  CookieValue,
  GetMapping,
  HttpError,
  type HttpRequest,
  PathVariable,
  RequestHeader,
  RequestMapping,
  RequestParam,
  RestController,
} from "../../../mod.ts";

const Caller = binder((request) => {
  const name = request.header("X-Caller");
  if (!name) {
    throw new HttpError(401, "Who are you?", { headers: { "WWW-Authenticate": "Bearer" } });
  }
  return Promise.resolve(name);
});

@RestController()
@RequestMapping("/binding")
export class BindingController {
  @GetMapping("/path/int/{v}", PathVariable("v", "int"))
  pathInt(v: number) {
    return { v };
  }

  @GetMapping("/path/uuid/{v}", PathVariable("v", "uuid"))
  pathUuid(v: string) {
    return { v };
  }

  @GetMapping("/path/literal/{v}", PathVariable("v", ["asc", "desc"]))
  pathLiteral(v: string) {
    return { v };
  }

  @GetMapping("/query/string", RequestParam("v"))
  string(v: string) {
    return { v };
  }

  @GetMapping("/query/int", RequestParam("v", "int"))
  int(v: number) {
    return { v };
  }

  @GetMapping("/query/bigint", RequestParam("v", "bigint"))
  bigint(v: bigint) {
    return { v: String(v) };
  }

  @GetMapping("/query/number", RequestParam("v", "number"))
  number(v: number) {
    return { v };
  }

  @GetMapping("/query/boolean", RequestParam("v", "boolean"))
  boolean(v: boolean) {
    return { v };
  }

  @GetMapping("/query/date-time", RequestParam("v", "date-time"))
  dateTime(v: Date) {
    return { v };
  }

  @GetMapping("/query/schema", RequestParam("v", z.email()))
  schema(v: string) {
    return { v };
  }

  @GetMapping("/query/optional", RequestParam("v", "int", { required: false }))
  optional(v: number | undefined) {
    return { v: v ?? null };
  }

  @GetMapping("/query/default", RequestParam("v", "int", { defaultValue: 7 }))
  default(v: number) {
    return { v };
  }

  @GetMapping("/query/list", RequestParam("v", "int", { list: true }))
  list(v: number[]) {
    return { v };
  }

  @GetMapping("/query/list-default", RequestParam("v", "int", { list: true, defaultValue: [1] }))
  listDefault(v: number[]) {
    v.push(2);
    return { v };
  }

  @GetMapping("/query/date", RequestParam("v", "date"))
  date(v: string) {
    return { v };
  }

  @GetMapping(
    "/query/whole",
    RequestParam(z.object({ q: z.string(), page: z.coerce.number().min(1).default(1) }).loose()),
  )
  whole(query: { q: string; page: number }) {
    return query;
  }

  @GetMapping("/query/two", RequestParam("a", "int"), RequestParam("b", "boolean"))
  two(a: number, b: boolean) {
    return { a, b };
  }

  @GetMapping("/header", RequestHeader("X-Count", "int"))
  header(count: number) {
    return { count };
  }

  @GetMapping("/headers", RequestHeader("X-Tags", { list: true, required: false }))
  headers(tags: string[] | undefined) {
    return { tags: tags ?? null };
  }

  @GetMapping("/cookie", CookieValue("count", "int"))
  cookie(count: number) {
    return { count };
  }

  @GetMapping("/cookie/optional", CookieValue("theme", { defaultValue: "light" }))
  theme(theme: string) {
    return { theme };
  }

  @GetMapping("/custom", Caller)
  custom(name: string) {
    return { name };
  }

  @GetMapping("/request/{v}")
  request(request: HttpRequest) {
    return {
      method: request.method,
      path: request.path,
      v: request.pathVariable("v"),
      q: request.queryAll("q"),
      cookie: request.cookie("c") ?? null,
    };
  }
}
