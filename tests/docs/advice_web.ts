/** Advice of the commands that read an application. */
import { assertEquals, assertMatch } from "@std/assert";
import { type Advised, start } from "./advice.ts";

const LIBRARY = new URL("../../mod.ts", import.meta.url).href;
const CONFIG = "component-scan: src\n";

function controllers(path: string): string {
  return `import { GetMapping, RestController } from "${LIBRARY}";
@RestController()
export class Hello {
  @GetMapping("${path}")
  get() {
    return "hello";
  }
}
`;
}

const FILES = { "/src/hello.ts": controllers("/hello") };
const APPLICATION = { config: CONFIG, files: FILES, after: "" };

export const OF_APPLICATIONS: readonly Advised[] = [
  {
    ...APPLICATION,
    title: "which paths there are",
    guide: "troubleshooting.md",
    advice: /`irori (routes)`, which lists/,
    says: /GET +\/hello +hello\.get/,
  },
  {
    ...APPLICATION,
    title: "which routes are fast",
    guide: "performance.md",
    advice: /`(?:irori )?(routes --explain)`/,
    says: /\/hello[^]*fast/,
  },
  {
    ...APPLICATION,
    title: "what an upgrade changes in routes",
    guide: "upgrading.md",
    advice: /irori (routes --json)/,
    says: /"\/hello"/,
  },
  {
    ...APPLICATION,
    title: "the document of an application",
    guide: "openapi.md",
    advice: /irori (openapi) >/,
    says: /"openapi": *"3\.1\.0"/,
  },
  {
    ...APPLICATION,
    title: "the contract of an application",
    guide: "client.md",
    advice: /irori (contract) > contract\.ts/,
    says: /export const contract/,
  },
  {
    ...APPLICATION,
    title: "a format without an older document",
    before: async (place) => {
      const { stdout } = await start(place, "openapi");
      await place.write("old.json", stdout);
    },
    command: "contract --format github",
    code: 2,
    advice: /'--format' requires '(--against)'/,
    value: "old.json",
    alone: true,
  },
  {
    ...APPLICATION,
    title: "a document to compare without an older one",
    before: async (place) => {
      const { stdout } = await start(place, "openapi");
      await place.write("old.json", stdout.replaceAll("/hello", "/gone"));
      await place.write("new.json", stdout);
    },
    command: "contract new.json",
    code: 2,
    advice: /expected '(--against)' with the older/,
    value: "old.json",
    alone: true,
    ends: 5,
    says: /\/gone/,
  },
  {
    ...APPLICATION,
    title: "additions to a contract",
    before: async (place) => {
      const { stdout } = await start(place, "openapi");
      await place.write("old.json", stdout.replaceAll('"/hello"', '"/gone"'));
      await place.write(
        "new.json",
        stdout.replace('"/hello"', '"/gone": {"get":{"responses":{}}}, "/hello"'),
      );
    },
    guide: "openapi.md",
    alone: true,
    advice: /irori (contract new\.json --against old\.json -v)/,
    ends: 5,
    says: /\/hello/,
  },
  {
    ...APPLICATION,
    title: "components of an edge isolate",
    guide: "edge.md",
    advice: /`irori (scan --check)`/,
    ends: 4,
    holds: async (place) => {
      assertEquals((await start(place, "scan")).code, 0);
      assertEquals((await start(place, "scan --check")).code, 0);
    },
  },
  {
    ...APPLICATION,
    title: "a bundle for the edge",
    files: { ...FILES, "/worker.ts": "export default { fetch: () => new Response() };\n" },
    guide: "edge.md",
    advice: /irori (build worker\.ts)/,
    says: /dist\/worker\.js: [\d,]+ bytes/,
    holds: (place) => Deno.stat(`${place.path}/dist/worker.js`),
  },
  {
    ...APPLICATION,
    title: "a bundle for Node",
    files: { ...FILES, "/main.ts": "console.log(1);\n" },
    guide: "runtimes.md",
    advice: /irori (build main\.ts --target node)/,
    says: /dist\/main\.js: [\d,]+ bytes/,
  },
  {
    ...APPLICATION,
    title: "a part that is unknown",
    files: { ...FILES, "/worker.ts": "export default { fetch: () => new Response() };\n" },
    command: "build worker.ts --with all",
    code: 2,
    advice: /Expected some of .* in (--with)/,
    value: "xml",
    to: "build worker.ts",
    holds: (_, { stdout }) => assertMatch(stdout, /left out: (?!.*\bxml\b)/),
  },
  {
    ...APPLICATION,
    title: "a check of the contract in CI",
    before: async (place) => {
      await place.write("openapi.json", (await start(place, "openapi")).stdout);
      await place.write("src/hello.ts", controllers("/moved"));
      await place.write("src/moved.ts", controllers("/moved"));
      await place.remove("src/hello.ts");
    },
    guide: "ci.md",
    alone: true,
    advice: /irori (contract --against openapi\.json --format github)/,
    ends: 5,
    says: /::error file=openapi\.json.*\/hello/,
  },
];
