import { join } from "@std/path";
import { freePort } from "../tests/free_port.ts";
import { npm, npmInstall } from "./_npm.ts";
import { deno } from "./_run.ts";

/** The packages that a release publishes on npm. */
export const PACKAGES = ["irori", "create-irori", "irori-migrate"] as const;

/** A registry on this machine, which has the packages of a release and takes all others from where npm is configured to. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
  /** Variables with which npm, Bun and Deno use it, with caches of their own. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Builds the packages as a release does, and publishes them to a registry that runs until it is disposed of.
 *
 * @param folder an empty one for the registry, its packages and the caches
 * @throws {Error} with the output of the step that fails
 */
export async function publishLocally(folder: string): Promise<Registry> {
  // Apart from `dist`, whose tarballs are private and cannot be published by mistake.
  const packed = join(folder, "packed");
  for (const program of ["build_npm", "build_create", "build_migrate"]) {
    const args = ["run", "-A", `tools/${program}.ts`, packed];
    const { ok, output } = await deno(args, { env: { IRORI_REPOSITORY: REPOSITORY } });
    if (!ok) throw new Error(output);
  }
  const registry = await startRegistry(folder);
  try {
    const { version } = JSON.parse(await Deno.readTextFile("jsr.json"));
    for (const name of PACKAGES) {
      const tarball = await Deno.realPath(join(packed, `${name}-${version}.tgz`));
      // Provenance is signed by the workflow alone.
      await npm(folder, ["publish", "--provenance=false", tarball], registry.env);
    }
  } catch (error) {
    await registry[Symbol.asyncDispose]();
    throw error;
  }
  return registry;
}

/** The packages link to it, and npm publishes none without. Nothing here asks for it. */
const REPOSITORY = "https://github.com/irori/irori";

async function startRegistry(folder: string): Promise<Registry> {
  const program = join(folder, "verdaccio");
  await Deno.mkdir(program, { recursive: true });
  // 'verdaccio-audit' names a tag of 'node-fetch', which copies of the registry may lack.
  const manifest = { private: true, overrides: { "node-fetch": "^2.7.0" } };
  await Deno.writeTextFile(join(program, "package.json"), JSON.stringify(manifest));
  await npmInstall(program, ["verdaccio@6"]);
  const upstream = (await npm(folder, ["config", "get", "registry"])).trim();
  const own = PACKAGES.map((name) => `  '${name}': { access: $all, publish: $all }\n`).join("");
  await Deno.writeTextFile(
    join(folder, "verdaccio.yaml"),
    `storage: ${join(folder, "storage")}
uplinks: { upstream: { url: '${upstream}' } }
packages:
${own}  '**': { access: $all, proxy: upstream }
log: { type: stdout, format: pretty, level: warn }
`,
  );
  const port = freePort();
  const url = `http://127.0.0.1:${port}/`;
  const process = new Deno.Command("node", {
    args: [
      join(program, "node_modules/verdaccio/bin/verdaccio"),
      ...["-c", join(folder, "verdaccio.yaml"), "-l", `127.0.0.1:${port}`],
    ],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  const npmrc = join(folder, "npmrc");
  // npm publishes only with a token; this registry takes any.
  await Deno.writeTextFile(npmrc, `registry=${url}\n//127.0.0.1:${port}/:_authToken=anyone\n`);
  const registry: Registry = {
    url,
    env: {
      npm_config_userconfig: npmrc,
      npm_config_cache: join(folder, "npm"),
      npm_config_audit: "false",
      npm_config_fund: "false",
      NPM_CONFIG_REGISTRY: url,
      BUN_CONFIG_REGISTRY: url,
      BUN_INSTALL_CACHE_DIR: join(folder, "bun"),
      DENO_DIR: join(folder, "deno"),
    },
    async [Symbol.asyncDispose]() {
      try {
        process.kill();
      } catch { /* It has ended already. */ }
      await process.status;
    },
  };
  try {
    await Promise.race([answers(url), process.status.then(refuseEnd)]);
  } catch (error) {
    await registry[Symbol.asyncDispose]();
    throw error;
  }
  return registry;
}

function refuseEnd({ code }: Deno.CommandStatus): never {
  throw new Error(`The registry ended with ${code} before it answered`);
}

/** Waits until a server answers, for a minute at most. */
async function answers(url: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    const answer = await fetch(`${url}-/ping`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The registry at ${url} does not answer`);
}

if (import.meta.main) {
  const folder = await Deno.makeTempDir({ prefix: "irori-release-" });
  const registry = await publishLocally(folder);
  console.log(`${registry.url} has ${PACKAGES.join(", ")}. In another shell:`);
  for (const [name, value] of Object.entries(registry.env)) console.log(`export ${name}=${value}`);
  console.log("Ctrl+C ends it.");
  await new Promise<void>((resolve) => Deno.addSignalListener("SIGINT", resolve));
  await registry[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
}
