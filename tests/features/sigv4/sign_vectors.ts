/**
 * The published test suite of Signature Version 4, as the crate `aws-sigv4` 1.6 carries it (`aws-signing-test-suite/v4`):
 * requests, and the signatures that they have at 2015-08-30T12:36:00Z in `us-east-1` for `service`. Left out are headers
 * that occur twice or go over lines, which no client sends here, and the paths with a space and with another script,
 * which the suite encodes once, as S3 does and no other service.
 */
export interface Vector {
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly sessionToken?: string;
  readonly signature: string;
}

export const VECTOR_KEYS = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};

export const VECTORS: readonly Vector[] = [
  {
    name: "get-header-value-trim",
    method: "GET",
    target: "/",
    headers: { "My-Header1": "value1", "My-Header2": '"a   b   c"' },
    signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736",
  },
  {
    name: "get-relative",
    method: "GET",
    target: "/example/..",
    signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
  },
  {
    name: "get-relative-relative",
    method: "GET",
    target: "/example1/example2/../..",
    signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
  },
  {
    name: "get-slash-dot-slash",
    method: "GET",
    target: "/./",
    signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
  },
  {
    name: "get-slash",
    method: "GET",
    target: "//",
    signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
  },
  {
    name: "get-slash-pointless-dot",
    method: "GET",
    target: "/./example",
    signature: "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5",
  },
  {
    name: "get-slashes",
    method: "GET",
    target: "//example//",
    signature: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84",
  },
  {
    name: "get-unreserved",
    method: "GET",
    target: "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f",
  },
  {
    name: "get-vanilla",
    method: "GET",
    target: "/",
    signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
  },
  {
    name: "get-vanilla-empty-query-key",
    method: "GET",
    target: "/?Param1=value1",
    signature: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb",
  },
  {
    name: "get-vanilla-query",
    method: "GET",
    target: "/",
    signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
  },
  {
    name: "get-vanilla-query-order-encoded",
    method: "GET",
    target: "/?Param-3=Value3&Param=Value2&%E1%88%B4=Value1",
    signature: "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac",
  },
  {
    name: "get-vanilla-query-order-key-case",
    method: "GET",
    target: "/?Param2=value2&Param1=value1",
    signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
  },
  {
    name: "get-vanilla-query-unreserved",
    method: "GET",
    target:
      "/?-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz=-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197",
  },
  {
    name: "get-vanilla-utf8-query",
    method: "GET",
    target: "/?ሴ=bar",
    signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04",
  },
  {
    name: "get-vanilla-with-session-token",
    method: "GET",
    target: "/",
    sessionToken: "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267",
    signature: "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8",
  },
  {
    name: "post-header-key-case",
    method: "POST",
    target: "/",
    signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
  },
  {
    name: "post-header-key-sort",
    method: "POST",
    target: "/",
    headers: { "My-Header1": "value1" },
    signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c",
  },
  {
    name: "post-header-value-case",
    method: "POST",
    target: "/",
    headers: { "My-Header1": "VALUE1" },
    signature: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d",
  },
  {
    name: "post-sts-header-before",
    method: "POST",
    target: "/",
    sessionToken:
      "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==",
    signature: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead",
  },
  {
    name: "post-vanilla",
    method: "POST",
    target: "/",
    signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
  },
  {
    name: "post-vanilla-empty-query-value",
    method: "POST",
    target: "/?Param1=value1",
    signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11",
  },
  {
    name: "post-vanilla-query",
    method: "POST",
    target: "/?Param1=value1",
    signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11",
  },
  {
    name: "post-x-www-form-urlencoded",
    method: "POST",
    target: "/",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": "13",
      "X-Amz-Content-Sha256": "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e",
    },
    body: "Param1=value1",
    signature: "d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b",
  },
  {
    name: "post-x-www-form-urlencoded-parameters",
    method: "POST",
    target: "/",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded; charset=utf-8",
      "Content-Length": "13",
      "X-Amz-Content-Sha256": "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e",
    },
    body: "Param1=value1",
    signature: "328d1b9eaadca9f5818ef05e8392801e091653bafec24fcab71e7344e7f51422",
  },
];
