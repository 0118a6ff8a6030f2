import { assertEquals } from "@std/assert";
import { build, stop } from "esbuild";

Deno.test({
  name: "client() + brings nothing of the server into a browser's bundle",
  // esbuild's own process goes on for a moment.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const { metafile } = await build({
      stdin: {
        contents: `
          import { client } from "./src/client/mod.ts";
          import type { UserController } from "./examples/users/controllers/user_controller.ts";
          console.log(client<UserController>("", {}));
        `,
        resolveDir: ".",
        loader: "ts",
      },
      bundle: true,
      write: false,
      minify: true,
      metafile: true,
      format: "esm",
    });
    await stop();
    const inputs = Object.keys(metafile.inputs).filter((path) => path !== "<stdin>");
    assertEquals(
      inputs.filter((path) => !/^src\/(?:client\/|text\/media_type\.ts$)/.test(path)),
      [],
    );
    const [{ bytes } = { bytes: 0 }] = Object.values(metafile.outputs);
    assertEquals(bytes < 4096, true, `${bytes} bytes`);
  },
});
