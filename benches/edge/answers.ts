import { assertEquals } from "@std/assert";

interface Worker {
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

/** Requests of `ours_api.ts` and `plain_api.ts`: method, path, body and the statuses that may be sent. */
const REQUESTS: readonly [string, string, unknown, ...readonly number[]][] = [
  ["GET", "/users/42", undefined, 200],
  ["POST", "/users", { name: "Ada", email: "ada@example.com" }, 201],
  // The libraries refuse a value with statuses of their own.
  ["GET", "/users/x", undefined, 400],
  ["POST", "/users", { name: "", email: "ada@example.com" }, 400, 422],
  ["POST", "/users", { name: "Ada" }, 400, 422],
  ["GET", "/none", undefined, 404],
];

/** Asks the bundles of two workers the same. @throws {AssertionError} where their answers differ */
export async function assertSameAnswers(ours: string, theirs: string): Promise<void> {
  const workers = [await workerOf(ours), await workerOf(theirs)];
  for (const [method, path, body, ...statuses] of REQUESTS) {
    const answers = await Promise.all(workers.map(async (worker) => {
      const { status, text } = await answerOf(worker, method, path, body);
      assertEquals(statuses.includes(status), true, `${method} ${path}: ${status} ${text}`);
      // A refusal is described by each library in its own words.
      return status < 300 ? { status, body: JSON.parse(text) } : { isRefused: true };
    }));
    assertEquals(answers[0], answers[1], `${method} ${path}`);
  }
  for (const worker of workers) {
    const { paths } = JSON.parse((await answerOf(worker, "GET", "/openapi.json")).text);
    const { schema } = paths["/users"].post.requestBody.content["application/json"];
    assertEquals([Object.keys(paths).sort(), schema.required], [
      ["/users", "/users/{id}"],
      ["name", "email"],
    ]);
    assertEquals(paths["/users/{id}"].get.parameters[0].name, "id");
  }
}

async function workerOf(path: string): Promise<Worker> {
  return (await import(`file://${path}`)).default;
}

async function answerOf({ fetch }: Worker, method: string, path: string, body?: unknown) {
  const init = body === undefined ? {} : {
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(new Request(`http://localhost${path}`, { method, ...init }));
  return { status: response.status, text: await response.text() };
}
