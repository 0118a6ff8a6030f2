export function indexNameProblem(name: string): string | undefined {
  if (name === "" || name === "." || name === "..") return `'${name}' is not a valid index name`;
  if (/^%3c/i.test(name)) {
    return `The name '${name}' is encoded date math: write a request with it as 'path'`;
  }
  if (/^[-_+]/.test(name)) return `The index name '${name}' starts with '${name[0]}'`;
  const [bad] = /[\\/*?"<>| ,#:]/.exec(name) ?? [];
  if (bad !== undefined) return `The index name '${name}' has the character '${bad}'`;
  const bytes = new TextEncoder().encode(name).length;
  if (bytes > 255) return `The index name has ${bytes} bytes; 255 are allowed`;
}

export function templateNameProblem(name: string): string | undefined {
  if (name === "") return "The file name contains no name for the template";
  if (name !== name.toLowerCase()) return `The template name '${name}' must be lower case`;
  if (name.startsWith("_")) return `The template name '${name}' starts with '_'`;
  const [bad] = /[ ,#*]/.exec(name) ?? [];
  if (bad !== undefined) return `The template name '${name}' has the character '${bad}'`;
}
