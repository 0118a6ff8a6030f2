import { join } from "@std/path";

/** A PostgreSQL of its own, which a test may restart. */
export interface OwnServer extends AsyncDisposable {
  readonly url: string;
  /** Ends all sessions and transactions as a crash does, and recovers. */
  restart(): Promise<void>;
}

export const ownServerMissing: boolean = Deno.env.get("TEST_PG_URL") === undefined ||
  Deno.uid() !== 0;

/** Acknowledged commits survive a crash of the server, unlike those of the server that tests share. */
export async function ownServer(): Promise<OwnServer> {
  const folder = await Deno.makeTempDir({ prefix: "irori-jobs-" });
  const data = join(folder, "data");
  await Deno.chmod(folder, 0o755);
  await execute(["install", "-d", "-o", "postgres", "-m", "700", data]);
  const bin = (await execute(["sh", "-c", "ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1"]))
    .trim();
  const asPostgres = (...command: string[]) =>
    execute(["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", ...command]);
  await asPostgres(
    join(bin, "initdb"),
    "-D",
    data,
    "-U",
    "postgres",
    "--auth=trust",
    "-E",
    "UTF8",
    "-N",
  );
  const port = freePort();
  const options =
    `-h 127.0.0.1 -p ${port} -k ${data} -c fsync=off -c jit=off -c max_connections=200`;
  const control = (...parameters: string[]) =>
    asPostgres(
      join(bin, "pg_ctl"),
      "-D",
      data,
      "-w",
      "-t",
      "60",
      "-s",
      "-l",
      join(data, "log"),
      "-o",
      options,
      ...parameters,
    );
  await control("start");
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    restart: async () => void await control("-m", "immediate", "restart"),
    async [Symbol.asyncDispose]() {
      await control("-m", "immediate", "stop");
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function freePort(): number {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  return listener.addr.port;
}

async function execute([command = "", ...args]: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args,
    cwd: "/",
    stdin: "null",
  }).output();
  if (!success) throw new Error(`'${command}' failed: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}
