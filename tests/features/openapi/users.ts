import { join } from "@std/path";
import { type Application, bootstrap } from "@irori/irori";
import { migrateSql } from "@irori/irori/migrations";
import { openApi } from "@irori/irori/openapi";

/** The users example on a fresh database of its own, listening on a free port. */
export interface Users extends AsyncDisposable {
  readonly app: Application;
  /** Where it answers. */
  readonly url: string;
}

/** Starts it. */
export async function startUsers(): Promise<Users> {
  const folder = await Deno.makeTempDir();
  const app = await bootstrap({
    root: join(import.meta.dirname!, "../../../examples/users"),
    config: { "users.database": join(folder, "users.db"), "server.port": 0 },
    startup: [migrateSql()],
    extensions: [openApi()],
  });
  const { url } = await app.listen();
  return {
    app,
    url,
    async [Symbol.asyncDispose]() {
      await app.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
