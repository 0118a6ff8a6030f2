import { fromFileUrl } from "@std/path";
import { type Figure, median } from "./report.ts";

const ROUNDS = 9;

/** How long `bootstrap()` of 500 routes takes beyond the import of its modules, each time in a new process. */
export async function bootstrapTimes(): Promise<Figure> {
  const times: number[] = [];
  const requests: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", fromFileUrl(new URL("./startup_once.ts", import.meta.url))],
      stderr: "inherit",
    }).output();
    if (!success) throw new Error("The application did not start");
    const [bootstrap = 0, request = 0] = JSON.parse(new TextDecoder().decode(stdout));
    times.push(bootstrap);
    requests.push(request);
  }
  return {
    name: "bootstrap() of 100 controllers with 5 routes",
    value: median(times),
    unit: "ms",
    bound: { atMost: 20 },
    note: `${ROUNDS} new processes; the first request took ${median(requests).toFixed(1)} ms more`,
  };
}
