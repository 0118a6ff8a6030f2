/** One file of each kind, in order. */
export const FILES: Readonly<Record<string, string>> = {
  "1-logs-template.json": '{"index_patterns":["logs-*"],"template":{}}',
  "2-post.json":
    '{"method":"POST","path":"/_aliases","body":{"actions":[{"add":{"index":"framework_migrations","alias":"records"}}]}}',
  "3-old-policy.json":
    '{"policy":{"description":"d","default_state":"a","states":[{"name":"a","actions":[],"transitions":[]}]}}',
  "4-users-index.json": '{"settings":{}}',
  "5-delete.json": '{"method":"DELETE","path":"/obsolete"}',
};
