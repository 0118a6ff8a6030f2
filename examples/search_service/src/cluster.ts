import { Client, errors } from "@opensearch-project/opensearch";
import {
  Bean,
  type Config,
  Configuration,
  ControllerAdvice,
  ExceptionHandler,
  HttpStatus,
  inject,
  problem,
} from "irori";

@Configuration()
export class Connections {
  @Bean({ type: Client, destroy: "close" })
  client(): Client {
    const node = inject<Config>("config").required("cluster.url");
    return new Client({ node, requestTimeout: 5000 });
  }
}

@ControllerAdvice()
export class SearchErrors {
  @ExceptionHandler(errors.ConnectionError, errors.TimeoutError)
  unavailable() {
    return problem(HttpStatus.SERVICE_UNAVAILABLE, { detail: "The search is not available" });
  }

  /** A live reindex blocks writes for some seconds: the client repeats the request. */
  @ExceptionHandler(errors.ResponseError)
  blocked(error: errors.ResponseError) {
    if (error.body?.error?.type !== "cluster_block_exception") throw error;
    return problem(HttpStatus.SERVICE_UNAVAILABLE, {
      detail: "Articles cannot be written at the moment",
    });
  }
}
