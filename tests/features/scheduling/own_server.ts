import { freePort } from "../../free_port.ts";
/** A PostgreSQL server that a test may restart, with a clock that it may set. */

const LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

/** Variables with which a process goes by the clock of a file: seconds more or less, such as `+600`. */
export async function clockOf(file: string): Promise<Record<string, string> | undefined> {
  const found = await Deno.stat(LIBRARY).catch(() => undefined);
  if (!found) return undefined;
  await Deno.writeTextFile(file, "+0");
  await Deno.chmod(file, 0o644);
  return {
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    // No clock that is set changes how time passes.
    DONT_FAKE_MONOTONIC: "1",
  };
}

async function run(
  user: string,
  command: string,
  args: string[],
  env: Record<string, string> = {},
) {
  const identity = ["--reuid", user, "--regid", user, "--init-groups", "--"];
  // The library is not loaded before the process is that of the user, who could not open what it makes.
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const { success, stderr } = await new Deno.Command("setpriv", {
    args: [...identity, "env", ...variables, command, ...args],
    cwd: "/",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`${command} failed: ${new TextDecoder().decode(stderr)}`);
}

export class OwnServer {
  private constructor(
    readonly folder: string,
    readonly binaries: string,
    readonly port: number,
    readonly env: Record<string, string>,
  ) {}

  get clock(): string {
    return `${this.folder}/clock`;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  static async start(): Promise<OwnServer> {
    const versions = [...Deno.readDirSync("/usr/lib/postgresql")].map(({ name }) => Number(name));
    const binaries = `/usr/lib/postgresql/${Math.max(...versions)}/bin`;
    const folder = await Deno.makeTempDir({ prefix: "irori-rounds-" });
    await Deno.chmod(folder, 0o755);
    const data = `${folder}/data`;
    await Deno.mkdir(data);
    await new Deno.Command("chown", { args: ["postgres:postgres", data] }).output();
    await run("postgres", `${binaries}/initdb`, [
      "-D",
      data,
      "-U",
      "postgres",
      "--auth=trust",
      "-E",
      "UTF8",
    ]);
    const env = await clockOf(`${folder}/clock`) ?? {};
    const server = new OwnServer(folder, binaries, freePort(), env);
    await server.control("start");
    return server;
  }

  /** Restarts as after a crash. */
  restart(): Promise<void> {
    return this.control("restart", "-m", "immediate");
  }

  async control(command: string, ...args: string[]): Promise<void> {
    // Commits are on the disk, and the process alone is lost.
    const options = `-h 127.0.0.1 -p ${this.port} -k ${this.folder}/data -c fsync=off`;
    const common = ["-D", `${this.folder}/data`, "-w", "-s", "-l", `${this.folder}/data/log`];
    await run(
      "postgres",
      `${this.binaries}/pg_ctl`,
      [...common, ...args, command, "-o", options],
      this.env,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const data = `${this.folder}/data`;
    await run("postgres", `${this.binaries}/pg_ctl`, ["-D", data, "-m", "immediate", "stop"]);
    await Deno.remove(this.folder, { recursive: true });
    await removeLeftovers();
  }
}

/** Removes the objects that killed processes have left. */
export async function removeLeftovers(): Promise<void> {
  for await (const { name } of Deno.readDir("/dev/shm")) {
    const pid = /faketime_s(?:em|hm)_(\d+)$/.exec(name)?.[1];
    const isAlive = pid && await Deno.stat(`/proc/${pid}`).then(() => true, () => false);
    if (pid && !isAlive) await Deno.remove(`/dev/shm/${name}`).catch(() => {});
  }
}
