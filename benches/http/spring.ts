import { dirname, fromFileUrl, join } from "@std/path";
import { run } from "../../tests/runtimes/executables.ts";
import type { Project } from "../../tests/runtimes/project.ts";

const SOURCES = new URL("peers/spring/", import.meta.url);
const FILES = ["pom.xml", "src/main/java/bench/Application.java"];

/** Whether there is a JDK with Maven. */
export async function hasMaven(): Promise<boolean> {
  const { success } = await new Deno.Command("sh", { args: ["-c", "mvn -v && javac -version"] })
    .output();
  return success;
}

/** Compiles the application of Spring Boot, whose libraries Maven fetches. @returns the arguments of `java` */
export async function compileSpring(project: Project): Promise<readonly string[]> {
  const cwd = project.file("spring");
  for (const name of FILES) {
    await Deno.mkdir(dirname(join(cwd, name)), { recursive: true });
    await Deno.copyFile(fromFileUrl(new URL(name, SOURCES)), join(cwd, name));
  }
  const options = ["-q", "-B", "-Dmdep.outputFile=classpath.txt"];
  await run(["mvn", ...options, "compile", "dependency:build-classpath"], { cwd });
  const libraries = (await Deno.readTextFile(join(cwd, "classpath.txt"))).trim();
  return [
    "-cp",
    `${join(cwd, "target/classes")}:${libraries}`,
    "bench.Application",
    "--server.address=127.0.0.1",
    "--server.port=0",
  ];
}
