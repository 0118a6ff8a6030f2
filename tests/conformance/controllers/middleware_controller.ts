import { cors } from "hono/cors";
import type { Context, MiddlewareHandler, Next } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { etag } from "hono/etag";
import { requestId } from "hono/request-id";
import {
  binder,
  type Config,
  GetMapping,
  type HttpRequest,
  inject,
  type Middleware,
  PostMapping,
  PutMapping,
  RequestMapping,
  RestController,
  Use,
  Value,
} from "../../../mod.ts";

const mark = (name: string): MiddlewareHandler => async (context, next) => {
  await next();
  context.header("X-Marks", name, { append: true });
};

/** Middleware that is a bean. */
class Limits implements Middleware {
  readonly #config = inject<Config>("config");
  @Value("${server.max-form-fields:0}", "int")
  readonly #fields!: number;

  async handle(context: Context, next: Next) {
    await next();
    const bytes = this.#config.number("server.max-body-size");
    context.header("X-Marks", `${bytes} ${this.#fields + 1}`, { append: true });
  }
}

const Port = binder((_, beans) => (beans.getByName("config") as Config).number("server.port", 1));

@RestController()
@RequestMapping("/middleware")
@Use(mark("class"))
export class MiddlewareController {
  @GetMapping("/open")
  open() {
    return "open";
  }

  @PostMapping("/open")
  @Use(mark("method"))
  marked() {
    return "marked";
  }

  @PutMapping({ path: "/open", consumes: "application/json" })
  @Use(mark("put"))
  put() {
    return "put";
  }

  @GetMapping("/answered")
  @Use(() => Promise.resolve(new Response("answered", { headers: { "X-Own": "1" } })))
  answered() {
    return "never";
  }

  @GetMapping("/fails")
  fails() {
    throw new Error("secret");
  }

  @GetMapping("/bean", Port)
  @Use(mark("above"))
  @Use(Limits, mark("below"))
  bean(port: number) {
    return `port ${port}`;
  }

  @GetMapping("/prepared")
  prepared(request: HttpRequest) {
    request.context.header("X-Prepared", "1");
    return "prepared";
  }
}

/** By `cors()` of Hono, which an application with `browser()` refuses. */
@RestController()
@RequestMapping("/cors")
export class CorsController {
  @GetMapping("/data")
  @Use(cors({ origin: "https://get.example" }))
  get() {
    return "data";
  }

  @PostMapping("/data")
  @Use(cors({ origin: "https://post.example" }))
  post() {
    return "posted";
  }

  @GetMapping("/private")
  @Use(cors({ origin: "https://get.example" }), bearerAuth({ token: "good" }))
  private() {
    return "private";
  }
}

@RestController()
@RequestMapping("/cors")
export class TaggedController {
  @GetMapping("/tagged")
  @Use(etag(), requestId({ generator: () => "made" }))
  tagged() {
    return "tagged";
  }
}
