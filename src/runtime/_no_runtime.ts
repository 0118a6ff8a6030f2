/**
 * What `loadRuntime()` is where there are no files and sockets; bundlers for edge isolates take it in place of the
 * adapters.
 *
 * @throws {Error} always
 */
export function loadRuntime(): Promise<never> {
  return Promise.reject(
    new Error(
      "This runtime has no files and sockets: on an edge isolate, use bootstrap({ components, config, env }); " +
        "a bundle for Node, Bun or Deno needs the condition 'node'",
    ),
  );
}
