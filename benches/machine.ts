/** The machine that measures, and how busy others keep it. */
export function machine(): string {
  const [load = 0] = Deno.loadavg();
  const cores = navigator.hardwareConcurrency;
  return `${cores} cores, load of the last minute ${load.toFixed(1)}, Deno ${Deno.version.deno}`;
}
