import { fromFileUrl, join } from "@std/path";
import { buildBinary } from "../../tools/build_cli.ts";
import { installed } from "../../tools/_npm.ts";
import { execute } from "../process.ts";

/** Where the programs are that ours is measured against, and ours in one executable. */
export interface Peers {
  /** Class path of `Evolve` and `Fly`. */
  readonly classPath: string;
  /** The executable in dbmate's npm package. */
  readonly dbmate: string;
  /** The script that Node runs. */
  readonly nodePgMigrate: string;
  readonly irori: string;
}

/** Fetches them: from Maven Central by Maven into `folder`, and from npm into the user's cache. */
export async function fetchPeers(folder: string): Promise<Peers> {
  const here = (name: string) => fromFileUrl(new URL(name, import.meta.url));
  const jars = join(folder, "jars");
  await execute(["mvn", "-q", "-B", "-f", here("pom.xml"), COPY, `-DoutputDirectory=${jars}`]);
  const classes = join(folder, "classes");
  const sources = ["Evolve.java", "Fly.java"].map(here);
  await execute(["javac", "-d", classes, "-cp", join(jars, "*"), ...sources]);
  const packages = await installed("peers", [
    "dbmate@2.36.0",
    "node-pg-migrate@9.0.0",
    "pg@8.23.0",
  ]);
  const { os, arch } = Deno.build;
  const machine = `${os}-${arch === "aarch64" ? "arm64" : "x64"}`;
  const modules = join(packages, "node_modules");
  return {
    classPath: `${classes}:${join(jars, "*")}`,
    dbmate: join(modules, "@dbmate", machine, "bin", "dbmate"),
    nodePgMigrate: await Deno.realPath(join(modules, ".bin", "node-pg-migrate")),
    irori: await buildBinary(folder),
  };
}

const COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies";
