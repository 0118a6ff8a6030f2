import { fromFileUrl, join } from "@std/path";
import manifest from "../../../deno.json" with { type: "json" };
import { installed } from "../../../tools/_npm.ts";
import { buildTools, type Command, DENO, node, run } from "../../runtimes/executables.ts";
import { type Serving, serving } from "../../runtimes/serving.ts";

/** The example, with the sources of the others beside it. */
const EXAMPLE = fromFileUrl(new URL("../../../examples/moved", import.meta.url));

/** A server that is compiled and can be started; what was made for it goes with it. */
export interface Built extends AsyncDisposable {
  /** Its version and what it runs on. */
  readonly versions: string;
  /** Starts it on a free port, with the notes that it begins with. */
  start(): Promise<Serving>;
}

/** The application of this library. */
export function irori(): Built {
  return built(
    `Irori ${manifest.version} on Deno ${Deno.version.deno}`,
    [...DENO, "main.ts"],
    EXAMPLE,
    "SERVER_PORT=0",
  );
}

/**
 * That of NestJS, whose packages are kept in the cache of the user.
 *
 * @param main in place of its `main.ts`
 */
export async function nestJs(main?: string): Promise<Built & { test(): Promise<string> }> {
  const { dependencies, devDependencies } = JSON.parse(
    await Deno.readTextFile(join(EXAMPLE, "nestjs/package.json")),
  );
  const packages = Object.entries({ ...dependencies, ...devDependencies });
  const home = await installed("nestjs", packages.map(([name, range]) => `${name}@${range}`));
  const folder = await Deno.makeTempDir({ prefix: "irori-nestjs-" });
  await copied("nestjs", folder);
  if (main !== undefined) await Deno.writeTextFile(join(folder, "src/main.ts"), main);
  await Deno.symlink(join(home, "node_modules"), join(folder, "node_modules"));
  const command = await node(22);
  const typescript = join(await buildTools(), "node_modules/typescript/bin/tsc");
  await run([...command, typescript], { cwd: folder });
  const { version } = JSON.parse(
    await Deno.readTextFile(join(home, "node_modules/@nestjs/core/package.json")),
  );
  const runtime = (await run([...command, "--version"], { cwd: folder })).trim().slice(1);
  const versions = `NestJS ${version} with Express on Node ${runtime}`;
  return {
    ...built(versions, [...command, "dist/src/main.js"], folder, "PORT=0"),
    test: () => run([...command, "--test", "dist/test/notes.test.js"], { cwd: folder }),
  };
}

/** That of Spring Boot, whose libraries Maven fetches; its own test runs, too. */
export async function springBoot(): Promise<Built> {
  const folder = await Deno.makeTempDir({ prefix: "irori-spring-" });
  await copied("spring", folder);
  const options = ["-q", "-B", "-Dmdep.outputFile=classpath.txt"];
  await run(["mvn", ...options, "test", "dependency:build-classpath"], { cwd: folder });
  const libraries = (await Deno.readTextFile(join(folder, "classpath.txt"))).trim();
  const pom = await Deno.readTextFile(join(folder, "pom.xml"));
  const [, version] = /<version>(.+)<\/version>\s*<\/parent>/.exec(pom) ?? [];
  const { stderr } = await new Deno.Command("java", { args: ["-version"] }).output();
  const [, java] = /"(.+)"/.exec(new TextDecoder().decode(stderr)) ?? [];
  const args = ["-cp", `target/classes:${libraries}`, "moved.Application"];
  const versions = `Spring Boot ${version} with Tomcat on Java ${java}`;
  return built(versions, ["java", ...args], folder, "SERVER_PORT=0");
}

function built(versions: string, command: Command, folder: string, environment: string): Built {
  return {
    versions,
    start: () => serving(["env", environment, ...command], folder, 1),
    async [Symbol.asyncDispose]() {
      if (folder !== EXAMPLE) await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Copies the sources by name, so that the output of a build by hand stays behind. */
async function copied(name: string, folder: string): Promise<void> {
  const names = name === "nestjs"
    ? ["package.json", "tsconfig.json", "src", "test"]
    : ["pom.xml", "src"];
  const sources = names.map((file) => join(EXAMPLE, name, file));
  await run(["cp", "-r", ...sources, folder], { cwd: folder });
}
