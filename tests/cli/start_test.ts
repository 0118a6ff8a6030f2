import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";

const CLI = new URL("../../cli.ts", import.meta.url);

Deno.test("cli.ts + loads no package before it knows the command", async () => {
  const loaded = await loadedWith(CLI);
  assertEquals(loaded.filter((specifier) => !specifier.includes("/src/")), [CLI.href]);
});

Deno.test("migrations of search clusters + load nothing that signs before a connection says so", async () => {
  const loaded = await loadedWith(new URL("../../src/migrations/search/mod.ts", import.meta.url));
  assertEquals(loaded.some((specifier) => specifier.endsWith("/search/target.ts")), true);
  assertEquals(loaded.filter((specifier) => /\/(?:sign|aws\w*)\.ts$|aws4/.test(specifier)), []);
});

Deno.test("fleets + load nothing but their settings before a connection has clusters", async () => {
  const loaded = await loadedWith(
    new URL("../../src/features/fleets/feature.ts", import.meta.url),
  );
  const own = loaded.filter((specifier) => specifier.includes("/fleets/"));
  assertEquals(own.map((specifier) => specifier.replace(/.*\//, "")), ["feature.ts", "fleet.ts"]);
  assertEquals(loaded.filter((specifier) => specifier.endsWith("/config/load.ts")), []);
});

/** A module and what is loaded together with it. */
async function loadedWith(entry: URL): Promise<readonly string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", fromFileUrl(entry)],
    env: { NO_COLOR: "1" },
  }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as Info;
  const loaded = new Set([entry.href]);
  for (const specifier of loaded) {
    const module = modules.find((candidate) => candidate.specifier === specifier);
    for (const { code, isDynamic } of module?.dependencies ?? []) {
      if (code && !isDynamic) loaded.add(code.specifier);
    }
  }
  return [...loaded];
}

/** The part of the output of `deno info` that the test reads. */
interface Info {
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly code?: { readonly specifier: string };
      readonly isDynamic?: boolean;
    }[];
  }[];
}
