import { builtin } from "./builtin.ts";

/** A thread with functions, whose arguments and results are copied. */
interface Thread {
  /** Calls are answered one after another. @throws {Error} what the function threw, or why the thread has ended */
  call<T>(name: string, ...given: readonly unknown[]): Promise<T>;
  /** Ends it at once, whatever it does. Calls without an answer fail for this reason. */
  end(reason: unknown): Promise<void>;
}

/** As functions of each type are taken. */
type Any = (...given: never[]) => unknown;

/**
 * Keeps work that blocks, such as WebAssembly, out of the event loop.
 *
 * @param make gives the functions by name. It refers to nothing outside itself and the helpers, which do so neither: the
 *   thread gets their texts, so that a bundle needs no other file
 */
export function startThread(make: Any, ...helpers: readonly Any[]): Thread {
  const { Worker } = builtin<typeof import("node:worker_threads")>("node:worker_threads");
  const worker = new Worker(
    `(${serve})(${builtin}, (${make})(${helpers.join(", ")}))`,
    { eval: true },
  );
  const waiting: PromiseWithResolvers<unknown>[] = [];
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  const end = async (reason: unknown) => {
    ended.reject(reason);
    await worker.terminate();
  };
  worker.on("error", end);
  worker.on("message", ({ result, failure }: { result?: unknown; failure?: string }) => {
    const call = waiting.shift();
    if (failure === undefined) call?.resolve(result);
    else call?.reject(new Error(failure));
  });
  return {
    call<T>(name: string, ...given: readonly unknown[]) {
      const call = Promise.withResolvers<unknown>();
      waiting.push(call);
      worker.postMessage({ name, given });
      return Promise.race([call.promise, ended.promise]) as Promise<T>;
    },
    end,
  };
}

function serve(
  load: typeof builtin,
  functions: Record<string, (...given: unknown[]) => unknown>,
): void {
  const { parentPort: port } = load<typeof import("node:worker_threads")>("node:worker_threads");
  let last = Promise.resolve();
  port!.on("message", ({ name, given }: { name: string; given: unknown[] }) => {
    last = last.then(async () => {
      try {
        port!.postMessage({ result: await functions[name]!(...given) });
      } catch (error) {
        port!.postMessage({ failure: (error as Error)?.message ?? `${error}` });
      }
    });
  });
}
