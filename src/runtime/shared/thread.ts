import { builtin } from "./builtin.ts";

/** A function that runs in a thread, as code of its own: what it gets and returns is copied. */
export interface Thread {
  /** Calls are answered one after another. @throws {Error} what the function threw, or why the thread has ended */
  call(name: string, ...given: readonly unknown[]): Promise<unknown>;
  /** Ends it at once, whatever it does. Calls without an answer fail for this reason. */
  end(reason: unknown): Promise<void>;
}

/** Methods by name, as the function of a thread returns them. */
export type Methods = Readonly<Record<string, (...given: never[]) => Promise<unknown>>>;

/**
 * Keeps work that blocks, such as WebAssembly, out of the event loop.
 *
 * @param make refers to nothing outside itself: the thread gets its text. So a bundle needs no other file
 */
export function startThread(make: (...helpers: never[]) => Methods, ...helpers: Helper[]): Thread {
  const { Worker } = builtin<typeof import("node:worker_threads")>("node:worker_threads");
  const worker = new Worker(`(${serve})((${make})(${helpers.join(", ")}))`, { eval: true });
  const waiting: PromiseWithResolvers<unknown>[] = [];
  let ended: { readonly reason: unknown } | undefined;
  const end = async (reason: unknown) => {
    ended ??= { reason };
    for (const { reject } of waiting.splice(0)) reject(ended.reason);
    await worker.terminate();
  };
  worker.on("message", ({ result, failure }: Answer) => {
    const call = waiting.shift();
    if (failure === undefined) call?.resolve(result);
    else call?.reject(new Error(failure));
  });
  worker.on("error", end);
  return {
    call(name, ...given) {
      if (ended) return Promise.reject(ended.reason);
      const call = Promise.withResolvers<unknown>();
      waiting.push(call);
      worker.postMessage({ name, given });
      return call.promise;
    },
    end,
  };
}

type Helper = (...given: never[]) => unknown;

interface Answer {
  readonly result?: unknown;
  readonly failure?: string;
}

/** In the thread. */
function serve(methods: Record<string, (...given: unknown[]) => Promise<unknown>>): void {
  const { process } = globalThis as unknown as {
    process: { getBuiltinModule(name: string): typeof import("node:worker_threads") };
  };
  const { parentPort } = process.getBuiltinModule("node:worker_threads");
  let last = Promise.resolve();
  parentPort!.on("message", ({ name, given }: { name: string; given: unknown[] }) => {
    last = last.then(async () => {
      try {
        parentPort!.postMessage({ result: await methods[name]!(...given) });
      } catch (error) {
        parentPort!.postMessage({ failure: (error as Error)?.message ?? `${error}` });
      }
    });
  });
}
