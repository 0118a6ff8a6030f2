import { assertEquals, assertStringIncludes } from "@std/assert";
import { ensureDir } from "@std/fs";
import { fromFileUrl, join } from "@std/path";

const ignore = Deno.build.os !== "linux";

Deno.test({
  name: "opensearch.sh fails with a sentence where there is no JDK for its version",
  ignore,
  async fn() {
    await using machine = await Machine.without("21");
    const { success, messages } = await machine.start("opensearch.sh", { OS_VERSION: "3.4.0" });
    assertEquals(success, false);
    assertStringIncludes(
      messages,
      "Found no JDK 21 or newer in JAVA_HOME* or /usr/lib/jvm, and Debian has no package of one " +
        "here: install Temurin 21\nopensearch.sh: cannot run OpenSearch 3.4.0\n",
    );
    assertEquals(await machine.installed(), ["openjdk-21-jdk-headless", "openjdk-25-jdk-headless"]);
  },
});

Deno.test({
  name: "elasticsearch.sh installs the JDK that its version needs",
  ignore,
  async fn() {
    await using machine = await Machine.without("none");
    // A port that is taken ends the start right after the JDK is found.
    using taken = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const ES_PORT = String(taken.addr.port);
    const { messages } = await machine.start("elasticsearch.sh", { ES_VERSION: "9.5.3", ES_PORT });
    assertEquals(messages, `elasticsearch.sh: port ${ES_PORT} is taken\n`);
    assertEquals(await machine.installed(), ["openjdk-21-jdk-headless"]);
  },
});

Deno.test({
  name: "elasticsearch.sh finds the second JDK of a CI machine",
  ignore,
  async fn() {
    await using machine = await Machine.without("21");
    using taken = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const JAVA_HOME_21_X64 = await machine.jdk("tools", 21);
    const ES_PORT = String(taken.addr.port);
    const env = { ES_VERSION: "9.5.3", ES_PORT, JAVA_HOME_21_X64 };
    const { messages } = await machine.start("elasticsearch.sh", env);
    assertEquals(messages, `elasticsearch.sh: port ${ES_PORT} is taken\n`);
  },
});

/** A machine with JDK 17 and an `apt-get` that has one JDK more, or none. */
class Machine implements AsyncDisposable {
  private constructor(readonly folder: string) {}

  static async without(version: string): Promise<Machine> {
    const machine = new Machine(await Deno.makeTempDir({ prefix: "irori-install-" }));
    await machine.jdk("jvm", 17);
    await machine.#program("bin/id", "echo 0");
    await machine.#program(
      "bin/apt-get",
      `case $* in update*) exit ;; esac
package=\${!#}; echo "$package" >>"${machine.folder}/installed"
case $package in *-${version}-* | *-25-*) exit 100 ;; esac
mkdir -p "${machine.folder}/jvm/java-21"
cp -r "${machine.folder}/jvm/java-17/bin" "${machine.folder}/jvm/java-21/"
sed -i s/17/21/ "${machine.folder}/jvm/java-21/bin/java"`,
    );
    return machine;
  }

  /** @returns its home */
  async jdk(folder: string, major: number): Promise<string> {
    const home = `${folder}/java-${major}`;
    await this.#program(`${home}/bin/java`, `echo 'openjdk version "${major}.0.1"' >&2`);
    await this.#program(`${home}/bin/javac`, "");
    return join(this.folder, home);
  }

  async start(script: string, env: Record<string, string>) {
    const { success, stderr } = await new Deno.Command("bash", {
      args: [fromFileUrl(new URL(script, import.meta.url)), "start"],
      env: {
        ...env,
        PATH: `${join(this.folder, "bin")}:${Deno.env.get("PATH")}`,
        HOME: this.folder,
        IRORI_JVM_DIR: join(this.folder, "jvm"),
        OS_BASE: join(this.folder, "base"),
        ES_BASE: join(this.folder, "base"),
      },
      // A machine of CI names its JDKs.
      clearEnv: true,
      stdin: "null",
    }).output();
    return { success, messages: new TextDecoder().decode(stderr) };
  }

  async installed(): Promise<readonly string[]> {
    return (await Deno.readTextFile(join(this.folder, "installed"))).trim().split("\n");
  }

  async #program(path: string, body: string): Promise<void> {
    const file = join(this.folder, path);
    await ensureDir(join(file, ".."));
    await Deno.writeTextFile(file, `#!/usr/bin/env bash\n${body}\n`, { mode: 0o755 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}
