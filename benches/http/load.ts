import { run } from "../../tests/runtimes/executables.ts";

/** One request, which is sent to a server again and again. */
export interface Load {
  /** As the table is headed, and as goals name it. */
  readonly name: string;
  readonly path: string;
  /** Sent as JSON; absent for GET. */
  readonly body?: unknown;
  /** Every server must send this, else its measurement means nothing. */
  readonly answer: { readonly status: number; readonly value: unknown };
}

/** All of them. */
export const LOADS: readonly Load[] = [
  {
    name: "GET /users/{id}",
    path: "/users/1",
    answer: { status: 200, value: { id: 1, name: "Ada" } },
  },
  {
    name: "GET /users/search",
    path: "/users/search?email=ada%40example.com",
    answer: { status: 200, value: { id: 1, email: "ada@example.com" } },
  },
  {
    name: "GET with returns",
    path: "/profiles/1",
    answer: { status: 200, value: { id: 1, name: "Ada", email: "ada@example.com" } },
  },
  {
    name: "POST /users",
    path: "/users",
    body: { name: "Ada", email: "ada@example.com" },
    answer: { status: 201, value: { name: "Ada", email: "ada@example.com" } },
  },
  order("POST 1 kB", 24),
  order("POST 100 kB", 2_500),
];

/** An order, each of whose items takes 40 bytes. The answer is short: what is measured is how the body is taken. */
function order(name: string, count: number): Load {
  const items = Array.from({ length: count }, (_, index) => {
    return { product: `product ${10_000 + index}`, quantity: 1 + index % 9 };
  });
  return {
    name,
    path: "/orders",
    body: { customer: "Ada", items },
    answer: { status: 201, value: { customer: "Ada", items: count } },
  };
}

const CONNECTIONS = 32;

export interface Count {
  readonly requests: number;
  readonly perSecond: number;
}

/** Asks a server as often as it answers, by wrk over kept connections. @throws {Error} when it answers otherwise */
export async function press(
  url: string,
  { path, body }: Pick<Load, "path" | "body">,
  seconds: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Count> {
  const cwd = await Deno.makeTempDir({ prefix: "irori-load-" });
  try {
    await Deno.writeTextFile(`${cwd}/load.lua`, script(body, headers));
    // Slow servers need longer than the 2 s of wrk.
    const options = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "--timeout=20s", "-s", "load.lua"];
    const output = await run(["wrk", ...options, `${url}${path}`], { cwd });
    const [, requests] = /^\s*(\d+) requests in/m.exec(output) ?? [];
    const [, rate] = /^Requests\/sec:\s+([\d.]+)/m.exec(output) ?? [];
    if (requests === undefined || rate === undefined || /Non-2xx|Socket errors/.test(output)) {
      throw new Error(`Cannot measure ${url}${path}: ${output}`);
    }
    return { requests: Number(requests), perSecond: Number(rate) };
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}

/** Installs wrk where there is none: Debian's, so as root. */
export async function ensureWrk(): Promise<void> {
  const found = await new Deno.Command("sh", { args: ["-c", "command -v wrk"] }).output();
  if (found.success) return;
  console.error("Installing wrk");
  const cwd = Deno.cwd();
  await run(["apt-get", "update", "-q"], { cwd });
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run(["apt-get", "install", "-yq", "--no-install-recommends", "wrk"], { cwd, env });
}

function script(body: unknown, headers: Readonly<Record<string, string>>): string {
  const sent = { ...headers, ...(body !== undefined && { "Content-Type": "application/json" }) };
  const fields = Object.entries(sent).map(([name, value]) =>
    `wrk.headers["${name}"] = "${value}"\n`
  );
  if (body === undefined) return fields.join("");
  return `wrk.method = "POST"\nwrk.body = [==[${JSON.stringify(body)}]==]\n${fields.join("")}`;
}
