import {
  GetMapping,
  type HttpRequest,
  PathVariable,
  PostMapping,
  RequestBody,
  RestController,
} from "@irori/irori";
import { browser } from "@irori/irori/browser";
import { bootstrap } from "@irori/irori/edge";
import { type Context, Hono, type Next } from "hono";

@RestController()
class UserController {
  @GetMapping("/users/{id}", PathVariable("id", "int"))
  get(id: number, { context }: HttpRequest) {
    return { id, user: context.get("user") };
  }

  @PostMapping("/users", RequestBody())
  create(body: unknown) {
    return body as object;
  }
}

type Variables = { Variables: { user: string } };

/** Middleware of a Hono app, which stores a variable and reads the body of a request. */
async function before(context: Context<Variables>, next: Next): Promise<void> {
  context.set("user", "ada");
  if (context.req.method === "POST") await context.req.text();
  await next();
}

const Origin = "https://a.example";
const ASKED: readonly [method: string, path: string, headers?: HeadersInit][] = [
  ["DELETE", "/users/7"],
  ["GET", "/users/7", { Origin }],
  ["POST", "/users", { "Content-Type": "application/json" }],
  ["PATCH", "/users/7"],
  ["OPTIONS", "/users/7"],
  ["OPTIONS", "/users/7", { Origin, "Access-Control-Request-Method": "GET" }],
  ["GET", "/none"],
];

/** Statuses, CORS headers and bodies of a Hono app that has Irori behind it, by `mount` and by `route`. */
export async function answersBesideHono(): Promise<Readonly<Record<string, readonly string[]>>> {
  const irori = await bootstrap({
    components: [UserController],
    extensions: [browser({ cors: { origin: Origin } })],
  });
  const app = () =>
    new Hono<Variables>()
      .use(before)
      .notFound((context) => context.text("of Hono", 404))
      .onError((_, context) => context.text("of Hono", 500))
      .delete("/users/:id", (context) => context.text("of Hono"));
  return {
    mount: await answersOf(app().mount("/", irori.fetch)),
    route: await answersOf(app().route("/", irori)),
  };
}

async function answersOf(app: Pick<Hono, "request">): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const [method, path, headers] of ASKED) {
    const body = method === "POST" ? '{"name":"Ada"}' : null;
    const response = await app.request(path, { method, body, headers });
    const text = await response.text();
    const isProblem = response.headers.get("Content-Type") === "application/problem+json";
    const isCors = response.headers.has("Access-Control-Allow-Origin");
    const words = [method, path, response.status, isProblem ? "problem" : text, isCors && "CORS"];
    answers.push(words.filter(Boolean).join(" "));
  }
  return answers;
}

/** The answers on workerd, as JSON. */
export default { fetch: async (): Promise<Response> => Response.json(await answersBesideHono()) };

export const ANSWERS_BESIDE_HONO = {
  mount: [
    "DELETE /users/7 200 of Hono",
    'GET /users/7 200 {"id":7} CORS',
    "POST /users 500 of Hono",
    "PATCH /users/7 405 problem",
    "OPTIONS /users/7 204",
    "OPTIONS /users/7 204 CORS",
    "GET /none 404 problem",
  ],
  route: [
    "DELETE /users/7 200 of Hono",
    'GET /users/7 200 {"id":7,"user":"ada"}',
    'POST /users 200 {"name":"Ada"}',
    "PATCH /users/7 404 of Hono",
    "OPTIONS /users/7 404 of Hono",
    "OPTIONS /users/7 404 of Hono",
    "GET /none 404 of Hono",
  ],
};
