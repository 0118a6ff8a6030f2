import type { SearchRequest } from "../types.ts";
import { type Answer, hasNoHandler } from "./answer.ts";
import type { Cluster, SendOptions } from "./cluster.ts";

/** Sends a request to a plugin of OpenSearch where it lives now, or else where Open Distro and early versions had it. */
export async function sendToPlugin(
  cluster: Cluster,
  request: SearchRequest,
  options: SendOptions,
): Promise<Answer> {
  const answer = await cluster.send(request, options);
  if (!hasNoHandler(answer)) return answer;
  const path = request.path.replace("/_plugins/", "/_opendistro/");
  return await cluster.send({ ...request, path }, options);
}
