// Serves workers by Miniflare: miniflare.mjs <its module> <flags, separated by commas> <script>...
import process from "node:process";

const [module, flags, ...scripts] = process.argv.slice(2);
const { Miniflare } = await import(module);
const running = [];
process.on("SIGTERM", async () => {
  for (const miniflare of running) await miniflare.dispose();
  process.exit(0);
});
for (const scriptPath of scripts) {
  const miniflare = new Miniflare({
    modules: true,
    scriptPath,
    compatibilityDate: "2025-09-01",
    compatibilityFlags: flags.split(",").filter(Boolean),
    host: "127.0.0.1",
    port: 0,
    cf: false,
  });
  running.push(miniflare);
  console.log((await miniflare.ready).href);
}
