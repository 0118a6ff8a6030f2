import { join } from "../../../../runtime/path.ts";
import type { Engine } from "../../types.ts";

export const folderOfConnection: Engine["folder"] = (root, { name }) => {
  return Promise.resolve(join(root, name));
};
