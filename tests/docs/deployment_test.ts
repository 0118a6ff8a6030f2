/** Tests the parts of `deployment.md` that need none of its platforms. */
import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { parse } from "@std/yaml";
import { readArguments } from "../../src/cli/arguments.ts";
import { PROGRAM } from "../cli/program.ts";
import type { Config } from "../../mod.ts";
import { bootstrap, type EdgeOptions } from "../../src/app/edge.ts";
import { blocksOf } from "../../tools/docs/blocks.ts";
import { pythonPrograms, runProgram } from "../servers/python.ts";

const PAGE = "docs/guide/deployment.md";
const BLOCKS = blocksOf(await Deno.readTextFile(PAGE), PAGE);

/** The blocks of a language that have this text in them. */
function codeOf(language: string, text: string): readonly string[] {
  return BLOCKS.filter((block) => block.language === language && block.code.includes(text))
    .map(({ code }) => code);
}

/** The container that migrates in a resource of Kubernetes, as far as it is looked at here. */
interface Container {
  readonly command: readonly string[];
  readonly args: readonly string[];
}

Deno.test("deployment.md + its resources of Kubernetes are valid", async () => {
  const resources = codeOf("yaml", "apiVersion:");
  assertEquals(resources.length, 2);
  const folder = await Deno.makeTempDir({ prefix: "irori-deployment-" });
  const file = join(folder, "shop.yml");
  await Deno.writeTextFile(file, resources.join("---\n"));
  const programs = await pythonPrograms("kubernetes-validate", "kubernetes-validate");
  const args = ["-m", "kubernetes_validate", "--strict", file];
  const { code, text } = await runProgram(join(programs, "python"), args);
  assertEquals(code, 0, text);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("deployment.md + the command line knows what each platform calls", async () => {
  const [inPods, ...jobs] = codeOf("yaml", "apiVersion:").map((code) => {
    const { initContainers, containers } = (parse(code) as {
      spec: { template: { spec: { initContainers?: Container[]; containers: Container[] } } };
    }).spec.template.spec;
    return (initContainers ?? containers)[0]!;
  });
  const [fly = ""] = codeOf("toml", "release_command").map((code) =>
    /^release_command = "(.*)"$/m.exec(code)?.[1] ?? ""
  );
  const [run = ""] = codeOf("console", "gcloud").map((code) =>
    /--args (\S+)/.exec(code)?.[1] ?? ""
  );
  const [docker = ""] = codeOf("console", "docker run").map((code) =>
    / shop (\S+\/irori .*)$/m.exec(code)?.[1] ?? ""
  );
  const calls = [
    ...[inPods!, ...jobs].map(({ command, args }) => [...command, ...args]),
    ["node_modules/.bin/irori", ...run.split(",")],
    fly.split(" "),
    docker.split(" "),
  ];
  for (const [program, ...args] of calls) {
    assertEquals(program, "node_modules/.bin/irori");
    assertEquals([args[0], (await readArguments(args, PROGRAM)).problem], ["migrate", undefined]);
  }
});

Deno.test("deployment.md + the port is the one of the platform", async () => {
  const [yaml = ""] = codeOf("yaml", "${PORT:8080}");
  const config = parse(yaml) as EdgeOptions["config"];
  for (const [env, port] of [[{}, 8080], [{ PORT: "9123" }, 9123]] as const) {
    const startup = [(config: Config) => assertEquals(config.number("server.port"), port)];
    await bootstrap({ config, env, startup });
  }
});
