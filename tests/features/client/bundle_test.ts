import { assertEquals } from "@std/assert";
import { build, stop } from "esbuild";

Deno.test({
  name:
    "client() + brings nothing of the server into a browser's bundle, and little unless it is used",
  // esbuild's own process goes on for a moment.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const { metafile } = await build({
      stdin: {
        contents: `
          import { client } from "./src/features/client/mod.ts";
          import type { UserController } from "./examples/users/controllers/user_controller.ts";
          console.log(client<UserController>("", {}));
        `,
        resolveDir: ".",
        loader: "ts",
      },
      bundle: true,
      splitting: true,
      outdir: "dist",
      write: false,
      minify: true,
      metafile: true,
      format: "esm",
    });
    await stop();
    const inputs = Object.keys(metafile.inputs).filter((path) => path !== "<stdin>");
    assertEquals(
      inputs.filter((path) =>
        !/^src\/(?:features\/client\/|text\/media_type\.ts$|runtime\/retry\.ts$)/.test(path)
      ),
      [],
    );
    const atOnce = new Set(["dist/stdin.js"]);
    for (const path of atOnce) {
      for (const { kind, path: next } of metafile.outputs[path]!.imports) {
        if (kind === "import-statement") atOnce.add(next);
      }
    }
    const outputs = [...atOnce].map((path) => metafile.outputs[path]!);
    const loaded = outputs.flatMap(({ inputs }) => Object.keys(inputs));
    const later = inputs.filter((path) => !loaded.includes(path));
    assertEquals(later.sort(), [
      "src/features/client/_events.ts",
      "src/features/client/_multipart.ts",
      "src/features/client/_retry.ts",
      "src/runtime/retry.ts",
    ]);
    const bytes = outputs.reduce((sum, output) => sum + output.bytes, 0);
    assertEquals(bytes < 6656, true, `${bytes} bytes`);
  },
});
