export function mayHaveBody(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** Whether the header fields of a request say that it has a body with a byte in it (RFC 9112, 6.3). */
export function declaresBody(field: (name: string) => string | null | undefined): boolean {
  return (field("transfer-encoding") ?? undefined) !== undefined ||
    (field("content-length") ?? "0") !== "0";
}
