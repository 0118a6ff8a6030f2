import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";

const CLI = new URL("../../cli.ts", import.meta.url);

Deno.test("cli.ts + loads no package before it knows the command", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", fromFileUrl(CLI)],
    env: { NO_COLOR: "1" },
  }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as Info;
  const loaded = new Set([CLI.href]);
  for (const specifier of loaded) {
    const module = modules.find((candidate) => candidate.specifier === specifier);
    for (const { code, isDynamic } of module?.dependencies ?? []) {
      if (code && !isDynamic) loaded.add(code.specifier);
    }
  }
  assertEquals([...loaded].filter((specifier) => !specifier.includes("/src/")), [CLI.href]);
});

/** What `deno info` tells of modules. */
interface Info {
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly code?: { readonly specifier: string };
      readonly isDynamic?: boolean;
    }[];
  }[];
}
