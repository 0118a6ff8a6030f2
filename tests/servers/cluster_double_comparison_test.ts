import { assertEquals } from "@std/assert";
import { startClusterDouble } from "./cluster_double.ts";
import { ask, clusterTest, PLAIN_CLUSTERS } from "./real.ts";
import { comparable } from "./replay.ts";

interface Request {
  readonly line: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** Whether only the shape of the answers is compared. */
  readonly shape: boolean;
}

for (const cluster of PLAIN_CLUSTERS) {
  clusterTest(cluster, "the cluster double answers as a real server does", async () => {
    const name = `t${crypto.randomUUID().slice(0, 8)}`;
    const { json } = await ask(cluster, "GET", "/");
    const { number } = (json as { version: { number: string } }).version;
    const version = number.startsWith("2.") ? "2.19.4" : "3.4.0";
    await using double = startClusterDouble({ version, ism: false });
    try {
      const different: string[] = [];
      const [real, pretended] = [asking(cluster.url), asking(double.url)];
      for (const request of await readRequests(name)) {
        const [expected, actual] = await Promise.all([real(request), pretended(request)]);
        if (expected === actual) continue;
        different.push(`${request.line}\nreal:   ${expected}\ndouble: ${actual}`);
      }
      assertEquals(different.join("\n\n"), "");
    } finally {
      for (const kind of ["_index_template/", "_component_template/", ""]) {
        await ask(cluster, "DELETE", `/${kind}${name}*`);
      }
    }
  });
}

async function readRequests(name: string): Promise<readonly Request[]> {
  const text = await Deno.readTextFile(new URL("comparison_requests.txt", import.meta.url));
  return text.split("\n").flatMap((line) => {
    const renamed = line.replaceAll("cmp", name).replaceAll("CMP", name.toUpperCase())
      .replaceAll("Cmp", `T${name.slice(1)}`);
    const [, mark, method, path, body] = /^(~?)([A-Z]+) (\S+)(?: (.*))?$/.exec(renamed) ?? [];
    if (!method || !path) return [];
    const sent = body === undefined ? {} : { body: body.replaceAll("\\n", "\n") };
    return [{ line, method, path, ...sent, shape: mark === "~" }];
  });
}

/** @returns what a server answers, in a form that can be compared */
function asking(url: string): (request: Request) => Promise<string> {
  let task = "";
  return async ({ method, path, body, shape }) => {
    const response = await fetch(url + path.replace("{task}", task), {
      method,
      headers: { "Content-Type": "application/json" },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    task = /^\{"task":"([^"]+)"\}$/.exec(text)?.[1] ?? task;
    const answer = ordered(comparable(text));
    return `${response.status} ${JSON.stringify(shape ? shapeOf(answer) : answer)}`;
  };
}

/** Members in order of their names. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
      .map(([name, below]) => [name, ordered(below)]),
  );
}

/** The members of an answer with the kinds of their values, and the types of errors. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return [...new Set(value.map((one) => JSON.stringify(shapeOf(one))))].sort();
  }
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([name, below]) => [name, name === "type" ? below : shapeOf(below)]),
  );
}
