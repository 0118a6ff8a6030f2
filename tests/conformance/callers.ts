/** Credentials of the clients of the application under test. Its keys are public. */
export const SECRET = "conformance: thirty-two bytes or more";
export const PUBLIC_KEY = {
  kty: "EC",
  crv: "P-256",
  x: "gm6RRozyF2QDWixF9YHbYvzCPyvtwsw0UFsvPNluhdc",
  y: "YwsWFo7G0fZnhUYqelDvBboiagbr3h-QXStEn_-GXpo",
};
export const ISSUER = "conformance";
export const AUDIENCE = "suite";
export const USERS = [{ name: "björn", password: "pässwörd", roles: ["admin"] }];
export const KEYS = [{ key: "k1", name: "robot" }];

/** Signed beforehand: those that are taken expire in 2100. */
export const TOKENS = {
  user: [
    "eyJhbGciOiJIUzI1NiJ9",
    "eyJyb2xlcyI6WyJ1c2VyIl0sImlzcyI6ImNvbmZvcm1hbmNlIiwiYXVkIjoic3VpdGUiLCJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDB9",
    "2_HGx4ZxSuDXQ5iGtqnKmv27jfFQ88kTV7s6jhE7iZ0",
  ].join("."),
  admin: [
    "eyJhbGciOiJIUzI1NiJ9",
    "eyJyb2xlcyI6WyJhZG1pbiJdLCJpc3MiOiJjb25mb3JtYW5jZSIsImF1ZCI6InN1aXRlIiwic3ViIjoiYWRhIiwiZXhwIjo0MTAyNDQ0ODAwfQ",
    "ZWN4ot8j92o1D09BvtjBnpPhg8qdcIfoH9aRJ-9e5EY",
  ].join("."),
  expired: [
    "eyJhbGciOiJIUzI1NiJ9",
    "eyJyb2xlcyI6WyJ1c2VyIl0sImlzcyI6ImNvbmZvcm1hbmNlIiwiYXVkIjoic3VpdGUiLCJzdWIiOiJhZGEiLCJleHAiOjEwMDB9",
    "Iihrxngn1lqwXG46ORaZ5wQNOfxUhnOV4WbKtFwf-aA",
  ].join("."),
  otherKey: [
    "eyJhbGciOiJIUzI1NiJ9",
    "eyJyb2xlcyI6WyJ1c2VyIl0sImlzcyI6ImNvbmZvcm1hbmNlIiwiYXVkIjoic3VpdGUiLCJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDB9",
    "eKdXf328D75-C0u9HWO67rlmnPG_mlzYHB0HwAZV0nQ",
  ].join("."),
  elliptic: [
    "eyJhbGciOiJFUzI1NiJ9",
    "eyJyb2xlcyI6WyJhZG1pbiJdLCJpc3MiOiJjb25mb3JtYW5jZSIsImF1ZCI6InN1aXRlIiwic3ViIjoiZ3JhY2UiLCJleHAiOjQxMDI0NDQ4MDB9",
    "8OOcmwji2V3K632nPqo411AXkRvsn_eUegRbtGeexeES8LeCh7038N2p-ZN_BHX7o4WDqSRdu09oYpnB-hK3yg",
  ].join("."),
  unsigned: [
    "eyJhbGciOiJub25lIn0",
    "eyJpc3MiOiJjb25mb3JtYW5jZSIsImF1ZCI6InN1aXRlIiwic3ViIjoiYWRhIiwiZXhwIjo0MTAyNDQ0ODAwLCJyb2xlcyI6WyJhZG1pbiJdfQ",
    "",
  ].join("."),
};
