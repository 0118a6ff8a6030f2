/** The servers with certificates that the guide has, on the runtime that each is for. */
import { assertEquals } from "@std/assert";
import { Running } from "../app/process.ts";
import { Certificates } from "../servers/certificates.ts";
import { bun, type Command, DENO, tsx } from "./executables.ts";
import { fragmentOf, ofNpm } from "./guide.ts";
import { Project } from "./project.ts";

interface Server {
  readonly name: string;
  readonly command: () => Command | Promise<Command>;
  /** The page's `main.ts`. */
  readonly code: string;
  /** Prints the port that it has in place of the page's. */
  readonly after: string;
}

const SERVERS: readonly Server[] = [
  {
    name: "Deno",
    command: () => DENO,
    code: fragmentOf("security.md", "Deno.serve("),
    after: "console.log(`port ${server.addr.port}`);\n",
  },
  {
    name: "Bun",
    command: bun,
    code: fragmentOf("security.md", "Bun.serve("),
    after: "console.log(`port ${server.port}`);\n",
  },
  ...([22, 24] as const).map((major) => ({
    name: `Node ${major}`,
    command: () => tsx(major),
    code: fragmentOf("security.md", "@hono/node-server"),
    after: 'server.on("listening", () => console.log(`port ${server.address().port}`));\n',
  })),
];

const FILES = {
  "config/application.yml": "component-scan: ./src\n",
  "src/pages.ts": `import { GetMapping, type HttpRequest, PreDestroy, RestController } from "irori";

@RestController()
export class Pages {
  @GetMapping("/address")
  address(request: HttpRequest) {
    return request.clientAddress;
  }

  @PreDestroy()
  close() {
    console.log("closed");
  }
}
`,
};

/** Installed once, for all of them. */
const project = Project.equipped().then(async (made) => {
  for (const [name, text] of Object.entries(FILES)) await made.write(name, text);
  await Deno.mkdir(made.file("tls"));
  const certificates = new Certificates(made.file("tls"));
  await certificates.server("app", await certificates.authority("ca"));
  return made;
});

for (const { name, command, code, after } of SERVERS) {
  Deno.test({
    name: `the TLS guide + its server answers, and ends on SIGTERM: ${name}`,
    // An installation is shared, so it outlives the test that asked for it first.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const made = await project;
      await made.write("main.ts", ofNpm(code).replace("8443", '0, hostname: "127.0.0.1"') + after);
      await using running = new Running(
        [...await command(), "main.ts"],
        { NO_COLOR: "1" },
        "stdout",
        made.path,
      );
      const [, port] = await running.line(/^port (\d+)$/);
      using client = Deno.createHttpClient({
        caCerts: [await Deno.readTextFile(made.file("tls/ca.pem"))],
      });
      const response = await fetch(`https://127.0.0.1:${port}/address`, { client });
      assertEquals(await response.text(), "127.0.0.1");
      running.kill("SIGTERM");
      const { code: exit, lines } = await running.ended();
      assertEquals([exit, lines.at(-1)], [0, "closed"]);
    },
  });
}

Deno.test.afterAll(async () => {
  await (await project)[Symbol.asyncDispose]();
});
