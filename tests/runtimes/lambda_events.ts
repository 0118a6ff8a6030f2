/** A request, for the events of AWS that carry it. */
interface Sent {
  readonly method: string;
  readonly path: string;
  /** Several values of one name are one query parameter, or one header field, each. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly cookies?: readonly string[];
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

/** Makes the event by which each service calls a function: as AWS sends it, without fields that no adapter reads. */
export const EVENTS: Readonly<Record<string, (sent: Sent) => unknown>> = {
  "API Gateway v1 (REST API)": (sent) => ({
    resource: "/{proxy+}",
    path: sent.path,
    httpMethod: sent.method,
    ...single(sent, allHeaders(sent)),
    ...several(sent, allHeaders(sent)),
    pathParameters: { proxy: sent.path.slice(1) },
    stageVariables: null,
    requestContext: {
      accountId: "123456789012",
      resourceId: "us4z18",
      stage: "prod",
      requestId: "41b45ea3-70b5-11e6-b7bd-69b5aaebc7d9",
      identity: { sourceIp: "192.0.2.7", userAgent: "curl/8.5.0" },
      domainName: "example.execute-api.eu-central-1.amazonaws.com",
      resourcePath: "/{proxy+}",
      httpMethod: sent.method,
      apiId: "wt6mne2s9k",
    },
    ...body(sent),
  }),
  "API Gateway v2 (HTTP API)": (sent) =>
    version2(sent, "example.execute-api.eu-central-1.amazonaws.com"),
  "a function URL": (sent) => version2(sent, "example.lambda-url.eu-central-1.on.aws"),
  "a load balancer": (sent) => ({
    ...loadBalancer(sent),
    ...single(encoded(sent), allHeaders(sent)),
  }),
  "a load balancer with several values": (sent) => ({
    ...loadBalancer(sent),
    ...several(encoded(sent), allHeaders(sent)),
  }),
};

function version2(sent: Sent, domainName: string): unknown {
  const { method, path, query = [], headers = [], cookies } = sent;
  const joined = Object.entries(Object.groupBy(headers, ([name]) => name.toLowerCase()))
    .map(([name, all = []]) => [name, all.map(([, value]) => value).join(",")]);
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: path,
    rawQueryString: new URLSearchParams(query.map(([...pair]) => pair)).toString(),
    ...(cookies && { cookies }),
    headers: { ...Object.fromEntries(joined), host: domainName, "x-forwarded-for": "198.51.100.1" },
    requestContext: {
      accountId: "123456789012",
      apiId: "api-id",
      domainName,
      http: { method, path, protocol: "HTTP/1.1", sourceIp: "192.0.2.7", userAgent: "curl/8.5.0" },
      requestId: "JKJaXmPLvHcESHA=",
      routeKey: "$default",
      stage: "$default",
      timeEpoch: 1428582896000,
    },
    ...body(sent),
  };
}

function loadBalancer(sent: Sent) {
  const targetGroupArn =
    "arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/lambda/1";
  return {
    requestContext: { elb: { targetGroupArn } },
    httpMethod: sent.method,
    path: sent.path,
    ...body(sent),
  };
}

function allHeaders({ headers = [], cookies = [] }: Sent) {
  const host = ["host", "example.com"] as const;
  const all = [host, ["x-forwarded-for", "198.51.100.1"] as const, ...headers];
  return cookies.length === 0 ? all : [...all, ["cookie", cookies.join("; ")] as const];
}

/** Load balancers pass a query on as it was sent. */
function encoded(sent: Sent): Sent {
  const query = sent.query?.map(([name, value]) => [name, encodeURIComponent(value)] as const);
  return { ...sent, query };
}

/** The last value counts. */
function single({ query = [] }: Sent, headers: Sent["headers"] = []) {
  return {
    headers: Object.fromEntries(headers),
    queryStringParameters: Object.fromEntries(query),
  };
}

function several({ query = [] }: Sent, headers: Sent["headers"] = []) {
  return {
    multiValueHeaders: grouped(headers),
    multiValueQueryStringParameters: grouped(query),
  };
}

function grouped(pairs: NonNullable<Sent["query"]>) {
  return Object.fromEntries(
    Object.entries(Object.groupBy(pairs, ([name]) => name))
      .map(([name, all = []]) => [name, all.map(([, value]) => value)]),
  );
}

function body({ body = null, isBase64Encoded = false }: Partial<Record<keyof Sent, unknown>>) {
  return { body, isBase64Encoded };
}
