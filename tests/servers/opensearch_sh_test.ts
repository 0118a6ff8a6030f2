import { assertMatch } from "@std/assert";
import { ensureDir } from "@std/fs";
import { freePort } from "../free_port.ts";

Deno.test({
  name: "opensearch.sh stops a server whose command line cannot be seen yet",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "irori-opensearch-sh-" });
    try {
      const env = { ...(await doubles(folder)), OS_PORT: String(freePort()) };
      const started = await opensearch("start", env);
      assertMatch(started, /started pid [1-9]/);
      const pid = Number(/started pid (\d+)/.exec(started)?.[1]);
      try {
        assertMatch(await opensearch("stop", env), new RegExp(`stopped pid ${pid}\n`));
      } finally {
        endIfAlive(pid);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

/** A laid out distribution, a `java` that runs until it is ended, and a `nohup` that is slow to become it. */
async function doubles(folder: string): Promise<Record<string, string>> {
  const distribution = `${folder}/base/dist-2.19.4`;
  for (const part of ["lib", "modules", "plugins/opensearch-job-scheduler"]) {
    await ensureDir(`${distribution}/${part}`);
  }
  await Deno.writeTextFile(`${distribution}/.complete`, "");
  await program(
    `${folder}/jdk/bin/java`,
    `case $1 in -version) echo 'openjdk version "17.0.1"' >&2; exit ;; esac
while :; do sleep 0.05; done`,
  );
  await program(
    `${folder}/bin/nohup`,
    `printf '%q ' "$@" > "${folder}/command"
exec bash -c 'sleep 0.3; eval "exec $(cat "${folder}/command")"'`,
  );
  return {
    PATH: `${folder}/bin:${Deno.env.get("PATH")}`,
    OS_JAVA_HOME: `${folder}/jdk`,
    OS_BASE: `${folder}/base`,
    OS_RUN_BASE: `${folder}/run`,
    OS_VERSION: "2.19.4",
  };
}

async function program(path: string, body: string): Promise<void> {
  await ensureDir(path.slice(0, path.lastIndexOf("/")));
  await Deno.writeTextFile(path, `#!/usr/bin/env bash\n${body}\n`);
  await Deno.chmod(path, 0o755);
}

/** @returns its messages */
async function opensearch(command: string, env: Record<string, string>): Promise<string> {
  const script = new URL("opensearch.sh", import.meta.url).pathname;
  const { stderr } = await new Deno.Command("bash", {
    args: [script, command, "plain"],
    env,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  return new TextDecoder().decode(stderr);
}

function endIfAlive(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
