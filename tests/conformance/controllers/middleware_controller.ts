import { cors } from "hono/cors";
import type { MiddlewareHandler } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { etag } from "hono/etag";
import { requestId } from "hono/request-id";
import {
  GetMapping,
  type HttpRequest,
  PostMapping,
  PutMapping,
  RequestMapping,
  RestController,
  Use,
} from "../../../mod.ts";

const mark = (name: string): MiddlewareHandler => async (context, next) => {
  await next();
  context.header("X-Marks", name, { append: true });
};

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

  @GetMapping("/fails")
  fails() {
    throw new Error("secret");
  }

  @GetMapping("/prepared")
  prepared(request: HttpRequest) {
    request.context.header("X-Prepared", "1");
    return "prepared";
  }
}

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

  @GetMapping("/tagged")
  @Use(etag(), requestId({ generator: () => "made" }))
  tagged() {
    return "tagged";
  }
}
