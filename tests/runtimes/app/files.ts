/** Serves the files of the folder `ROOT`, and says how many of them are open. */
import { readdir, readlink } from "node:fs/promises";
import process from "node:process";
import { bootstrap, GetMapping, RestController } from "@irori/irori";
import { filesController } from "./files_controller.ts";

const { ROOT = "" } = process.env;

@RestController()
class OpenController {
  @GetMapping("/open")
  async open() {
    const links = (await readdir("/proc/self/fd")).map((name) =>
      readlink(`/proc/self/fd/${name}`).catch(() => "")
    );
    return { open: (await Promise.all(links)).filter((path) => path.startsWith(ROOT)).length };
  }
}

const app = await bootstrap({
  components: [filesController(ROOT), OpenController],
  config: { server: { port: 0, address: "127.0.0.1" } },
});
const { url } = await app.listen();
console.log(`url ${url}`);
