import { fromFileUrl } from "@std/path";

/** A module and what is loaded together with it. */
export async function loadedWith(entry: URL): Promise<readonly string[]> {
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
