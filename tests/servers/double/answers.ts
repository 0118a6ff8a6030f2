/** What the double answers. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** An error in the form of OpenSearch: itself and its root cause. */
export function failure(
  status: number,
  error: { type: string; reason: string; [key: string]: unknown },
): Reply {
  const { caused_by: _, ...root } = error;
  return { status, body: { error: { root_cause: [root], ...error }, status } };
}

export function noSuchIndex(index: string): Reply {
  return failure(404, {
    type: "index_not_found_exception",
    reason: `no such index [${index}]`,
    index,
    "resource.id": index,
    "resource.type": "index_or_alias",
    index_uuid: "_na_",
  });
}

export const ACKNOWLEDGED: Reply = { status: 200, body: { acknowledged: true } };
