import { requestContext } from "irori/context";
import { basic, security } from "irori/security";
import { TenantKeys } from "./src/tenants/tenant_keys.ts";

/** The options of `bootstrap`, for the application and its tests. */
export const tenants = {
  root: import.meta.dirname,
  extensions: [
    requestContext(),
    security({
      schemes: {
        key: TenantKeys,
        operator: basic((config) => ({
          users: [{
            name: "operator",
            password: config.required("operator.password"),
            roles: ["operator"],
          }],
        })),
      },
    }),
  ],
};
