/**
 * Replaces `loadRuntime()` where there are no files and sockets; bundlers for edge isolates take it in place of the
 * adapters.
 *
 * @throws {Error} always
 */
export function loadRuntime(): Promise<never> {
  return Promise.reject(
    new Error(
      "This runtime provides no files and sockets: on an edge isolate, call bootstrap({ components, config, env }); " +
        "to bundle for Node, Bun or Deno, set the condition 'node'",
    ),
  );
}
