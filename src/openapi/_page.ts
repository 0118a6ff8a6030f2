/**
 * The page around Swagger UI. What it refers to is relative, so that it also works behind a proxy that serves the
 * application under another path.
 */
export const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API documentation</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/**
 * Starts Swagger UI, with the query of the page, which may ask for a version of the API; a file of its own, because the
 * page's policy allows no script inside of it. Examples are made up from schemas: what only says how a format is checked,
 * or what a number can hold, would make odd ones.
 */
export const START = `const ui = SwaggerUIBundle({
  url: "openapi.json" + location.search,
  dom_id: "#swagger-ui",
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
  responseInterceptor(response) {
    if (new URL(response.url, location.href).pathname.endsWith("/openapi.json")) {
      response.text = JSON.stringify(JSON.parse(response.text, (_, value) => {
        if (typeof value?.format === "string") delete value.pattern;
        if (value?.minimum === Number.MIN_SAFE_INTEGER) delete value.minimum;
        if (value?.maximum === Number.MAX_SAFE_INTEGER) delete value.maximum;
        return value;
      }));
    }
    return response;
  },
  onComplete() {
    document.title = ui.specSelectors.info().get("title");
  },
});
`;

/**
 * What the page may do (Content Security Policy Level 3): load from its own origin and ask it. Images inside of the
 * style sheet are `data:`, images that an operation answers are `blob:`.
 */
export const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; " +
  "img-src 'self' data: blob:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
