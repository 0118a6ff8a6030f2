/** A real cluster on which the names of a test are its own: nothing that others do there is seen. */
export class OwnCluster implements AsyncDisposable {
  /** `POST /_mget`, in order, of the code under test. */
  readonly requests: string[] = [];
  readonly #prefix = `r${crypto.randomUUID().slice(0, 8)}-`;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(private readonly target: string) {
    const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
    this.#server = Deno.serve(options, async (request) => {
      const { pathname, search } = new URL(request.url);
      this.requests.push(`${request.method} ${pathname}`);
      return await this.#pass(request.method, pathname + search, await request.text(), {
        "Content-Type": request.headers.get("Content-Type") ?? "application/json",
        "X-Opaque-Id": request.headers.get("X-Opaque-Id") ?? "",
      });
    });
  }

  /** The address for the code under test. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Sends a request beside those of the code under test. */
  async send(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const lines = Array.isArray(body) && body.map((line) => `${JSON.stringify(line)}\n`).join("");
    const text = lines || (body === undefined ? "" : JSON.stringify(body));
    const type = lines ? "application/x-ndjson" : "application/json";
    const answer = await this.#pass(method, path, text, { "Content-Type": type });
    const json = await answer.json();
    if (!answer.ok || json.errors) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
    return json;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
    await this.send("DELETE", `/_index_template/*recorded-*`).catch(() => {});
    await this.send("DELETE", "/framework_migrations*,recorded-*?expand_wildcards=all");
  }

  async #pass(
    method: string,
    path: string,
    body: string,
    headers: Record<string, string>,
  ): Promise<Response> {
    const own = (text: string) => {
      return text.replace(/framework_migrations|recorded-|irori-(?=copy-|from-|into-)/g, (name) => {
        return this.#prefix + name;
      });
    };
    const text = own(body);
    const init = { method, headers, ...(text !== "" && { body: text }) };
    const answer = await fetch(this.target + own(path), init);
    const given = (await answer.text()).replaceAll(this.#prefix, "");
    const type = answer.headers.get("Content-Type") ?? "application/json";
    return new Response(method === "HEAD" ? null : given, {
      status: answer.status,
      headers: { "Content-Type": type },
    });
  }
}
