import type { Case } from "../../conformance/types.ts";

const ada = { id: 1, name: "Ada", email: "ada@example.com" };
const grace = { name: "Grace", email: "grace@example.com" };
const headers = { "Content-Type": "application/json" };

/** A walk through the users example with its users in memory, in this order. */
export const usersCases: readonly Case[] = [
  {
    name: "users: list",
    path: "/users",
    status: 200,
    json: { success: true, data: [ada, { id: 2, name: "Alan", email: "alan@example.com" }] },
  },
  { name: "users: one", path: "/users/1", status: 200, json: { success: true, data: ada } },
  {
    name: "users: by email",
    path: "/users/search?email=ada@example.com",
    status: 200,
    json: { success: true, data: ada },
  },
  {
    name: "users: absent",
    path: "/users/9",
    status: 404,
    json: { success: false, message: "User 9 was not found" },
  },
  { name: "users: no id", path: "/users/x", status: 400 },
  {
    name: "users: create",
    method: "POST",
    path: "/users",
    headers,
    body: () => JSON.stringify(grace),
    status: 201,
    responseHeaders: { Location: "/users/3" },
    json: { success: true, data: { id: 3, ...grace }, message: "User created successfully" },
  },
  {
    name: "users: create twice",
    method: "POST",
    path: "/users",
    headers,
    body: () => JSON.stringify(grace),
    status: 409,
  },
  {
    name: "users: create without a name",
    method: "POST",
    path: "/users",
    headers,
    body: () => JSON.stringify({ email: "x@example.com" }),
    status: 400,
  },
  {
    name: "users: replace",
    method: "PUT",
    path: "/users/3",
    headers,
    body: () => JSON.stringify({ ...grace, name: "Grace Hopper" }),
    status: 200,
    json: {
      success: true,
      data: { id: 3, ...grace, name: "Grace Hopper" },
      message: "User updated successfully",
    },
  },
  { name: "users: delete", method: "DELETE", path: "/users/3", status: 200 },
  { name: "users: delete twice", method: "DELETE", path: "/users/3", status: 404 },
  {
    name: "users: unknown path",
    path: "/nope",
    status: 404,
    json: { success: false, message: "Not Found", path: "/nope" },
  },
  {
    name: "actuator: health",
    path: "/actuator/health",
    status: 200,
    json: { status: "UP", groups: ["liveness", "readiness"] },
  },
  {
    name: "actuator: readiness",
    path: "/actuator/health/readiness",
    status: 200,
    json: { status: "UP" },
  },
  {
    name: "actuator: info",
    path: "/actuator/info",
    status: 200,
    json: { app: { name: "users" } },
  },
  {
    name: "actuator: requests were timed by route and status",
    path: "/actuator/metrics/http.server.requests?tag=uri:/users/{id}&tag=status:404",
    status: 200,
  },
  {
    name: "actuator: what was not asked was not timed",
    path: "/actuator/metrics/http.server.requests?tag=status:418",
    status: 404,
  },
  {
    name: "actuator: Prometheus",
    path: "/actuator/prometheus",
    status: 200,
    responseHeaders: { "Content-Type": "text/plain;version=0.0.4;charset=utf-8" },
  },
  {
    name: "actuator: OpenMetrics",
    path: "/actuator/prometheus",
    headers: { Accept: "application/openmetrics-text;version=1.0.0,text/plain;q=0.5" },
    status: 200,
    responseHeaders: { "Content-Type": "application/openmetrics-text;version=1.0.0;charset=utf-8" },
  },
  {
    name: "meters: a counter of a component",
    path: "/meters/count?channel=web",
    status: 200,
    json: { count: 2 },
  },
  {
    name: "meters: a timer of a component, with buckets",
    path: "/meters/work",
    status: 200,
    json: { count: 2, buckets: [1, 1, 0] },
  },
  {
    name: "meters: what a component has counted",
    path: "/actuator/metrics/meters.count?tag=channel:web",
    status: 200,
    json: {
      name: "meters.count",
      measurements: [{ statistic: "COUNT", value: 2 }],
      availableTags: [],
    },
  },
  {
    name: "meters: a gauge of a component",
    path: "/actuator/metrics/meters.level",
    status: 200,
    json: {
      name: "meters.level",
      measurements: [{ statistic: "VALUE", value: 7 }],
      availableTags: [],
    },
  },
  { name: "actuator: not exposed", path: "/actuator/env", status: 404 },
  {
    name: "openapi: document",
    path: "/openapi.json",
    status: 200,
    responseHeaders: { "Content-Type": "application/json" },
  },
];
